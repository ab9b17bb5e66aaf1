import type { Queryable } from '../../db/session.ts'
import { accountOn, ownerOf, pendingFloor, pendingOf } from '../rules/accounts.ts'
import { claimed, issuance } from '../rules/command.ts'
import { entryTypes } from '../rules/entryTypes.ts'
import { parseLots, sumOf } from '../rules/lots.ts'
import { awards, holds } from './asideCheck.ts'
import { type AccountColumn, Column, SparseColumn } from './columns.ts'
import { type BalanceRow, type EntryRow, readEntries } from './journalStore.ts'
import type { Steps } from './lotsReplay.ts'
import type { MergeLink } from './mergeCheckStore.ts'
import { Replay, type ReplayOptions, type ReplayStart, sides } from './replay.ts'
import { SegmentAside } from './segmentAside.ts'
import {
  type AccountKey,
  readBalanceRange,
  readBalancesOf,
  readReversed,
  readSides,
  readStatesBefore,
  type SidesRow,
  type StateBefore,
} from './segmentStore.ts'
import { missing } from './verify.ts'
import { Wrong } from './wrong.ts'

export type SegmentOptions = {
  readonly realm: number
  readonly start: ReplayStart
  readonly upTo: bigint
  /** The last entry, as the head says. */
  readonly headSeq: bigint
  readonly points: ReadonlyMap<number, string>
  readonly nextAccount: number
  readonly steps: Steps
  readonly merges: readonly MergeLink[]
  /** Called with the number of entries replayed so far. */
  readonly onPage?: ((done: number) => void) | undefined
}

/**
 * Replays a range of entries. An account that is met for the first time must have what its last entry
 * before the range left. Then compares the holds, the awards and the stored balances that these entries
 * changed. Returns the hash of the last entry.
 */
export async function replaySegment(db: Queryable, options: SegmentOptions): Promise<string> {
  const { realm, start, upTo, onPage } = options
  const segment = new Segment(options)
  const held = new SegmentAside(holds)
  const promised = new SegmentAside(awards)
  for await (const rows of readEntries(db, realm, { after: start.seq, upTo })) {
    await loadStates(db, segment, { realm, rows })
    await segment.lots.load(db, realm, rows)
    await segment.idle.load(db, realm, rows)
    try {
      for (const row of rows) {
        segment.add(row)
        held.add(row)
        promised.add(row)
      }
    } finally {
      onPage?.(Number(segment.seq - start.seq))
    }
  }
  if (segment.seq < upTo) throw missing(segment.seq, options.headSeq)
  await held.check(db, { realm, after: start.seq, upTo }, segment.holdsMade)
  await promised.check(db, { realm, after: start.seq, upTo }, segment.awardsMade)
  await compareChanged(db, segment, { realm, isEnd: upTo === options.headSeq })
  return segment.hash
}

class Segment extends Replay<AccountColumn> {
  constructor(options: SegmentOptions) {
    super({ ...options, newColumn: () => newColumn(options) } satisfies ReplayOptions<AccountColumn>)
  }

  /** The accounts of these entries that no entry changed so far. */
  unknown(rows: readonly EntryRow[]): AccountKey[] {
    const keys = new Map<string, AccountKey>()
    for (const { point, from_account: from, to_account: to } of rows) {
      for (const account of [from, to]) {
        if (account === issuance || account === claimed || this.stateOf(account, point)) continue
        keys.set(`${account} ${point}`, { account, point })
      }
    }
    return [...keys.values()]
  }

  load({ account, point, balance, seq }: StateBefore): void {
    if (balance === null) throw new Wrong(`entry ${seq}`, `account ${account} has no balance after it`)
    this.column(account, point)?.set(ownerOf(account), balance, seq)
  }

  /** The accounts that this segment changed. */
  *changed(): Generator<AccountKey> {
    for (const side of sides) {
      for (const [point, column] of this.columns[side]) {
        for (const [account] of column.changedAfter(this.start.seq))
          yield { account: accountOn(side, account), point }
      }
    }
  }
}

/** Arrays for all accounts take less memory when many of them are met. */
const newColumn = ({ start, upTo, nextAccount }: SegmentOptions): AccountColumn =>
  upTo - start.seq > BigInt(nextAccount) / 4n ? new Column() : new SparseColumn()

