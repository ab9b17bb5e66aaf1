import { en, type Words } from './words/en.ts'

/** Search parameters of the pages. Invalid ones are dropped. */
type Raw = Readonly<Record<string, unknown>>

/** Always strings: a large ID read as a number changes. Quotes from older URLs are removed. */
export const readSearch = (said: string): Record<string, string> =>
  Object.fromEntries(
    [...new URLSearchParams(said)].map(([name, value]) => [
      name,
      value.replace(/^"(\d+|true|false|null)"$/, '$1'),
    ]),
  )

export function writeSearch(search: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(search).filter(([, value]) => value !== undefined)
  const written = new URLSearchParams(said.map(([name, value]) => [name, String(value)]))
  return said.length === 0 ? '' : `?${written}`
}

export const longest = 200

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value.slice(0, longest) : undefined
}

const oneOf = <T extends string>(value: unknown, all: readonly T[]): T | undefined =>
  all.find((one) => one === text(value))

/** Drops undefined parameters to keep URLs short. */
const given = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never

export const spans = ['24h', '7d', '30d', '90d'] as const
export type Span = (typeof spans)[number]

/** `all`: show the list even with a single realm. */
export const realms = (raw: Raw) =>
  given({ all: String(raw['all']) === 'true' ? true : undefined, q: text(raw['q']) })
export const overview = (raw: Raw) => given({ span: oneOf(raw['span'], spans), point: text(raw['point']) })
/** `act`: the dialog that is open. */
export const members = (raw: Raw) => given({ q: text(raw['q']), act: oneOf(raw['act'], ['add'] as const) })
export const people = (raw: Raw) => given({ act: oneOf(raw['act'], ['invite'] as const) })
export const memberActs = ['award', 'take', 'transfer', 'hold', 'freeze', 'unfreeze', 'edit'] as const
export const member = (raw: Raw) => given({ point: text(raw['point']), act: oneOf(raw['act'], memberActs) })
export const periods = ['all', 'week', 'month', 'range'] as const
const day = (value: unknown): string | undefined => {
  const found = text(value)
  if (found === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(found)) return undefined
  return Number.isNaN(Date.parse(`${found}T00:00:00Z`)) ? undefined : found
}
export const reserves = ['holds', 'awards'] as const
export const reserved = (raw: Raw) => given({ of: oneOf(raw['of'], reserves) })
export const lapsing = (raw: Raw) => given({ before: day(raw['before']) })
/** `from` of a week or month: a day in it, when it is not the current one. */
export const leaderboard = (raw: Raw) =>
  given({
    period: oneOf(raw['period'], periods),
    point: text(raw['point']),
    from: day(raw['from']),
    to: day(raw['to']),
  })
export type EntryType = keyof Words['journal']['kinds']
export const entryTypes = Object.keys(en.journal.kinds) as readonly EntryType[]
const digits = (value: unknown): string | undefined => {
  const found = text(value)
  return found !== undefined && /^\d{1,19}$/.test(found) ? found : undefined
}
const number = (value: unknown): number | undefined => {
  const found = digits(value)
  return found === undefined ? undefined : Number(found)
}
/** `q`: part of a reason; `key`: the author's number; `entry`: the open entry; `act`: its open dialog. */
export const journal = (raw: Raw) =>
  given({
    type: oneOf(raw['type'], entryTypes),
    member: digits(raw['member']),
    key: digits(raw['key']),
    q: text(raw['q']),
    from: day(raw['from']),
    to: day(raw['to']),
    entry: number(raw['entry']),
    act: oneOf(raw['act'], ['undo', 'verify'] as const),
  })

/** Audit log filters: a subject and a search text. */
export const audit = (raw: Raw) => given({ about: text(raw['about']), q: text(raw['q']) })

/** `only`: failed deliveries. */
export const webhook = (raw: Raw) => given({ only: oneOf(raw['only'], ['failed'] as const) })
