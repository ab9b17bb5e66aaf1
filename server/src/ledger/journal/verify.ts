import type { RealmScoped } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'
import { originHash } from '../../realms/index.ts'
import { accountOn, ownerOf } from '../rules/accounts.ts'
import { awards, checkAside, holds } from './asideCheck.ts'
import { Column } from './columns.ts'
import { mergesFor } from './idleReplay.ts'
import {
  type BalanceRow,
  type EntryRow,
  type Head,
  readBalances,
  readEntries,
  readHead,
  readLapse,
  readPoints,
  type StoredAside,
} from './journalStore.ts'
import { checkMerges } from './mergeCheck.ts'
import { Replay, type ReplayOptions, sides } from './replay.ts'
import { Wrong } from './wrong.ts'

/** A realm's ledger is correct up to `seq`, or wrong at the first place named. */
export type Verdict =
  | {
      readonly ok: true
      readonly seq: bigint
      readonly hash: string
      /** Where the next run can start; absent for a realm that is being loaded. */
      readonly reached?: Reached
    }
  | { readonly ok: false; readonly where: string; readonly why: string }

/** The head as the run found it. Between two transactions, so no hold is half ended there. */
export type Reached = { readonly seq: bigint; readonly hash: string; readonly nextAccount: number }

export type Checkpoint = {
  readonly seq: bigint
  readonly hash: string
  /** Of one that an earlier run stored: when. */
  readonly verifiedAt?: Date | undefined
}

/** Open holds, and pending awards. */
export type OpenAside = {
  readonly holds: readonly StoredAside[]
  readonly awards: readonly StoredAside[]
}

/** Progress: in the journal, or in comparing the balances, which is done by account. */
export type Step = { readonly what: 'entries' | 'accounts'; readonly done: number; readonly of: number }

export type VerifyOptions = {
  readonly realm: number
  /** A `seq:hash` saved earlier: it shows whether the whole history before it was rewritten. */
  readonly against?: Checkpoint | undefined
  /** What an earlier run stored: the same, for histories rewritten since then. */
  readonly stored?: Checkpoint | undefined
  /** Of a realm that is being loaded: what is stored when the realm becomes visible. */
  readonly open?: OpenAside | undefined
  readonly onStep?: ((step: Step) => void) | undefined
}

/**
 * Replays a realm's journal and compares every number, hash and balance, while writes go on. Each balance has
 * the seq of its last change, so a balance that changes during the run is compared at that entry, without a
 * long snapshot.
 */
export function verify(db: RealmScoped, options: VerifyOptions): Promise<Verdict> {
  return orWrong(() => replay(db.within([options.realm]), options))
}

/** Turns what is found wrong into a verdict. */
export async function orWrong<T>(work: () => Promise<T>): Promise<T | (Verdict & { readonly ok: false })> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, where: error.where, why: error.message }
    throw error
  }
}

/** A realm whose load has not ended, or was abandoned. It gets its name and open holds last. */
export const isHidden = ({ listed_id: listed, realm_id: own }: Head): boolean =>
  listed !== own && /^(loading-[0-9a-f]{24}|wrong-\d+)$/.test(listed)

/** The head, if it is that of the realm under its own id. */
export async function readOwnHead(db: Queryable, realm: number): Promise<Head> {
  const head = await readHead(db, realm)
  if (head.listed_id !== head.realm_id && !isHidden(head))
    throw new Wrong('realm', `it is listed as ${head.listed_id}, but its journal is that of ${head.realm_id}`)
  return head
}

/** The head names the last entry, after a replay up to it. */
export function checkHead(head: Head, hash: string): void {
  if (head.last > head.seq) throw new Wrong(`entry ${head.seq + 1n}`, `the head has only ${head.seq} entries`)
  if (hash !== head.hash) throw new Wrong('head', `hash ${head.hash}, but the last entry has ${hash}`)
}

