import type { RealmScoped } from '../../db/rowSecurity.ts'
import { RefusalError } from '../../errors.ts'
import { type Member, type Members, memberNotFound } from '../../members/index.ts'
import { ownerOf, pendingOf } from '../rules/accounts.ts'
import { type EntryType, entryTypeOf, rulesOf } from '../rules/entryTypes.ts'
import { noEntry, noPoint } from '../rules/refusals.ts'
import { type Feed, type FeedQuery, readFeed } from './feed.ts'
import {
  type BalanceAt,
  type Question,
  type RecordedRow,
  readBalancesAt,
  readEntry,
  readPage,
  readQuestion,
} from './historyStore.ts'
import { PageSize } from './pageSize.ts'

/** Entries scanned for a page of one point type, in each of five indexes: a few milliseconds. */
const scanCap = 2_000

const latest = 9_223_372_036_854_775_807n

/** An entry as the realm sees it. */
export type EntryRecord = {
  readonly seq: bigint
  readonly atUs: bigint
  readonly kind: EntryType
  /** 0 for the operator. */
  readonly key: number
  /** Null for the operator, for a person’s session, and for a key that this server did not issue. */
  readonly keyName: string | null
  /** The person who was signed in; null where it was not a person. */
  readonly person: { readonly id: string; readonly name: string | null } | null
  readonly point: string
  readonly amount: bigint
  readonly from: number
  readonly to: number
  readonly fromBalance: bigint | null
  readonly toBalance: bigint | null
  /** Null for the realm, and for a member that was removed. */
  readonly fromId: string | null
  readonly toId: string | null
  readonly reason: string | null
  readonly reference: string | null
  /** A JSON object as text. */
  readonly metadata: string | null
  readonly actorId: string | null
  readonly reverses: bigint | null
  readonly reversedBy: bigint | null
  readonly hold: bigint | null
  readonly award: bigint | null
  readonly batch: bigint | null
  readonly hash: string
}

/** What an entry did to one member. Balances are null where they did not change. */
export type MemberView = {
  readonly entry: EntryRecord
  readonly tokens: bigint
  readonly newBalance: bigint | null
  readonly heldTokens: bigint
  readonly held: bigint | null
  readonly pendingTokens: bigint
  readonly pending: bigint | null
  readonly counterparty: string | null
  /** The old id, where the entry is that of an account which was merged into the member. */
  readonly mergedFrom: string | null
}

export type HistoryQuery = Question & {
  readonly limit: number
  readonly before: bigint | undefined
  readonly direction: 'in' | 'out' | undefined
}

/** Finds the people behind numbers of a realm's keys. */
export type PeopleByNumbers = (
  realm: number,
  numbers: readonly number[],
) => Promise<ReadonlyMap<number, { readonly id: string; readonly name: string | null }>>

/** A realm's history, read from its journal. */
export class History {
  readonly #db: RealmScoped
  readonly #members: Members
  readonly #people: PeopleByNumbers | undefined

  /** With `people` where they are stored in another database. */
  constructor(db: RealmScoped, members: Members, people?: PeopleByNumbers) {
    this.#db = db
    this.#members = members
    this.#people = people
  }

  /** With the people who made them. Entries are shown without them while their database is away. */
  async #named(realm: number, rows: RecordedRow[]): Promise<RecordedRow[]> {
    const unknown = rows.filter((row) => row.person === null && row.key_name === null)
    if (!this.#people || unknown.length === 0) return rows
    const numbers = [...new Set(unknown.map(({ key }) => key))]
    const people = await this.#people(realm, numbers).catch(() => new Map<number, never>())
    return rows.map((row) => {
      const person = row.person === null ? people.get(row.key) : undefined
      return person ? { ...row, person: Number(person.id), person_name: person.name } : row
    })
  }

