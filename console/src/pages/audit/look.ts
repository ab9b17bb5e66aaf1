import type { Act, AuditOptions } from '@exchequer/sdk'
import type { QueryKey } from '@tanstack/react-query'
import type { Words } from '../../words/en.ts'

/** A log, and where what is known of it is kept. */
export type Source = {
  readonly key: QueryKey
  readonly acts: (options: AuditOptions) => AsyncIterable<Act>
}

export type Wanted = { readonly about?: string; readonly q?: string }

export type Looked = {
  readonly found: readonly Act[]
  readonly looked: number
  /** The last that was looked at; undefined at the end of the log. */
  readonly last: Act | undefined
}

const foundAtOnce = 50
/** So far back is looked at once for what is rare. */
const lookedAtOnce = 2_000

type Where = { readonly before: string | undefined; readonly signal: AbortSignal }

/** Looks back through the log for what is wanted, so far and no further. */
export async function look(source: Source, wanted: Wanted, { before, signal }: Where): Promise<Looked> {
  const found: Act[] = []
  let looked = 0
  for await (const act of source.acts({ signal, ...(before === undefined ? {} : { before }) })) {
    looked++
    if (isWanted(act, wanted)) found.push(act)
    if (found.length >= foundAtOnce || looked >= lookedAtOnce) return { found, looked, last: act }
  }
  return { found, looked, last: undefined }
}

function isWanted(act: Act, { about, q = '' }: Wanted): boolean {
  if (about !== undefined && !act.action.startsWith(`${about}.`)) return false
  const text = [act.person?.name, act.actor, act.action, act.subject, act.address, act.requestId].join(' ')
  return text.toLowerCase().includes(q.toLowerCase())
}

/** In words; as it is where there are none for it yet. */
export function actionIn({ audit: words }: Words, action: string): string {
  const all: Readonly<Record<string, string>> = words.actions
  return (Object.hasOwn(all, action) ? all[action] : undefined) ?? action
}
