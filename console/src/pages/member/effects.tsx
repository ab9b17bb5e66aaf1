import { useFormat, useWords } from '../../preferences.tsx'
import type { PointKind } from '../../realm.tsx'
import { Avatar, nameOf } from '../../ui/bits.tsx'
import { Icon } from '../../ui/icons.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Notice } from '../../ui/states.tsx'

/** A member's balance after a change. */
export type Effect = { readonly id: string; readonly balance: number; readonly held?: number | undefined }

type Before = {
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  readonly balances: Readonly<Record<string, number>>
}
type EffectsProps = {
  readonly effects: readonly Effect[]
  readonly kind: PointKind | undefined
  /** Members as they are now, by id. */
  readonly before: ReadonlyMap<string, Before>
  readonly reason: string
}

/** The result of a dry run: each balance before and after. */
export function Effects({ effects, kind, before, reason }: EffectsProps) {
  const { change } = useWords()
  const format = useFormat()
  return (
    <>
      <Notice tone="info">{change.previewed}</Notice>
      <ul className="flex flex-col gap-2">
        {effects.map(({ id, balance, held }) => {
          const member = before.get(id)
          const now = kind && member?.balances[kind.id]
          return (
            <li key={id} className="flex items-center gap-3 rounded-md border border-line px-3 py-2.5">
              <Avatar member={member ?? { id }} />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{nameOf(member ?? { id })}</span>
                <span className="block text-muted text-sm">{kind && kindName(kind)}</span>
              </span>
              <span className="figures flex items-center gap-2 text-lg">
                {now !== undefined && (
                  <>
                    <span className="text-muted">{format.number(now)}</span>
                    <Icon name="right" className="size-4 text-muted" />
                  </>
                )}
                <span className="font-semibold">{format.number(balance)}</span>
              </span>
              {held !== undefined && (
                <span className="text-muted text-sm">
                  {change.heldThen} {format.number(held)}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {reason && (
        <p className="text-sm">
          <span className="text-muted">{change.reason}: </span>
          {reason}
        </p>
      )}
    </>
  )
}
