import { ChainError, type Checkpoint, parseCheckpoint, verifyChain } from '@exchequer/sdk/verify'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { useStopper } from '../../stopper.ts'
import { Code, Copy } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Notice, Refusal } from '../../ui/states.tsx'

type Run =
  | { readonly state: 'waiting' }
  | { readonly state: 'running'; readonly done: bigint; readonly all: bigint }
  | { readonly state: 'ended'; readonly last: Checkpoint; readonly against: Checkpoint | undefined }
  | { readonly state: 'failed'; readonly error: unknown }

/** Reads the whole journal and computes its hashes in the browser. */
export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const { journal, shell } = useWords()
  const { verify: words } = journal
  const [kept, setKept] = useState('')
  const { run, start, stop } = useRun()
  const against = parseCheckpoint(kept)
  const isWrong = kept.trim() !== '' && !against
  const isRunning = run.state === 'running'
  const footer = isRunning ? (
    <Button onClick={stop}>{words.stop}</Button>
  ) : (
    <>
      <Button onClick={onClose}>{shell.close}</Button>
      <Button type="submit" look="primary" icon="shield" disabled={isWrong || !globalThis.isSecureContext}>
        {run.state === 'waiting' ? words.start : words.again}
      </Button>
    </>
  )
  return (
    <Dialog open title={words.title} intro={words.intro} onClose={onClose}>
      <DialogForm footer={footer} onSubmit={() => !isWrong && start(against)}>
        {!globalThis.isSecureContext && <Notice tone="warn">{words.needsHttps}</Notice>}
        <TextField
          label={words.against}
          optional
          hint={words.againstHint}
          error={isWrong ? words.againstWrong : undefined}
          spellCheck={false}
          disabled={isRunning}
          value={kept}
          onChange={({ target }) => setKept(target.value)}
          className="font-mono"
        />
        <Shown run={run} />
      </DialogForm>
    </Dialog>
  )
}

/** Closing the dialog stops it. */
function useRun() {
  const { id, client } = useRealm()
  const [run, setRun] = useState<Run>({ state: 'waiting' })
  const { begin, stop } = useStopper()
  const start = async (against: Checkpoint | undefined) => {
    const signal = begin()
    setRun({ state: 'running', done: 0n, all: 0n })
    try {
      const last = await verifyChain({
        realmId: id,
        against,
        read: (cursor) => client.journal({ cursor, limit: 1000, signal }).page(),
        onProgress: (done, all) => setRun({ state: 'running', done, all }),
      })
      setRun({ state: 'ended', last, against })
    } catch (error) {
      setRun(signal.aborted ? { state: 'waiting' } : { state: 'failed', error })
    }
  }
  return { run, start: (against?: Checkpoint) => void start(against), stop }
}

function Shown({ run }: { readonly run: Run }) {
  const { verify: words } = useWords().journal
  const format = useFormat()
  if (run.state === 'waiting') return null
  if (run.state === 'failed' && run.error instanceof ChainError)
    return (
      <Notice tone="bad">
        <strong className="block font-semibold">{words.breaks(format.number(run.error.seq))}</strong>
        {words.faults[run.error.fault]} {words.breaksHint}
      </Notice>
    )
  if (run.state === 'failed') return <Refusal error={run.error} />
  if (run.state === 'running')
    return (
      <Progress label={words.title} done={Number(run.done)} all={Number(run.all)}>
        {words.progress(format.number(run.done), format.number(run.all))}
      </Progress>
    )
  const { last, against } = run
  if (last.seq === 0n) return <Notice tone="info">{words.empty}</Notice>
  return <Holds seq={last.seq} hash={last.hash} against={against} />
}

function Holds({ seq, hash, against }: Checkpoint & { readonly against: Checkpoint | undefined }) {
  const { verify: words } = useWords().journal
  const format = useFormat()
  const line = `${seq}:${hash}`
  return (
    <>
      <Notice tone="good">
        <strong className="block font-semibold">{words.holds}</strong>
        {words.holdsHint(format.number(seq))} {against && words.matches(format.number(against.seq))}
      </Notice>
      <div>
        <div className="flex items-start gap-1 rounded-md bg-sunken py-1.5 pr-1.5 pl-3">
          <Code className="flex-1 py-1">{line}</Code>
          <Copy text={line} />
        </div>
        <p className="mt-1.5 text-muted text-sm">{words.keep}</p>
      </div>
    </>
  )
}