async function replay(db: Queryable, options: VerifyOptions): Promise<Verdict> {
  const { realm, onStep, open } = options
  const head = await readOwnHead(db, realm)
  const [points, steps] = [await readPoints(db, realm), await readLapse(db, realm)]
  const rules = { points, steps, merges: await mergesFor(db, realm, steps) }
  const books = new Books(head, rules, savedOf(options))
  const read = async (after: bigint, upTo: bigint) => {
    for await (const rows of readEntries(db, realm, { after, upTo })) {
      await books.lots.load(db, realm, rows)
      await books.idle.load(db, realm, rows)
      try {
        for (const row of rows) books.add(row)
      } finally {
        onStep?.({ what: 'entries', done: Number(books.seq), of: Number(upTo) })
      }
    }
    if (books.seq < upTo) throw missing(books.seq, upTo)
  }
  await read(0n, head.seq)
  checkHead(head, books.hash)
  if (open || !isHidden(head))
    for (const aside of books.asideAt(open)) await checkAside(db, { realm, ...aside })
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
    const latestSteps = await readLapse(db, realm)
    books.lots.setSteps(latestSteps)
    books.idle.setRules(latestSteps, await mergesFor(db, realm, latestSteps))
    await read(head.seq, latest)
  }
  books.finish()
  await checkMerges(db, realm)
  const reached = { seq: head.seq, hash: head.hash, nextAccount: head.next_account }
  return { ok: true, seq: books.seq, hash: books.hash, ...(!isHidden(head) && { reached }) }
}

/** A journal that ends before its head says. */
export const missing = (last: bigint, headSeq: bigint): Wrong =>
  new Wrong(`entry ${last + 1n}`, `missing: the head says there are ${headSeq} entries`)

const savedOf = ({ against, stored }: VerifyOptions): Checkpoint[] =>
  [against, stored].filter((one) => one !== undefined)

const savedAs = ({ verifiedAt }: Checkpoint): string =>
  verifiedAt ? `verified at ${verifiedAt.toISOString()}` : 'saved'

export const rewritten = (hash: string, saved: Checkpoint): Wrong =>
  new Wrong(
    `entry ${saved.seq}`,
    `its hash is ${hash}, but ${saved.hash} was ${savedAs(saved)}: history was rewritten`,
  )

export const truncated = (last: bigint, saved: Checkpoint): Wrong =>
  new Wrong(`entry ${last + 1n}`, `missing: entry ${saved.seq} was ${savedAs(saved)}`)

/** The point types and their lapse rules. */
type Rules = Pick<ReplayOptions<Column>, 'points' | 'steps' | 'merges'>

/** The ledger from entry 1, to be compared with everything that is stored. */
class Books extends Replay<Column> {
  readonly #saved: readonly Checkpoint[]
  /** Balances that changed during the run, by the entry of their last change. */
  readonly #expected = new Map<bigint, BalanceRow[]>()

  constructor(head: Head, rules: Rules, saved: readonly Checkpoint[]) {
    const start = { seq: 0n, hash: originHash(head.realm_id), atUs: 0n }
    super({ start, ...rules, nextAccount: head.next_account, newColumn: () => new Column() })
    this.#saved = saved
  }

  /** What holds and awards are compared with, after the entries so far. */
  asideAt(open: OpenAside | undefined) {
    const { seq, points, columns } = this
    const shared = { seq, points }
    return [
      { ...shared, noun: holds, made: this.holdsMade, columns: columns.held, open: open?.holds ?? [] },
      { ...shared, noun: awards, made: this.awardsMade, columns: columns.pending, open: open?.awards ?? [] },
    ]
  }

  override add(row: EntryRow): void {
    super.add(row)
    for (const expected of this.#expected.get(row.seq) ?? []) this.compare(expected)
    this.#expected.delete(row.seq)
    for (const saved of this.#saved)
      if (saved.seq === row.seq && saved.hash !== row.hash) throw rewritten(row.hash, saved)
  }

  override compare(row: BalanceRow): void {
    super.compare(row)
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
    for (const side of sides) {
      for (const [point, column] of this.columns[side]) {
        column.seqs.forEach((seq, at) => {
          if (seq === 0n || seq > upTo || column.seen[at] !== 0) return
          const why = `${column.balances[at]} is right, nothing is stored`
          throw new Wrong(this.place(accountOn(side, at), point), why)
        })
      }
    }
  }

  #see({ point, account }: BalanceRow): void {
    const column = this.column(account, point)
    const at = ownerOf(account)
    if (column?.get(at)) column.seen[at] = 1
  }

  finish(): void {
    for (const rows of this.#expected.values()) {
      for (const row of rows)
        throw new Wrong(this.place(row.account, row.point), `no entry ${row.seq} changed it`)
    }
    for (const saved of this.#saved) if (saved.seq > this.seq) throw truncated(this.seq, saved)
  }

  /** The balance whose row names this entry as its last change. */
  named(seq: bigint): string {
    const row = this.#expected.get(seq)?.[0]
    return this.place(row?.account, row?.point)
  }
}
