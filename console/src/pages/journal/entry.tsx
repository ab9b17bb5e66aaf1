import { type EntryData, ExchequerError } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Badge, Code, Copy } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { MemberName } from '../../ui/memberName.tsx'
import { Fact } from '../../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../../ui/states.tsx'
import { UndoDialog } from '../member/undo.tsx'
import type { Actors } from './actors.ts'
import { EntryLink, Party, Points } from './columns.tsx'
import { theRealm } from './rows.ts'

type EntryProps = {
  readonly seq: string
  readonly actors: Actors
  /** Opens with the dialog that undoes it, if it can be undone. */
  readonly undo: boolean
  readonly onClose: () => void
}

/** One entry with all its details, and a button to undo it. */
export function EntryDialog({ seq, actors, undo, onClose }: EntryProps) {
  const { journal: words } = useWords()
  const { id, client, can } = useRealm()
  const [undoing, setUndoing] = useState(undo)
  const { data, error, refetch } = useQuery({
    queryKey: [...realmKey(id), 'entry', seq],
    queryFn: () => client.entry(seq),
  })
  const isGone = error instanceof ExchequerError && error.status === 404
  if (undoing && data?.reversible && can('points:write'))
    return <UndoDialog entry={data} onClose={undo ? onClose : () => setUndoing(false)} />
  return (
    <Dialog open title={words.entry(seq)} onClose={onClose}>
      {data ? (
        <Shown entry={data} actors={actors} onUndo={() => setUndoing(true)} />
      ) : isGone ? (
        <Empty icon="search" title={words.noEntry} hint={words.noEntryHint} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Dialog>
  )
}

type ShownProps = { readonly entry: EntryData; readonly actors: Actors; readonly onUndo: () => void }

function Shown({ entry, actors, onUndo }: ShownProps) {
  const { journal: words } = useWords()
  const { can } = useRealm()
  const isOpen = entry.reversible
  const footer = !isOpen ? null : can('points:write') ? (
    <Button icon="undo" onClick={onUndo}>
      {words.undo}
    </Button>
  ) : (
    <p className="text-muted text-sm">{words.undoReadOnly}</p>
  )
  return (
    <DialogForm footer={footer}>
      <dl className="divide-y divide-line">
        <Main entry={entry} actors={actors} />
        <Said entry={entry} />
        <Links entry={entry} />
        <Fact name={words.hash}>
          <span className="inline-flex items-start gap-1 text-left">
            <Code>{entry.hash}</Code>
            <Copy text={entry.hash} />
          </span>
        </Fact>
      </dl>
    </DialogForm>
  )
}

function Main({ entry, actors }: Omit<ShownProps, 'onUndo'>) {
  const { journal: words } = useWords()
  const format = useFormat()
  const { type, at, tokens, realmPointId, fromId, fromBalance, toId, toBalance, person, keyId, keyName } =
    entry
  const side = (id: string | null, balance: number | null) => (
    <>
      <Party id={id ?? (balance === null ? theRealm : null)} />
      {balance !== null && (
        <span className="block text-muted text-sm">{words.balanceAfter(format.number(balance))}</span>
      )}
    </>
  )
  return (
    <>
      <Fact name={words.kind}>
        <Badge>{words.kinds[type]}</Badge>
      </Fact>
      <Fact name={words.amount}>
        <Points amount={tokens} point={realmPointId} />
      </Fact>
      <Fact name={words.from}>{side(fromId, fromBalance)}</Fact>
      <Fact name={words.to}>{side(toId, toBalance)}</Fact>
      <Fact name={words.when}>{format.exact(at)}</Fact>
      <Fact name={words.by}>{person?.name ?? keyName ?? actors.nameOf(keyId ?? '0')}</Fact>
    </>
  )
}

function Said({ entry }: { readonly entry: EntryData }) {
  const { journal: words } = useWords()
  const { reason, reference, metadata, actorId } = entry
  return (
    <>
      <Known name={words.reason} value={reason} />
      <Known name={words.reference} value={reference} />
      <Known name={words.metadata} value={metadata && <Code>{JSON.stringify(metadata)}</Code>} />
      <Known name={words.actor} value={actorId && <MemberName id={actorId} />} />
    </>
  )
}

function Links({ entry }: { readonly entry: EntryData }) {
  const { journal: words } = useWords()
  const { transactionId, reverses, reversedBy, holdId, awardId, batchId } = entry
  const link = (seq: string | null) => seq !== null && seq !== transactionId && <EntryLink seq={seq} />
  return (
    <>
      <Known name={words.reverses} value={link(reverses)} />
      <Known name={words.reversedBy} value={link(reversedBy)} />
      <Known name={words.hold} value={link(holdId)} />
      <Known name={words.award} value={link(awardId)} />
      <Known name={words.batch} value={link(batchId)} />
    </>
  )
}

/** Hidden when empty. */
const Known = ({ name, value }: { readonly name: string; readonly value: ReactNode }) =>
  value ? <Fact name={name}>{value}</Fact> : null
