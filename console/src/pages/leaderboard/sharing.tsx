import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { realmKey, useKinds, useRealm } from '../../realm.tsx'
import type { periods } from '../../search.ts'
import { Code, Copy } from '../../ui/bits.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import { Refusal } from '../../ui/states.tsx'
import { useSuccessToast } from '../../ui/toast.tsx'

type BoardProps = {
  readonly point: string
  readonly period: (typeof periods)[number]
  /** A week or month that is over. */
  readonly past: boolean
}

/** The public page: its switch for owners, and Share with its link and the code to embed it. */
export function Sharing(board: BoardProps) {
  const { public: words } = useWords().leaderboard
  const { queries } = useApp()
  const { id, client, data, can } = useRealm()
  const showSuccess = useSuccessToast()
  const [isOpen, setOpen] = useState(false)
  // Shown immediately: the checkbox must not jump back while it is being saved.
  const [wanted, setWanted] = useState<boolean>()
  const change = useMutation({
    mutationFn: (publicBoard: boolean) => client.change({ publicBoard }),
    onSuccess: (changed) => {
      queries.setQueryData([...realmKey(id), 'data'], changed)
      showSuccess(changed.publicBoard ? words.on : words.off)
    },
    onSettled: () => setWanted(undefined),
  })
  return (
    <div className="card flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-3">
      {can('realm:admin') ? (
        <Check
          label={words.switch}
          hint={words.hint}
          checked={wanted ?? data.publicBoard}
          disabled={change.isPending}
          onChange={(on) => {
            setWanted(on)
            change.mutate(on)
          }}
        />
      ) : (
        <p className="text-muted">{data.publicBoard ? words.isOn : words.isOff}</p>
      )}
      {data.publicBoard && (
        <Button icon="link" onClick={() => setOpen(true)}>
          {words.share}
        </Button>
      )}
      <Refusal error={change.error} />
      <Share {...board} open={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}

type ShareProps = BoardProps & { readonly open: boolean; readonly onClose: () => void }

/** The link and the code use the period and currency chosen on the page. */
function Share({ point, period, past, open, onClose }: ShareProps) {
  const { leaderboard, shell } = useWords()
  const words = leaderboard.public
  const { place } = useApp()
  const { id } = useRealm()
  const [first] = useKinds()
  const asked = {
    ...(period === 'week' || period === 'month' ? { period } : {}),
    ...(point === first?.id ? {} : { realmPointId: point }),
  }
  const attributes = [
    ['realm', id],
    ['period', asked.period],
    ['point', asked.realmPointId],
    ['limit', '10'],
  ].flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${value}"`]))
  const query = String(new URLSearchParams(asked))
  const link = `${place.server}/boards/${id}${query && `?${query}`}`
  const code = [
    `<script type="module" src="${place.server}/leaderboard.js"></script>`,
    `<exchequer-leaderboard${attributes.join('')}></exchequer-leaderboard>`,
  ].join('\n')
  return (
    <Dialog open={open} wide title={words.title} intro={words.intro} onClose={onClose}>
      <DialogForm
        onSubmit={onClose}
        footer={
          <Button type="submit" look="primary">
            {shell.kept}
          </Button>
        }
      >
        {period === 'range' && <p className="text-muted text-sm">{words.noRange}</p>}
        {past && <p className="text-muted text-sm">{words.noPast}</p>}
        <div>
          <p className="mb-1.5 font-medium text-sm">{words.link}</p>
          <div className="flex flex-wrap items-center gap-2">
            <Code className="rounded-md bg-sunken px-2.5 py-2">{link}</Code>
            <Copy text={link} label={words.copyLink} />
            <a href={link} target="_blank" rel="noreferrer" className={buttonClass('secondary', true)}>
              {words.open}
            </a>
          </div>
        </div>
        <div>
          <div className="mb-1.5 flex flex-wrap items-center justify-between gap-2">
            <p className="font-medium text-sm">{words.code}</p>
            <Copy text={code} label={words.copyCode} button />
          </div>
          <pre className="whitespace-pre-wrap break-all rounded-md bg-sunken px-3 py-2.5 font-mono text-[0.8125em]">
            {code}
          </pre>
        </div>
      </DialogForm>
    </Dialog>
  )
}