  /** A member's entries, newest first. `next` is where the next page begins, null at the end. */
  async page(realm: number, asked: HistoryQuery): Promise<{ entries: MemberView[]; next: bigint | null }> {
    const own = this.#db.within([realm])
    const { point, limit, direction } = asked
    const meant = await readQuestion(own, realm, asked)
    const { account, is_old: isOld } = meant
    if (point !== undefined && meant.point === null) throw new RefusalError(noPoint(point))
    if (account === null) {
      if (meant.unknown_members === 'refuse' || isOld) throw memberNotFound(asked.member)
      return { entries: [], next: null }
    }
    const merged = new Map(meant.merged.map(mergedOf))
    const accounts = [account, ...merged.keys()]
    const shown = (row: RecordedRow) => seenByMember(account, merged, recordedOf(row))
    const size = new PageSize(limit)
    const rows: RecordedRow[] = []
    let before = least(asked.before ?? latest, meant.before ?? latest)
    for (let count = size.next; count > 0; count = size.next) {
      const page = await readPage(own, realm, {
        accounts,
        after: meant.after,
        before,
        // One more than is returned, to know whether there are more.
        scan: point === undefined ? count + 1 : Math.max(count + 1, scanCap),
        into: direction !== 'out',
        out: direction !== 'in',
        point: meant.point,
        limit: count + 1,
      })
      const taken = size.take(page.rows.slice(0, count), (row) => row)
      rows.push(...taken)
      if (taken.length === page.rows.length)
        return {
          entries: (await this.#named(realm, rows)).map(shown),
          next: page.frontier > 0n ? page.frontier : null,
        }
      before = rows.at(-1)?.seq ?? before
    }
    return { entries: (await this.#named(realm, rows)).map(shown), next: before }
  }

  async entry(realm: number, seq: bigint): Promise<EntryRecord> {
    const row = await readEntry(this.#db.within([realm]), realm, seq)
    const [named] = row ? await this.#named(realm, [row]) : []
    if (!named) throw new RefusalError(noEntry(seq))
    return recordedOf(named)
  }

  /** A member with its balances at a point in time; its names and dates are today's. */
  async memberAt(realm: number, id: string, atUs: bigint): Promise<Member> {
    const member = await this.#members.get(realm, id)
    const then = await readBalancesAt(this.#db.within([realm]), realm, { member: id, atUs })
    const amountsOf = (what: keyof BalanceAt) =>
      member.balances.map(([point]) => [point, then.get(point)?.[what] ?? 0n] as const)
    return {
      ...member,
      balances: amountsOf('balance'),
      held: amountsOf('held').filter(([, held]) => held > 0n),
      pending: amountsOf('pending').filter(([, pending]) => pending > 0n),
    }
  }

  /** The journal after an entry. */
  feed(realm: number, asked: FeedQuery): Promise<Feed> {
    return readFeed(this.#db.within([realm]), realm, asked)
  }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The meaning of an entry's link depends on its type. */
function linksOf(kind: EntryType, { seq, link, follower }: RecordedRow) {
  const { endsHold, endsAward, isBatched } = rulesOf(kind)
  return {
    reverses: kind === 'reversal' ? link : null,
    hold: kind === 'hold' ? seq : endsHold ? link : null,
    award: kind === 'award' ? seq : endsAward ? link : null,
    batch: isBatched ? (link ?? (follower === null ? null : seq)) : null,
  }
}

function recordedOf(row: RecordedRow): EntryRecord {
  const { seq, key, point, amount, reason, reference, metadata, hash } = row
  const kind = entryTypeOf(row.kind)
  return {
    seq,
    atUs: row.at_us,
    kind,
    key,
    keyName: row.key_name,
    person: row.person === null ? null : { id: String(row.person), name: row.person_name },
    point,
    amount,
    from: row.from_account,
    to: row.to_account,
    fromBalance: row.from_balance,
    toBalance: row.to_balance,
    fromId: row.from_id,
    toId: row.to_id,
    reason,
    reference,
    metadata,
    actorId: row.actor_id,
    ...linksOf(kind, row),
    reversedBy: row.reversed_by,
    hash,
  }
}

const mergedOf = (text: string): readonly [account: number, id: string] => {
  const [account, id = ''] = text.split(':')
  return [Number(account), id]
}

/**
 * What an entry did to the member itself, or else to an account that was merged into it, with that account's
 * own balance after it.
 */
function seenByMember(account: number, merged: ReadonlyMap<number, string>, entry: EntryRecord): MemberView {
  const sides = [ownerOf(entry.from), ownerOf(entry.to)]
  const old = sides.includes(account) ? undefined : sides.find((side) => merged.has(side))
  if (old === undefined) return seenBy(account, entry)
  return { ...seenBy(old, entry), mergedFrom: merged.get(old) ?? null }
}

/** Held and pending points are on accounts below zero. */
function seenBy(account: number, entry: EntryRecord): MemberView {
  const { from, to, amount, fromBalance, toBalance } = entry
  const side = (of: number) => {
    if (from === of) return { moved: -amount, after: fromBalance }
    return to === of ? { moved: amount, after: toBalance } : { moved: 0n, after: null }
  }
  const spendable = side(account)
  const held = side(-account)
  const pending = side(pendingOf(account))
  const gave = ownerOf(from) === account
  const own = gave && ownerOf(to) === account
  return {
    entry,
    tokens: spendable.moved,
    newBalance: spendable.after,
    heldTokens: held.moved,
    held: held.after,
    pendingTokens: pending.moved,
    pending: pending.after,
    counterparty: own ? null : gave ? entry.toId : entry.fromId,
    mergedFrom: null,
  }
}
