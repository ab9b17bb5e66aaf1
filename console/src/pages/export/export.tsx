import type { ExportName } from '@exchequer/sdk'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Notice, Refusal } from '../../ui/states.tsx'
import { type Download, useDownload } from './useDownload.ts'

const names = ['members.csv', 'balances.csv', 'entries.csv', 'realm.ndjson'] as const

/** Downloads of the realm's data as files. */
export function ExportPage() {
  const { exports: words } = useWords()
  return (
    <Page title={words.title} intro={words.intro}>
      <Section bare>
        <ul>
          {names.map((name) => (
            <File key={name} name={name} />
          ))}
        </ul>
      </Section>
      <p className="text-muted text-sm">{words.spreadsheet}</p>
    </Page>
  )
}

function File({ name }: { readonly name: ExportName }) {
  const { exports: words } = useWords()
  const { can } = useRealm()
  const { download, start, stop } = useDownload(name)
  const file = words.files[name]
  const allowed = name !== 'realm.ndjson' || can('realm:admin')
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 border-line border-b px-5 py-4 last:border-0">
      <span className="flex size-9 shrink-0 items-center justify-center rounded-md bg-sunken text-muted">
        <Icon name="file" className="size-5" />
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="font-medium">{file.name}</h2>
        <p className="text-muted text-sm">{file.what}</p>
        {!allowed && <p className="text-muted text-sm">{words.needsOwner}</p>}
        <State download={download} />
      </div>
      {download.state === 'running' ? (
        <Button onClick={stop}>{words.stop}</Button>
      ) : (
        <Button icon="import" disabled={!allowed} aria-label={words.download(file.name)} onClick={start}>
          {words.save}
        </Button>
      )}
    </li>
  )
}

function State({ download }: { readonly download: Download }) {
  const { exports: words } = useWords()
  const format = useFormat()
  if (download.state === 'idle') return null
  if (download.state === 'failed')
    return (
      <div className="mt-2">
        {download.cut ? <Notice tone="bad">{words.cut}</Notice> : <Refusal error={download.error} />}
      </div>
    )
  const { state, lines, bytes, seq } = download
  const said = words[state](format.number(lines), format.bytes(bytes))
  return (
    <p role="status" className={`figures mt-1 text-sm ${state === 'done' ? 'text-good' : 'text-ink'}`}>
      {said}
      {seq !== '' && ` · ${words.asOf(format.number(BigInt(seq)))}`}
    </p>
  )
}
