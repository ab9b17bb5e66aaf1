import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { realmKey, useKinds, useRealm } from '../../realm.tsx'
import type { periods } from '../../search.ts'
import { Code, Copy } from '../../ui/bits.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Check } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Refusal } from '../../ui/states.tsx'
import { useSuccessToast } from '../../ui/toast.tsx'

type BoardProps = { readonly point: string; readonly period: (typeof periods)[number] }

/** The public page: its switch for owners, its link, and the code to embed it. */
export function PublicBoard({ point, period }: BoardProps) {
  const { public: words } = useWords().leaderboard
  const { queries } = useApp()
  const { id, client, data, can } = useRealm()
  const showSuccess = useSuccessToast()
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
    <Section title={words.title} intro={words.intro}>
      <div className="flex flex-col gap-4">
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
          !data.publicBoard && <p className="text-muted">{words.isOff}</p>
        )}
        <Refusal error={change.error} />
        {data.publicBoard && <Shared point={point} period={period} />}
      </div>
    </Section>
  )
}

/** The link and the code use the period and currency chosen above. */
function Shared({ point, period }: BoardProps) {
  const { public: words } = useWords().leaderboard
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
    <>
      {period === 'range' && <p className="text-muted text-sm">{words.noRange}</p>}
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
    </>
  )
}
