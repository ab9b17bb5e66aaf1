import { type Entry, query, readBooks } from '../../chaos/books.ts'
import type { Draft } from './draft.ts'
import type { Answer } from './wire.ts'
import { memberIds, openingPoints, realms } from './world.ts'

/** A change that a response reported. */
type ReportedChange = {
  readonly number: number
  readonly from: string | undefined
  readonly to: string | undefined
  readonly amount: bigint
  readonly balance: bigint
}

/** A JSON number or a string of digits as an exact integer; undefined for anything else. */
function integerOf(source: unknown): bigint | undefined {
  const [, sign, units = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(String(source)) ?? []
  if (sign === undefined) return undefined
  const digits = units + fraction
  const shift = Number(exponent) - fraction.length
  if (shift < 0 && !/^0*$/.test(digits.slice(shift))) return undefined
  const whole = shift < 0 ? digits.slice(0, shift) : digits + '0'.repeat(shift)
  return BigInt(`${sign}${whole || '0'}`)
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/** Parses every number from its source text, so that none is rounded. */
function fieldsOf(body: string): Record<string, unknown> | undefined {
  const exact: Reviver = (_key, value, { source }) => (typeof value === 'number' ? source : value)
  try {
    const text = Buffer.from(body, 'latin1').toString('utf8')
    return JSON.parse(text, exact as (key: string, value: unknown) => unknown) as Record<string, unknown>
  } catch {
    return undefined
  }
}

type Named = {
  readonly transactionId?: string | null
  readonly released?: number
  readonly awarded?: number
  readonly firstSeq?: string | null
  readonly seq?: string
}

const following = (first: string | null | undefined, count: number): string[] =>
  first ? Array.from({ length: count }, (_, place) => String(Number(first) + place)) : []

/** The seqs of all entries in a response, at any depth. */
function namedIn(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, name))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([field, held]) => namedIn(held, field))
  return (name === 'transactionId' || name === 'reversal') && typeof value === 'string' ? [value] : []
}

const isDry = (query: string): boolean => new URLSearchParams(query).get('dryRun') === 'true'

/**
 * Entries that no response reports: expired holds, granted awards that were due, and opening balances, which
 * are compared by their sum.
 */
const unreportedKinds = new Set([7, 8, 13])

/** What the realms' journals must contain: each acknowledged change exactly once, and no other. */
export class Books {
  readonly #reported = new Map<string, ReportedChange>()
  /** Entries of batches, lists, reversals and holds: named by a response, and not checked further. */
  readonly #named: Set<string>
  readonly wrong: string[] = []
  acknowledged = 0

  /** `entries` were written before the first request: `realm seq` of each. */
  constructor(entries: readonly string[]) {
    this.#named = new Set(entries)
  }

  /** Records the changes that a response reports. Returns what is wrong with it. */
  hear(number: number, draft: Draft, { status, headers, text }: Answer): string[] {
    if ((status !== 200 && status !== 201) || headers['idempotent-replayed'] || isDry(draft.query)) return []
    if (draft.method.trim() === 'POST' || draft.path.endsWith('/members/tokenBalance'))
      this.#name(draft, text)
    if (draft.method.trim() !== 'PATCH') return []
    const [, realmId = '', member = '', verb = ''] =
      /^\/api\/v4\/realms\/([^/]+)\/members\/([^/]+)\/([^/]+)$/.exec(draft.path) ?? []
    if (verb !== 'tokenBalance' && verb !== 'transfer') return []
    const fields = fieldsOf(draft.body ?? '')
    const amount = integerOf(fields?.['tokens'])
    const other = integerOf(fields?.['recipientId'])
    const { transactionId, newBalance } = JSON.parse(text) as { transactionId: string; newBalance: number }
    if (amount === undefined || (verb === 'transfer' && other === undefined))
      return ['books: a change was acknowledged that the body does not request']
    const me = decodeURIComponent(member)
    const given = { number, amount: amount < 0n ? -amount : amount, balance: BigInt(newBalance) }
    const from = verb === 'transfer' || amount < 0n ? me : undefined
    const to = verb === 'transfer' ? String(other) : amount < 0n ? undefined : me
    const key = `${decodeURIComponent(realmId)} ${transactionId}`
    const before = this.#reported.get(key)
    this.#reported.set(key, { ...given, from, to })
    this.acknowledged += 1
    return before ? [`books: entry ${key} was already reported by request ${before.number}`] : []
  }

