import { invalid, type RefusalError } from '../../errors.ts'
import type { EntryType } from '../../ledger/index.ts'
import { areColours, isLogo, isTimeZone } from '../../realms/index.ts'

/** The lines of an exported realm: docs/import-export.md. Whole numbers beyond 2^53 are strings. */
export type RealmHeader = {
  readonly format: string
  readonly version: number
  readonly realmId: string
  readonly seq: string
  readonly hash: string
  readonly nextAccount: number
  readonly nextKey: number
  readonly settings: {
    readonly createdAt: string
    readonly name: string
    readonly unknownMembers: string
    readonly logo: string | null
    readonly colours: string | null
    readonly timeZone: string
    /** 32 bytes in hex, of hashes in place of e-mail addresses. Files of earlier releases have none. */
    readonly identityKey?: string | null
    readonly rate: number | null
    readonly burst: number | null
  }
  readonly points: readonly LoadedPoint[]
  readonly defaultPointId: string
}
export type LoadedPoint = {
  readonly number: number
  readonly id: string
  readonly name: string
  readonly emoji: string | null
  readonly maxBalance: string | null
  readonly maxPerTransfer: string | null
  readonly maxPerDay: string | null
  readonly transferable: boolean
  readonly createdAt: string
  readonly archivedAt: string | null
  /** The steps of its lapse rule. */
  readonly lapse?: readonly LoadedStep[]
}
export type LoadedStep = {
  readonly number: number
  readonly fromSeq: string
  readonly baseDay: number
  readonly notBefore: number | null
  readonly timeZone: string
  /** As JSON. */
  readonly rule: string | null
}
export type LoadedMember = {
  readonly account: number
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  readonly metadata: string | null
  readonly note: string | null
  readonly hidden: boolean
  readonly frozenAt: string | null
  readonly unfrozenAt?: string
  readonly joinedAt: string
  readonly updatedAt: string
}
export type LoadedWallet = {
  readonly account: number
  readonly match: string
  readonly address: string
  readonly chain: string
  readonly linkedAt: string
  readonly verifiedAt: string | null
  /** The merge that it came by. */
  readonly mergedBy?: number
}
export type LoadedIdentity = {
  readonly account: number
  readonly provider: string
  readonly subject: string
  readonly name: string | null
  readonly pictureUrl: string | null
  readonly linkedAt: string
  /** For an old id: the account that had it. */
  readonly mergedAccount?: number
}
export type LoadedMerge = {
  readonly number: number
  readonly fromAccount: number
  readonly toAccount: number
  readonly afterSeq: string
  readonly entries: number
  readonly at: string
  readonly keyId: string
  readonly undoes: number | null
  readonly moved: object
}
export type LoadedEntry = {
  readonly seq: string
  readonly atUs: string
  readonly type: EntryType
  readonly keyId: string
  readonly realmPointId: string
  readonly fromAccount: number
  readonly toAccount: number
  readonly tokens: string
  readonly fromBalance: string | null
  readonly toBalance: string | null
  readonly encoding: number
  readonly hash: string
  readonly request: string | null
  readonly fingerprint: string | null
  readonly detailsHash: string | null
  readonly link: string | null
  readonly lots?: string
  readonly details?: LoadedDetails
}
type LoadedDetails = {
  readonly salt: string
  readonly reason: string | null
  readonly reference: string | null
  readonly metadata: string | null
  readonly actorId: string | null
}
/** The details of a batch whose first entry was erased, by that entry. */
export type LoadedBatch = LoadedDetails & { readonly seq: string }
/** An entry that is returned without details. */
export type LoadedErasure = { readonly seq: string }
export type LoadedHold = {
  readonly seq: string
  readonly account: number
  readonly realmPointId: string
  readonly tokens: string
  readonly expiresUs: string
  readonly endedBy: string | null
}
export type LoadedAward = Omit<LoadedHold, 'expiresUs'> & { readonly grantUs: string | null }

export type LoadedSnapshot = {
  readonly id: string
  readonly realmPointId: string
  readonly chain: string
  readonly seq: string
  readonly hash: string
  readonly firstSeq: string | null
  readonly takenAt: string
  readonly members: number
  readonly tokens: string
  readonly unproved: number
  readonly unprovedTokens: string
  readonly frozen: number
  readonly frozenTokens: string
}
/** A member that had points in a snapshot. */
export type LoadedClaimant = {
  readonly snapshot: string
  readonly account: number
  readonly tokens: string
  readonly frozen: boolean
  readonly address: string | null
  readonly leaf: string | null
}

