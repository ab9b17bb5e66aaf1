import { useRef, useState } from 'react'
import { useDraft, useLeaveWarning } from '../../drafts.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { useKinds, useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { KindSelect } from '../../ui/kinds.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Empty, Notice, Refusal } from '../../ui/states.tsx'
import { wholeOf } from '../member/whole.ts'
import { blankRequest, draftName } from './draft.ts'
import { isAmount, linesCap } from './parse.ts'
import { usePastedList } from './pasted.ts'
import { Review } from './review.tsx'
import { type AwardRequest, ListFault, useAwards } from './useAwards.ts'

/** Batch awards: a pasted list, its preview, then all lines or none are applied. */
export function AwardsPage() {
  const { awards: words, shell } = useWords()
  const { id, can } = useRealm()
  const [first] = useKinds()
  const blank = blankRequest(first?.id ?? '')
  const [asked, setAsked] = useDraft(draftName(id), blank)
  useLeaveWarning(asked.text !== '')
  const { check, award, progress, reset } = useAwards()
  const startOver = () => {
    reset()
    setAsked(blank)
  }
  return (
    <Page title={words.title} intro={words.intro}>
      {!can('points:write') ? (
        <Section>
          <Empty icon="lock" title={shell.readOnly} hint={shell.needsRole(shell.roles.manager)} />
        </Section>
      ) : check.data ? (
        <Review checked={check.data} award={award} onBack={reset} onNew={startOver} />
      ) : (
        <ListForm
          asked={asked}
          busy={check.isPending}
          error={check.error}
          progress={progress}
          onChange={setAsked}
          onCheck={() => check.mutate(asked)}
        />
      )}
    </Page>
  )
}

type FormProps = {
  readonly asked: AwardRequest
  readonly busy: boolean
  readonly error: unknown
  readonly progress: { readonly done: number; readonly all: number }
  readonly onChange: (asked: AwardRequest) => void
  readonly onCheck: () => void
}

function ListForm({ asked, busy, error, progress, onChange, onCheck }: FormProps) {
  const { awards: words } = useWords()
  const format = useFormat()
  const [tried, setTried] = useState(false)
  const isWrong = asked.points.trim() !== '' && !isAmount(wholeOf(asked.points))
  const form = useRef<HTMLFormElement>(null)
  usePastedList((pasted) => {
    if (busy) return
    onChange({ ...asked, text: [asked.text.trimEnd(), pasted].filter(Boolean).join('\n') })
    form.current?.querySelector('textarea')?.focus()
  })
  return (
    <Section>
      <form
        ref={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!isWrong) onCheck()
        }}
      >
        <TextArea
          label={words.list}
          hint={words.listHint}
          placeholder={words.example}
          rows={10}
          spellCheck={false}
          disabled={busy}
          value={asked.text}
          onChange={({ target }) => onChange({ ...asked, text: target.value })}
          className="font-mono"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={words.points}
            optional
            inputMode="numeric"
            autoComplete="off"
            disabled={busy}
            value={asked.points}
            error={tried && isWrong ? words.faults.amount(asked.points) : undefined}
            onChange={({ target }) => onChange({ ...asked, points: target.value })}
          />
          <KindSelect showLabel value={asked.point} onChoose={(point) => onChange({ ...asked, point })} />
          <TextField
            label={words.reason}
            optional
            maxLength={500}
            disabled={busy}
            value={asked.reason}
            onChange={({ target }) => onChange({ ...asked, reason: target.value })}
          />
        </div>
        {busy && progress.all > 0 && (
          <Progress label={words.check} {...progress}>
            {words.looking(format.number(progress.done), format.number(progress.all))}
          </Progress>
        )}
        {error instanceof ListFault ? (
          <Notice tone="bad">
            {error.what === 'none' ? words.none : words.tooMany(format.number(linesCap))}
          </Notice>
        ) : (
          <Refusal error={error} />
        )}
        <div>
          <Button type="submit" look="primary" busy={busy}>
            {words.check}
          </Button>
        </div>
      </form>
    </Section>
  )
}
