import type { WebhookData } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { firstOfLast } from '../../days.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { AskButtons } from '../../ui/ask.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Notice, Refusal } from '../../ui/states.tsx'
import { type EntryRange, type RangeDraft, rangeByDay, rangeByEntry } from './range.ts'

type ReplayProps = { readonly of: WebhookData; readonly open: boolean; readonly onClose: () => void }

/** Sends the events of past entries again. */
export function ReplayDialog({ of: webhook, open, onClose }: ReplayProps) {
  const { webhooks: words } = useWords()
  return (
    <Dialog open={open} title={words.replayTitle} intro={words.replayIntro} onClose={onClose}>
      <ReplayForm of={webhook} onClose={onClose} />
    </Dialog>
  )
}

function ReplayForm({ of: webhook, onClose }: Omit<ReplayProps, 'open'>) {
  const { webhooks: words } = useWords()
  const { id, client, data } = useRealm()
  const today = firstOfLast(1, data.timeZone)
  const [draft, setDraft] = useState<RangeDraft>({
    by: 'day',
    firstDay: today,
    lastDay: today,
    firstEntry: '',
    lastEntry: '',
  })
  const { range, head, error } = useRange(draft)
  const replay = useAct(
    ({ first, last }: EntryRange) =>
      client.webhooks.replay(webhook.id, { from: String(first), to: String(last + 1n) }),
    { key: [...realmKey(id), 'webhooks'], done: words.replayStarted, onDone: onClose },
  )
  const footer = (
    <AskButtons label={words.replay} busy={replay.isPending} disabled={!range} onClose={onClose} />
  )
  return (
    <DialogForm onSubmit={() => range && replay.mutate(range)} footer={footer}>
      <div>
        <Segmented
          label={words.replayBy}
          value={draft.by}
          choices={[
            { value: 'day', label: words.byDay },
            { value: 'entry', label: words.byEntry },
          ]}
          onChoose={(by) => setDraft({ ...draft, by })}
        />
      </div>
      <Ends draft={draft} onChange={setDraft} />
      <Preview range={range} head={head} by={draft.by} />
      <Refusal error={replay.error ?? error} />
    </DialogForm>
  )
}

/** The entries that are chosen: null while they are looked up, undefined when there are none. */
function useRange(draft: RangeDraft) {
  const { id, client } = useRealm()
  const head = useQuery({
    queryKey: [...realmKey(id), 'head'],
    queryFn: async () => (await client.head()).seq,
    gcTime: 0,
  })
  const last = head.data === undefined ? undefined : BigInt(head.data)
  const { firstDay, lastDay } = draft
  const days = useQuery({
    queryKey: [...realmKey(id), 'entriesOfDays', firstDay, lastDay, head.data],
    // A query has no bigint and no undefined.
    queryFn: async () => {
      const found = await rangeByDay(client, { firstDay, lastDay }, last ?? 0n)
      return found ? { first: String(found.first), last: String(found.last) } : null
    },
    enabled: draft.by === 'day' && last !== undefined && firstDay !== '' && lastDay !== '',
    gcTime: 0,
  })
  const error = head.error ?? days.error
  if (last === undefined) return { range: null, head: head.data, error }
  if (draft.by === 'entry') return { range: rangeByEntry(draft, last), head: head.data, error }
  if (firstDay === '' || lastDay === '') return { range: undefined, head: head.data, error }
  const found = days.data
  const range = found ? { first: BigInt(found.first), last: BigInt(found.last) } : undefined
  return { range: found === undefined ? null : range, head: head.data, error }
}

type EndsProps = { readonly draft: RangeDraft; readonly onChange: (draft: RangeDraft) => void }

function Ends({ draft, onChange }: EndsProps) {
  const { webhooks: words } = useWords()
  const field = (label: string, name: Exclude<keyof RangeDraft, 'by'>) => (
    <TextField
      label={label}
      {...(draft.by === 'day' ? { type: 'date' } : { inputMode: 'numeric', autoComplete: 'off' })}
      value={draft[name]}
      onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
    />
  )
  return (
    <div className="grid grid-cols-2 gap-3">
      {draft.by === 'day' ? (
        <>
          {field(words.firstDay, 'firstDay')}
          {field(words.lastDay, 'lastDay')}
        </>
      ) : (
        <>
          {field(words.firstEntry, 'firstEntry')}
          {field(words.lastEntry, 'lastEntry')}
        </>
      )}
    </div>
  )
}

type PreviewProps = {
  readonly range: EntryRange | null | undefined
  readonly head: string | undefined
  readonly by: RangeDraft['by']
}

function Preview({ range, head, by }: PreviewProps) {
  const { webhooks: words, shell } = useWords()
  const format = useFormat()
  if (range === null || head === undefined) return <p className="text-muted text-sm">{shell.loading}</p>
  if (range === undefined)
    return (
      <p className="text-muted text-sm">
        {by === 'day' ? words.rangeEmpty : `${words.rangeWrong} ${words.lastIs(format.number(BigInt(head)))}`}
      </p>
    )
  const [first, last] = [format.number(range.first), format.number(range.last)]
  return <Notice tone="info">{words.range(first, last, format.number(range.last - range.first + 1n))}</Notice>
}
