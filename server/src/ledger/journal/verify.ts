import type { RealmScoped } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'
import { originHash } from '../../realms/index.ts'
import { encodingOf, hashDetails, hashOf } from '../rules/chain.ts'
import { claimed, greatest, issuance } from '../rules/command.ts'
import { entryTypes } from '../rules/entryTypes.ts'
import { Column, type Columns } from './columns.ts'
import { checkHolds } from './holdCheck.ts'
import {
  type BalanceRow,
  type EntryRow,
  type Head,
  readBalances,
  readEntries,
  readHead,
  readPoints,
  type StoredHold,
  sealableOf,
} from './journalStore.ts'
import { Wrong } from './wrong.ts'

/** A realm's ledger is correct up to `seq`, or wrong at the first place named. */
export type Verdict =
  | { readonly ok: true; readonly seq: bigint; readonly hash: string }
  | { readonly ok: false; readonly where: string; readonly why: string }

export type Checkpoint = { readonly seq: bigint; readonly hash: string }

/** Progress: in the journal, or in comparing the balances, which is done by account. */
export type Step = { readonly what: 'entries' | 'accounts'; readonly done: number; readonly of: number }

export type VerifyOptions = {
  readonly realm: number
  /** A `seq:hash` saved earlier: it shows whether the whole history before it was rewritten. */
  readonly against?: Checkpoint | undefined
  /** Of a realm that is being loaded: its open holds, which are stored when the realm becomes visible. */
  readonly openHolds?: readonly StoredHold[] | undefined
  readonly onStep?: ((step: Step) => void) | undefined
}

/**
 * Replays a realm's journal and compares every number, hash and balance, while writes go on. Each balance has
 * the seq of its last change, so a balance that changes during the run is compared at that entry, without a
 * long snapshot.
 */
export async function verify(db: RealmScoped, options: VerifyOptions): Promise<Verdict> {
  try {
    return await replay(db.within([options.realm]), options)
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, where: error.where, why: error.message }
    throw error
  }
}

/** A realm whose load has not ended, or was abandoned. It gets its name and open holds last. */
const isHidden = ({ listed_id: listed, realm_id: own }: Head): boolean =>
  listed !== own && /^(loading-[0-9a-f]{24}|wrong-\d+)$/.test(listed)

async function replay(db: Queryable, options: VerifyOptions): Promise<Verdict> {
  const { realm, against, onStep, openHolds } = options
  const head = await readHead(db, realm)
  if (head.listed_id !== head.realm_id && !isHidden(head))
    throw new Wrong('realm', `it is listed as ${head.listed_id}, but its journal is that of ${head.realm_id}`)
  const books = new Books(head, await readPoints(db, realm), against)
  const read = async (after: bigint, upTo: bigint) => {
    for await (const rows of readEntries(db, realm, { after, upTo })) {
      try {
        for (const row of rows) books.add(row)
      } finally {
        onStep?.({ what: 'entries', done: Number(books.seq), of: Number(upTo) })
      }
    }
    if (books.seq < upTo)
      throw new Wrong(`entry ${books.seq + 1n}`, `missing: the head says there are ${upTo} entries`)
  }
  await read(0n, head.seq)
  if (head.last > head.seq) throw new Wrong(`entry ${head.seq + 1n}`, `the head has only ${head.seq} entries`)
  if (books.hash !== head.hash)
    throw new Wrong('head', `hash ${head.hash}, but the last entry has ${books.hash}`)
  if (openHolds || !isHidden(head)) await checkHolds(db, { realm, ...books.holdsAt(openHolds ?? []) })
  let latest = head.seq
  for await (const rows of readBalances(db, realm)) {
    for (const row of rows) {
      if (row.seq <= head.seq) books.compare(row)
      else books.expect(row)
      if (row.seq > latest) latest = row.seq
    }
    onStep?.({ what: 'accounts', done: Math.max(0, rows.at(-1)?.account ?? 0), of: head.next_account - 1 })
  }
  books.compareAbsent(head.seq)
  if (latest > head.seq) {
    const now = await readHead(db, realm)
    if (latest > now.seq)
      throw new Wrong(books.named(latest), `changed at entry ${latest}, but there are only ${now.seq}`)
    books.nextAccount = now.next_account
    // After the head: the point type of an entry is older than the entry.
    books.addPoints(await readPoints(db, realm))
    await read(head.seq, latest)
  }
  books.finish()
  return { ok: true, seq: books.seq, hash: books.hash }
}