/** Kinds of lines that the file does not have are not counted. */
export type Counts = {
  members: number
  wallets: number
  entries: number
  holds: number
  identities?: number
  awards?: number
  batches?: number
  erasures?: number
  snapshots?: number
  claimants?: number
  merges?: number
}

export type RealmLine =
  | { readonly member: LoadedMember }
  | { readonly wallet: LoadedWallet }
  | { readonly identity: LoadedIdentity }
  | { readonly entry: LoadedEntry }
  | { readonly batch: LoadedBatch }
  | { readonly erasure: LoadedErasure }
  | { readonly hold: LoadedHold }
  | { readonly award: LoadedAward }
  | { readonly snapshot: LoadedSnapshot }
  | { readonly claimant: LoadedClaimant }
  | { readonly merge: LoadedMerge }
  | { readonly end: true; readonly counts: Counts }

export const wrongFile = (detail: string): RefusalError => invalid('', detail)

/** Point types by their public ids, as the file names them. */
export const pointsOf = ({ points }: RealmHeader): ReadonlyMap<string, number> =>
  new Map(points.map(({ id, number }) => [id, number]))

/** Maximum length of a line: a file that is not an export must not be buffered whole. */
const lineCap = 1024 * 1024

/** The lines of a text that arrives in pieces. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > lineCap) throw wrongFile(`A line is longer than ${lineCap} characters.`)
    yield* lines
  }
  if (rest !== '') yield rest
}

export function parseHeader(line: string): RealmHeader {
  const header = parsed<RealmHeader>(line, 1)
  if (header.format !== 'exchequer-realm')
    throw wrongFile('This is not an exported realm: its first line is not a header.')
  if (header.version !== 1)
    throw wrongFile(`Version ${header.version} of the export format is not supported, only 1 is.`)
  checkSettings(header.settings)
  if (!header.points.every(({ lapse = [] }) => lapse.every(isStep) && areOfOneType(lapse)))
    throw wrongFile('The first line has an invalid lapse rule.')
  return header
}

/** Decisions read its rules. */
function isStep({ number, baseDay, notBefore, timeZone, rule, fromSeq }: LoadedStep): boolean {
  const isDay = (day: unknown) => Number.isInteger(day)
  const isRule = rule === null || /^\{"(after|on|idle)":/.test(rule)
  const isPlaced = isDay(number) && isDay(baseDay) && /^[0-9]{1,19}$/.test(fromSeq)
  if (rule !== null) parsed(rule, 1)
  return isRule && isPlaced && (notBefore === null || isDay(notBefore)) && isTimeZone(timeZone)
}

/** A point type has either rules with `idle` or the others. */
const areOfOneType = (steps: readonly LoadedStep[]): boolean =>
  new Set(steps.flatMap(({ rule }) => (rule === null ? [] : [rule.startsWith('{"idle"')]))).size <= 1

/** A file may come from anywhere, and these settings are shown on public pages; the name is shown as text. */
function checkSettings({ name, logo, colours, timeZone, identityKey }: RealmHeader['settings']): void {
  const key: unknown = identityKey ?? null
  const wrong = [
    typeof name === 'string' ? '' : 'name',
    logo === null || (typeof logo === 'string' && isLogo(logo)) ? '' : 'logo',
    colours === null || areColours(parsed(colours, 1)) ? '' : 'colours',
    typeof timeZone === 'string' && isTimeZone(timeZone) ? '' : 'timeZone',
    key === null || (typeof key === 'string' && /^[0-9a-f]{64}$/.test(key)) ? '' : 'identityKey',
  ].filter(Boolean)
  if (wrong.length > 0) throw wrongFile(`The first line has invalid settings: ${wrong.join(', ')}.`)
}

export const parseLine = (line: string, number: number): RealmLine => parsed<RealmLine>(line, number)

function parsed<T extends object>(line: string, number: number): T {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as T
  } catch {
    // Reported below, like any line that is not valid.
  }
  throw wrongFile(`Line ${number} does not belong to an exported realm.`)
}