  #name({ path }: Draft, text: string): void {
    const [, realmId = ''] = /^\/api\/v4\/realms\/([^/]+)\//.exec(path) ?? []
    if (realmId === '') return
    const answer = JSON.parse(text) as Named
    const seqs = namedIn(answer)
    // The rest of a captured hold is released by the next entry.
    if (path.endsWith('/capture') && answer.released) seqs.push(String(Number(answer.transactionId) + 1))
    // An award names the first of its entries, a claim the first and the last.
    if (path.endsWith('/web3/awards')) seqs.push(...following(answer.transactionId, answer.awarded ?? 0))
    if (path.endsWith('/snapshots') && answer.firstSeq)
      seqs.push(...following(answer.firstSeq, Number(answer.seq) - Number(answer.firstSeq) + 1))
    for (const seq of seqs) this.#named.add(`${decodeURIComponent(realmId)} ${seq}`)
    this.acknowledged += 1
  }

  /** Compares with the journals, read directly from PostgreSQL; number is -1 when no request can be named. */
  async compare(url: string): Promise<{ number: number; words: string }[]> {
    const { entries } = await readBooks(url)
    const opened = memberIds.length + 1
    const wrong: { number: number; words: string }[] = []
    const seen = new Set<string>()
    for (const entry of entries) {
      const key = `${entry.realm} ${entry.seq}`
      seen.add(key)
      const reported = this.#reported.get(key)
      const isOpening = entry.seq <= opened && Object.values(realms).some(({ id }) => id === entry.realm)
      const isNamed = this.#named.has(key) || unreportedKinds.has(entry.kind)
      if (!reported && isNamed) this.#reported.set(key, believed(entry))
      if (!reported && !isOpening && !isNamed)
        wrong.push({ number: -1, words: `books: no response reported entry ${key}` })
      if (reported && !same(reported, entry))
        wrong.push({
          number: reported.number,
          words: `books: entry ${key} differs from the response: ${words(entry)}`,
        })
    }
    for (const [key, { number }] of this.#reported) {
      if (!seen.has(key)) wrong.push({ number, words: `books: entry ${key} was reported and is missing` })
    }
    return [...wrong, ...(await this.#sums(url))]
  }

  /** Compares the stored balances with the sum of the reported changes. */
  async #sums(url: string): Promise<{ number: number; words: string }[]> {
    const due = new Map<string, bigint>()
    const add = (realm: string, member: string | undefined, amount: bigint) => {
      if (member !== undefined) due.set(`${realm} ${member}`, (due.get(`${realm} ${member}`) ?? 0n) + amount)
    }
    for (const { id, vault } of Object.values(realms)) {
      for (const member of memberIds) add(id, member, BigInt(openingPoints))
      add(id, vault.id, BigInt(vault.points))
    }
    for (const [key, { from, to, amount }] of this.#reported) {
      const [realm = ''] = key.split(' ')
      add(realm, from, -amount)
      add(realm, to, amount)
    }
    const rows = await query<{ at: string; sum: string }>(url, sumsText)
    const held = new Map(rows.map(({ at, sum }) => [at, BigInt(sum)]))
    return [...new Set([...due.keys(), ...held.keys()])]
      .filter((at) => (due.get(at) ?? 0n) !== (held.get(at) ?? 0n))
      .map((at) => ({ number: -1, words: `books: ${at} holds ${held.get(at)}, not ${due.get(at)}` }))
  }
}

const sumsText = `select r.id || ' ' || m.id as at, sum(b.balance) as sum from exchequer.balances b
  join exchequer.realms r on r.realm = b.realm
  join exchequer.members m on m.realm = b.realm and m.account = b.account group by r.id, m.id`

/** An entry from the journal, for a response that reported only its seq. */
const believed = ({ from, to, amount, fromBalance, toBalance }: Entry): ReportedChange => ({
  number: -1,
  from,
  to,
  amount,
  balance: fromBalance ?? toBalance ?? 0n,
})

const words = ({ from, to, amount }: Entry): string =>
  `${amount} from ${from ?? 'issuance'} to ${to ?? 'issuance'}`

function same(reported: ReportedChange, entry: Entry): boolean {
  const balance = reported.from === undefined ? entry.toBalance : entry.fromBalance
  return (
    reported.from === entry.from &&
    reported.to === entry.to &&
    reported.amount === entry.amount &&
    reported.balance === balance
  )
}
