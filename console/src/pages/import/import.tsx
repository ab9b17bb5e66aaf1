import type { ImportResult } from '@exchequer/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { useKinds, useRealm } from '../../realm.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Empty, Notice, Refusal } from '../../ui/states.tsx'
import { Columns } from './columns.tsx'
import { DropZone } from './dropZone.tsx'
import { matchFault } from './matching.ts'
import { Faults, OnTop, Tally } from './report.tsx'
import { readSheet, type Sheet, SheetError } from './sheet.ts'
import { type Plan, type Report, useImport } from './useImport.ts'

/** Imports a file: dropped, columns matched, checked as a whole, and only then imported. */
export function ImportPage() {
  const { imports: words, shell } = useWords()
  const { can } = useRealm()
  const kinds = useKinds()
  const [plan, setPlan] = useState<Plan>()
  const read = useMutation({
    mutationFn: (file: File) => readSheet(file, kinds),
    onSuccess: (sheet) =>
      setPlan({ sheet, name: sheet.name.slice(0, 100), allowRounded: false, addOnTop: false }),
  })
  const fault = read.error instanceof SheetError ? read.error.fault : read.error ? 'wrongFormat' : undefined
  return (
    <Page title={words.title} intro={words.intro}>
      {!can('realm:admin') ? (
        <Section>
          <Empty icon="lock" title={shell.readOnly} hint={shell.needsRole(shell.roles.owner)} />
        </Section>
      ) : plan ? (
        <Planned plan={plan} onPlan={setPlan} onOther={() => setPlan(undefined)} />
      ) : (
        <DropZone fault={fault} busy={read.isPending} onFile={(file) => read.mutate(file)} />
      )}
    </Page>
  )
}

type PlannedProps = {
  readonly plan: Plan
  readonly onPlan: (plan: Plan) => void
  readonly onOther: () => void
}

function Planned({ plan, onPlan, onOther }: PlannedProps) {
  const { imports: words } = useWords()
  const { check, bring, done, reset } = useImport()
  const { sheet } = plan
  const change = (next: Plan) => {
    reset()
    onPlan(next)
  }
  const fault = sheet.format === 'csv' ? matchFault(sheet.targets) : undefined
  const busy = check.isPending || bring.isPending
  if (bring.data) return <Done tally={bring.data} onOther={onOther} />
  return (
    <>
      <FileLine sheet={sheet} disabled={busy} onOther={onOther} />
      {!check.data && !busy && (
        <>
          <Columns sheet={sheet} fault={fault} onChange={(next) => change({ ...plan, sheet: next })} />
          <Section>
            <div className="max-w-xl">
              <TextField
                label={words.name}
                hint={words.nameHint}
                maxLength={100}
                value={plan.name}
                onChange={({ target }) => change({ ...plan, name: target.value })}
              />
            </div>
          </Section>
        </>
      )}
      <Running
        done={done}
        all={sheet.rows}
        what={check.isPending ? 'checking' : bring.isPending ? 'importing' : undefined}
      />
      <Refusal error={check.error} />
      {check.data && !busy && (
        <Checked
          report={check.data}
          plan={plan}
          error={bring.error}
          onBack={reset}
          onImport={() => bring.mutate(plan)}
          onPlan={change}
          onAddOnTop={(addOnTop) => onPlan({ ...plan, addOnTop })}
        />
      )}
      {!check.data && (
        <div>
          <Button
            look="primary"
            busy={busy}
            disabled={fault !== undefined || plan.name.trim() === ''}
            onClick={() => check.mutate(plan)}
          >
            {words.check}
          </Button>
        </div>
      )}
    </>
  )
}

type LineProps = { readonly sheet: Sheet; readonly disabled: boolean; readonly onOther: () => void }

function FileLine({ sheet, disabled, onOther }: LineProps) {
  const { imports: words } = useWords()
  const format = useFormat()
  return (
    <div className="card flex flex-wrap items-center justify-between gap-3 px-5 py-3">
      <p className="min-w-0">
        <span className="break-all font-medium">{words.file(sheet.name, format.bytes(sheet.bytes))}</span>
        <span className="text-muted"> · {words.rows(format.number(sheet.rows))}</span>
      </p>
      <Button small disabled={disabled} onClick={onOther}>
        {words.other}
      </Button>
    </div>
  )
}

type RunningProps = {
  readonly what: 'checking' | 'importing' | undefined
  readonly done: number
  readonly all: number
}

function Running({ what, done, all }: RunningProps) {
  const { imports: words } = useWords()
  const format = useFormat()
  if (!what) return null
  return (
    <Section>
      <Progress label={words.title} done={done} all={all}>
        {words[what](format.number(done), format.number(all))}
      </Progress>
      <p className="mt-1 text-muted text-sm">{words.stay}</p>
    </Section>
  )
}

type CheckedProps = {
  readonly report: Report
  readonly plan: Plan
  readonly error: unknown
  readonly onBack: () => void
  readonly onImport: () => void
  readonly onPlan: (plan: Plan) => void
  readonly onAddOnTop: (addOnTop: boolean) => void
}

function Checked({ report, plan, error, onBack, onImport, onPlan, onAddOnTop }: CheckedProps) {
  const { imports: words } = useWords()
  const back = <Button onClick={onBack}>{words.columns}</Button>
  if (report.own.length + report.faults.length > 0 || !report.server)
    return (
      <Faults
        report={report}
        actions={back}
        allowRounded={plan.allowRounded}
        onAllowRounded={(allowRounded) => onPlan({ ...plan, allowRounded })}
      />
    )
  const { onTop } = report.server.openings
  const actions = (
    <>
      {back}
      <Button look="primary" icon="import" disabled={onTop > 0 && !plan.addOnTop} onClick={onImport}>
        {words.start}
      </Button>
    </>
  )
  return (
    <Section title={words.result} actions={actions}>
      <div className="flex flex-col gap-4">
        <Notice tone="good">{words.clean}</Notice>
        <Tally tally={report.server} />
        {onTop > 0 && <OnTop count={onTop} chosen={plan.addOnTop} onChoose={onAddOnTop} />}
        {error !== null && (
          <>
            <Refusal error={error} />
            <p>{words.stopped}</p>
          </>
        )}
      </div>
    </Section>
  )
}

function Done({ tally, onOther }: { readonly tally: ImportResult; readonly onOther: () => void }) {
  const { imports: words } = useWords()
  const format = useFormat()
  const { id } = useRealm()
  const actions = (
    <>
      <Button onClick={onOther}>{words.other}</Button>
      <Link to="/r/$realm/members" params={{ realm: id }} className={buttonClass('primary')}>
        {words.members}
      </Link>
    </>
  )
  return (
    <Section title={words.done} actions={actions}>
      <div className="flex flex-col gap-4">
        <Notice tone="good">{words.doneHint(format.number(tally.rows))}</Notice>
        <Tally tally={tally} />
      </div>
    </Section>
  )
}
