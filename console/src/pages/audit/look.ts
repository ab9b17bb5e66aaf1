import type { Act, AuditPage, List, ListOptions } from '@exchequer/sdk'
import type { QueryKey } from '@tanstack/react-query'
import type { Words } from '../../words/en.ts'

/** A log and its cache key. */
export type Source = {
  readonly key: QueryKey
  readonly acts: (options: ListOptions) => List<AuditPage>
}

export type AuditFilter = { readonly about?: string; readonly q?: string }

export type AuditLookup = {
  readonly found: readonly Act[]
  readonly looked: number
  /** Where to continue and the last event searched; undefined at the end of the log. */
  readonly next: { readonly cursor: string; readonly last: Act | undefined } | undefined
}

const foundAtOnce = 50
/** How many events one request for rare matches searches. */
const lookedAtOnce = 2_000
const lookedInPage = 200

type Where = { readonly cursor: string | undefined; readonly signal: AbortSignal }

/** Searches the log backwards for matches, up to a limit. */
export async function look(
  source: Source,
  wanted: AuditFilter,
  { cursor, signal }: Where,
): Promise<AuditLookup> {
  const found: Act[] = []
  let looked = 0
  const isNarrow = wanted.about !== undefined || wanted.q !== undefined
  const list = source.acts({ signal, limit: isNarrow ? lookedInPage : foundAtOnce })
  for (let from = cursor; ; ) {
    const { data, nextCursor } = await list.page(from === undefined ? {} : { cursor: from })
    looked += data.length
    found.push(...data.filter((act) => isWanted(act, wanted)))
    if (nextCursor === null) return { found, looked, next: undefined }
    if (found.length >= foundAtOnce || looked >= lookedAtOnce)
      return { found, looked, next: { cursor: nextCursor, last: data.at(-1) } }
    from = nextCursor
  }
}

function isWanted(act: Act, { about, q = '' }: AuditFilter): boolean {
  if (about !== undefined && !act.action.startsWith(`${about}.`)) return false
  const text = [act.person?.name, act.actor, act.action, act.subject, act.address, act.requestId].join(' ')
  return text.toLowerCase().includes(q.toLowerCase())
}

/** The action's label, or the raw action where the dictionary has none. */
export function actionIn({ audit: words }: Words, action: string): string {
  const all: Readonly<Record<string, string>> = words.actions
  return (Object.hasOwn(all, action) ? all[action] : undefined) ?? action
}
