import type { Queryable } from '../../db/session.ts'
import { entryTypes, isMembers, LotsReplay, type LotsRow, readBalancesOf, Wrong } from '../../ledger/index.ts'
import { type LapseStep, stepsOf } from '../../realms/index.ts'
import type { FoldedBalance } from './loadStore.ts'
import { type LoadedEntry, type RealmHeader, wrongFile } from './realmFile.ts'

/** What determines the lots of a page of entries. */
export type LotsSource = {
  readonly realm: number
  readonly points: ReadonlyMap<string, number>
  readonly steps: ReadonlyMap<number, readonly LapseStep[]>
}

/** The lapse rules of a file, by the numbers of their point types. */
export const stepsIn = ({ points }: RealmHeader): LotsSource['steps'] =>
  new Map(
    points.flatMap(({ number, lapse }) => {
      const steps = stepsOf(lapse ? JSON.stringify(lapse) : null)
      return steps ? [[number, steps] as const] : []
    }),
  )

type Page = LotsSource & { readonly rows: readonly LoadedEntry[] }

/** The balances after a page of entries with their lots, computed from those before it, as verify does. */
export async function withLots(
  db: Queryable,
  balances: readonly FoldedBalance[],
  { realm, points, steps, rows }: Page,
): Promise<readonly FoldedBalance[]> {
  if (steps.size === 0) return balances
  const replay = new LotsReplay(steps)
  const entries = rows.map((row) => rowOf(row, points))
  await replay.load(db, realm, entries)
  const own = balances.filter(({ account, point }) => isMembers(account) && steps.has(point))
  const states = new Map<string, { readonly balance: bigint; readonly seq: bigint }>()
  for (const row of await readBalancesOf(db, realm, own)) {
    replay.set(row.account, row.point, row.lots)
    states.set(`${row.account}:${row.point}`, row)
  }
  try {
    for (const [at, row] of entries.entries()) {
      replay.add(row, (account) => states.get(`${account}:${row.point}`))
      const { fromAccount, fromBalance, toAccount, toBalance } = rows[at] as LoadedEntry
      for (const [account, balance] of [
        [fromAccount, fromBalance],
        [toAccount, toBalance],
      ] as const)
        if (balance !== null)
          states.set(`${account}:${row.point}`, { balance: BigInt(balance), seq: row.seq })
    }
  } catch (error) {
    if (error instanceof Wrong) throw wrongFile(`In ${error.where}: ${error.message}.`)
    throw error
  }
  return balances.map((row) => {
    if (!isMembers(row.account)) return row
    return { ...row, lots: replay.textOf(row.account, row.point, BigInt(row.seq)) ?? null }
  })
}

const rowOf = (entry: LoadedEntry, points: LotsSource['points']): LotsRow => ({
  seq: BigInt(entry.seq),
  at_us: BigInt(entry.atUs),
  kind: entryTypes[entry.type]?.number ?? 0,
  point: points.get(entry.realmPointId) ?? 0,
  from_account: entry.fromAccount,
  to_account: entry.toAccount,
  amount: BigInt(entry.tokens),
  link: entry.link === null ? null : BigInt(entry.link),
  lots: entry.lots ?? null,
})