/** The ledger as the journal describes it, entry by entry. */
class Books {
  seq = 0n
  hash: string
  #atUs = 0n
  readonly #points = new Map<number, string>()
  readonly #against: Checkpoint | undefined
  readonly #columns = new Map<number, Column>()
  /** Held points, on the accounts below zero. */
  readonly #held = new Map<number, Column>()
  #holdsMade = 0
  readonly #reversed = new Set<bigint>()
  /** Account numbers are below this. */
  nextAccount: number
  /** Balances that changed during the run, by the entry of their last change. */
  readonly #expected = new Map<bigint, BalanceRow[]>()

  constructor(head: Head, points: ReadonlyMap<number, string>, against: Checkpoint | undefined) {
    this.addPoints(points)
    this.hash = originHash(head.realm_id)
    this.nextAccount = head.next_account
    this.#against = against
  }

  /** Adds the point types that the realm has by now. */
  addPoints(points: ReadonlyMap<number, string>): void {
    for (const [point, id] of points) {
      if (this.#points.has(point)) continue
      this.#points.set(point, id)
      this.#columns.set(point, new Column())
      this.#held.set(point, new Column())
    }
  }

  /** What holds are compared with, after the entries so far. */
  holdsAt(openHolds: readonly StoredHold[]) {
    const { seq } = this
    const heldOf = (point: number) => this.#held.get(point)
    return { seq, made: this.#holdsMade, heldOf, points: this.#points, openHolds }
  }

  add(row: EntryRow): void {
    const where = `entry ${this.seq + 1n}`
    const wrong = (why: string) => new Wrong(where, why)
    if (row.seq !== this.seq + 1n) throw wrong(`missing: the next one is ${row.seq}`)
    const point = this.#points.get(row.point)
    if (point === undefined) throw wrong(`point ${row.point} is not the realm's`)
    if (row.encoding !== encodingOf(row.link)) throw wrong(`encoding ${row.encoding} is not this entry's`)
    if (row.hash !== hashOf(this.hash, sealableOf(row, point)))
      throw wrong('its hash is not that of its contents')
    if (row.at_us < this.#atUs) throw wrong('its time is before that of the entry before it')
    if (row.amount <= 0n) throw wrong('its amount is not positive')
    this.#checkDetails(row, wrong)
    this.#checkLink(row, wrong)
    if (
      (row.to_account === claimed) !== (row.kind === entryTypes.claim.number) ||
      row.from_account === claimed
    )
      throw wrong('only a claim moves points to the claimed account, and none come back')
    this.#move(row, row.from_account, { by: -row.amount, to: row.from_balance })
    this.#move(row, row.to_account, { by: row.amount, to: row.to_balance })
    if (row.kind === entryTypes.hold.number) this.#holdsMade += 1
    this.seq = row.seq
    this.hash = row.hash
    this.#atUs = row.at_us
    for (const expected of this.#expected.get(row.seq) ?? []) this.compare(expected)
    this.#expected.delete(row.seq)
    if (this.#against?.seq === row.seq && this.#against.hash !== row.hash) {
      throw wrong(`its hash is ${row.hash}, but ${this.#against.hash} was saved: history was rewritten`)
    }
  }

  /** Erased details leave no row; existing ones must match their hash. */
  #checkDetails(row: EntryRow, wrong: (why: string) => Wrong): void {
    if (!row.details) return
    const { salt, reason, reference, metadata, actor_id: actor } = row.details
    const made = hashDetails(salt, {
      reason: reason ?? undefined,
      reference: reference ?? undefined,
      metadata: metadata ?? undefined,
      actorId: actor === null ? undefined : String(actor),
    })
    if (made !== row.details_hash) throw wrong('its details are not those that were hashed')
  }

  /** An entry must not be reversed twice. */
  #checkLink({ kind, link, seq }: EntryRow, wrong: (why: string) => Wrong): void {
    if (link === null) return
    if (link >= seq) throw wrong(`it is about entry ${link}, which is not before it`)
    if (kind !== entryTypes.reversal.number) return
    if (this.#reversed.has(link)) throw wrong(`entry ${link} was reversed before`)
    this.#reversed.add(link)
  }

  #move(row: EntryRow, account: number, change: { by: bigint; to: bigint | null }): void {
    const where = `entry ${row.seq}`
    if (account === issuance || account === claimed) {
      if (change.to !== null) throw new Wrong(where, `account ${account} has no balance`)
      return
    }
    if (Math.abs(account) >= this.nextAccount) throw new Wrong(where, `account ${account} is not the realm's`)
    const column = this.#column(account, row.point)
    const at = Math.abs(account)
    const after = (column?.get(at)?.balance ?? 0n) + change.by
    if (change.to !== after)
      throw new Wrong(where, `account ${account} has ${after} after it, not ${change.to}`)
    if (after < 0n || after > greatest)
      throw new Wrong(where, `account ${account} leaves its bounds with ${after}`)
    column?.set(at, after, row.seq)
  }

  #column(account: number, point: number): Column | undefined {
    return (account < 0 ? this.#held : this.#columns).get(point)
  }

  /** Compares a stored balance with the journal's, as of the entries replayed so far. */
  compare(row: BalanceRow): void {
    const replayed = this.#column(row.account, row.point)?.get(Math.abs(row.account))
    const where = this.#place(row.account, row.point)
    if (!replayed) throw new Wrong(where, `${row.balance} is stored, but no entry moved it`)
    if (replayed.balance !== row.balance)
      throw new Wrong(where, `${row.balance} is stored, ${replayed.balance} is right`)
    if (replayed.seq !== row.seq)
      throw new Wrong(where, `last changed by entry ${replayed.seq}, not ${row.seq}`)
    this.#see(row)
  }

  expect(row: BalanceRow): void {
    this.#see(row)
    const rows = this.#expected.get(row.seq)
    if (rows) rows.push(row)
    else this.#expected.set(row.seq, [row])
  }

  /** Balances that the journal has and the table lacks. */
  compareAbsent(upTo: bigint): void {
    const compare = (columns: Columns, sign: 1 | -1) => {
      for (const [point, column] of columns) {
        column.seqs.forEach((seq, at) => {
          if (seq === 0n || seq > upTo || column.seen[at] !== 0) return
          const why = `${column.balances[at]} is right, nothing is stored`
          throw new Wrong(this.#place(sign * at, point), why)
        })
      }
    }
    compare(this.#columns, 1)
    compare(this.#held, -1)
  }

  #see({ point, account }: BalanceRow): void {
    const column = this.#column(account, point)
    const at = Math.abs(account)
    if (column?.get(at)) column.seen[at] = 1
  }

  finish(): void {
    for (const rows of this.#expected.values()) {
      for (const row of rows)
        throw new Wrong(this.#place(row.account, row.point), `no entry ${row.seq} changed it`)
    }
    if (this.#against && this.#against.seq > this.seq) {
      throw new Wrong(`entry ${this.seq + 1n}`, `missing: entry ${this.#against.seq} was saved`)
    }
  }

  /** The balance whose row names this entry as its last change. */
  named(seq: bigint): string {
    const row = this.#expected.get(seq)?.[0]
    return this.#place(row?.account, row?.point)
  }

  #place(account: number | undefined, point: number | undefined): string {
    return `balance of account ${account} in ${this.#points.get(point ?? 0) ?? `point ${point}`}`
  }
}
