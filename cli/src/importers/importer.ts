/** A place of a service's leaderboard as its answer has it: nothing is checked yet. */
export type RawRow = {
  readonly id: unknown
  readonly points: unknown
  readonly username?: unknown
  readonly displayName?: unknown
}

export type Page = {
  readonly rows: readonly RawRow[]
  /** How many members the service says that it has, if it does. */
  readonly total?: unknown
}

/**
 * Returns the answer to a GET, its numbers with every digit (exact.ts). Waits and tries again when the
 * service limits rates or fails. Undefined for a status that means the end of the list.
 */
export type Get = (path: string, statusesOfTheEnd?: readonly number[]) => Promise<unknown>

/** Where members and points come from: one file for each service. */
export type Importer = {
  readonly title: string
  /** What the argument of the command is. */
  readonly place: { readonly what: string; readonly form: RegExp }
  /** The public address; none for a file. */
  readonly url?: string
  /** What the service needs to know who asks. */
  readonly token?: {
    readonly isOptional?: true
    readonly from: string
    readonly headers: (token: string) => Readonly<Record<string, string>>
  }
  /** What a refusal means for this service, by status. */
  readonly refusals?: Readonly<Record<number, string>>
  /** The unit of its Retry-After; seconds, as HTTP has it, by default. */
  readonly retryAfterMs?: 1
  /** The provider of the identities that its members get; without it their ids are numbers. */
  readonly provider?: string
  /** The pages of the leaderboard. The last one may be empty. */
  readonly pages: (place: string, get: Get) => AsyncGenerator<Page>
}

/** A Discord server or user. */
export const discordServer = {
  what: 'the id of the Discord server, in digits (right-click the server, Copy Server ID)',
  form: /^[1-9]\d{4,19}$/,
}

/** The list in a field of an answer; null is an empty one. */
export function listIn(answer: unknown, field: string): readonly Record<string, unknown>[] {
  const list = fieldOf(answer, field)
  if (list === null) return []
  if (!Array.isArray(list)) throw new UnexpectedAnswer(`it has no list “${field}”`)
  return list.map((one: unknown) =>
    typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {},
  )
}

export const fieldOf = (answer: unknown, field: string): unknown =>
  typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[field] : undefined

/** An answer of another form than the public documentation describes. */
export class UnexpectedAnswer extends Error {}