async function loadStates(
  db: Queryable,
  segment: Segment,
  { realm, rows }: { readonly realm: number; readonly rows: readonly EntryRow[] },
): Promise<void> {
  const upTo = segment.start.seq
  if (upTo === 0n) return
  const keys = segment.unknown(rows)
  if (keys.length > 0) for (const row of await readStatesBefore(db, realm, { keys, upTo })) segment.load(row)
  const links = rows.flatMap(({ kind, link }) =>
    kind === entryTypes.reversal.number && link !== null ? [link] : [],
  )
  if (links.length > 0)
    for (const link of await readReversed(db, realm, { links, upTo })) segment.addReversed(link)
}

const batchSize = 1_000

/** `isEnd`: no entry follows the segment, except for those written during the run. */
type ChangedCheck = { readonly realm: number; readonly isEnd: boolean }

async function compareChanged(db: Queryable, segment: Segment, check: ChangedCheck): Promise<void> {
  let keys: AccountKey[] = []
  for (const key of segment.changed()) {
    keys.push(key)
    if (keys.length < batchSize) continue
    await compareBatch(db, segment, { ...check, keys })
    keys = []
  }
  if (keys.length > 0) await compareBatch(db, segment, { ...check, keys })
}

/**
 * A balance that an entry after the segment changed is compared with that entry: here if it was written
 * during the run, else when it is replayed itself. `checkBalanceRange` finds those that name an entry which
 * did not change them.
 */
async function compareBatch(
  db: Queryable,
  segment: Segment,
  { realm, isEnd, keys }: ChangedCheck & { readonly keys: readonly AccountKey[] },
): Promise<void> {
  const rows = await readBalancesOf(db, realm, keys)
  const stored = new Set(rows.map(({ account, point }) => `${account} ${point}`))
  for (const { account, point } of keys) {
    if (stored.has(`${account} ${point}`)) continue
    const right = segment.stateOf(account, point)?.balance
    throw new Wrong(segment.place(account, point), `${right} is right, nothing is stored`)
  }
  for (const row of rows) if (row.seq <= segment.seq) segment.compare(row)
  const later = rows.filter((row) => row.seq > segment.seq)
  if (isEnd && later.length > 0)
    await checkBalanceRows(db, later, { realm, place: (row) => segment.place(row.account, row.point) })
}

type Placing = { readonly realm: number; readonly place: (row: BalanceRow) => string }

/** Each stored balance is what the entry that it names left. */
async function checkBalanceRows(
  db: Queryable,
  rows: readonly BalanceRow[],
  { realm, place }: Placing,
): Promise<void> {
  const entries = await readSides(
    db,
    realm,
    rows.map(({ seq }) => seq),
  )
  for (const row of rows) {
    const right = leftBy(entries.get(row.seq), row)
    if (right === undefined) throw new Wrong(place(row), `no entry ${row.seq} changed it`)
    if (right !== row.balance) throw new Wrong(place(row), `${row.balance} is stored, ${right} is right`)
    if (row.lots !== null && sumOf(parseLots(row.lots)) !== row.balance)
      throw new Wrong(place(row), `its lots ${row.lots} do not add up to ${row.balance}`)
  }
}

function leftBy(entry: SidesRow | undefined, { account, point }: AccountKey): bigint | null | undefined {
  if (entry?.point !== point) return undefined
  if (entry.from_account === account) return entry.from_balance
  return entry.to_account === account ? entry.to_balance : undefined
}

export type AccountRange = {
  readonly realm: number
  /** Account numbers, of members, and of their held and pending points. */
  readonly after: number
  readonly upTo: number
  readonly points: ReadonlyMap<number, string>
}

const [lowest, highest] = [-2_147_483_648, 2_147_483_647]

/** Compares the stored balances of a range of accounts with the entries that they name. */
export async function checkBalanceRange(db: Queryable, range: AccountRange): Promise<void> {
  const { realm, points } = range
  const [after, upTo] = [range.after, Math.min(range.upTo, highest)]
  const place = ({ account, point }: BalanceRow) =>
    `balance of account ${account} in ${points.get(point) ?? `point ${point}`}`
  const isLast = upTo === highest
  const held = { after: isLast ? pendingFloor - 1 : -upTo - 1, upTo: -after - 1 }
  const pending = { after: isLast ? lowest : pendingOf(upTo) - 1, upTo: pendingOf(after) - 1 }
  // An account 0 belongs to the first range.
  const own = { after: after === 0 ? -1 : after, upTo }
  for (const one of [pending, held, own]) {
    for await (const rows of readBalanceRange(db, realm, one)) {
      await checkBalanceRows(db, rows, { realm, place })
    }
  }
}
