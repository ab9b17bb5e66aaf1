import type { Queryable } from '../db/session.ts'

/** All that is folded of a realm, for comparing it with its journal. */
export const statements = {
  lock: {
    name: 'standings_check_lock',
    text: 'select seq, time_zone, build, merged from standings where realm = $1 for update',
  },
  readGains: {
    name: 'standings_check_gains',
    text: `select point, day, account, gained from gains
      where realm = $1 and build = $2 and (point, day, account) > ($3, $4, $5)
      order by point, day, account limit $6`,
  },
  readActivity: {
    name: 'standings_check_activity',
    text: `select account, day from activity where realm = $1 and build = $2 and account > $3
      order by account limit $4`,
  },
  readDaily: {
    name: 'standings_check_daily',
    text: `select day, point, kind, entries, amount, issued, spent, lapsed, held from daily
      where realm = $1 and build = $2`,
  },
  readSupply: {
    name: 'standings_check_supply',
    text: 'select point, issued, spent, lapsed, held, claimed from supply where realm = $1 and build = $2',
  },
  readActiveDays: {
    name: 'standings_check_active_days',
    text: 'select day, active, latest from active_days where realm = $1 and build = $2',
  },
} as const

const pageSize = 5_000

export type ProjectionRow = {
  readonly seq: bigint
  readonly time_zone: string
  readonly build: number
  readonly merged: number
}

/** Nothing is folded into a realm while its row is locked. */
export async function lock(tx: Queryable, realm: number): Promise<ProjectionRow | undefined> {
  return (await tx.query<ProjectionRow>(statements.lock, [realm])).rows[0]
}

/** Each row as a name and a value, in the same words as the fold of a journal. */
export async function* readKept(
  tx: Queryable,
  realm: number,
  build: number,
): AsyncGenerator<readonly (readonly [string, string])[]> {
  for (let after = [0, -2_147_483_648, 0]; ; ) {
    type Row = { point: number; day: number; account: number; gained: string }
    const { rows } = await tx.query<Row>(statements.readGains, [realm, build, ...after, pageSize])
    yield rows.map((row) => [`gained ${row.account} ${row.day} ${row.point}`, row.gained] as const)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) break
    after = [last.point, last.day, last.account]
  }
  for (let after = 0; ; ) {
    type Row = { account: number; day: number }
    const { rows } = await tx.query<Row>(statements.readActivity, [realm, build, after, pageSize])
    yield rows.map((row) => [`last active ${row.account}`, String(row.day)] as const)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) break
    after = last.account
  }
  yield* readSums(tx, realm, build)
}

type Sums = { issued: string; spent: string; lapsed: string; held: string }

const suppliedWords = ({ issued, spent, lapsed, held }: Sums): string =>
  `${issued} issued, ${spent} spent, ${lapsed} lapsed, ${held} held`

async function* readSums(
  tx: Queryable,
  realm: number,
  build: number,
): AsyncGenerator<readonly (readonly [string, string])[]> {
  const values = [realm, build]
  type Daily = Sums & { day: number; point: number; kind: number; entries: bigint; amount: string }
  const daily = await tx.query<Daily>(statements.readDaily, values)
  yield daily.rows.map(
    (row) =>
      [
        `entries ${row.day} ${row.point} ${row.kind}`,
        `${row.entries} of ${row.amount}: ${suppliedWords(row)}`,
      ] as const,
  )
  type Supply = Sums & { point: number; claimed: string }
  const supply = await tx.query<Supply>(statements.readSupply, values)
  yield supply.rows.map(
    ({ point, claimed, ...sums }) =>
      [`supply ${point}`, `${suppliedWords(sums)}, ${claimed} claimed`] as const,
  )
  const days = await tx.query<{ day: number; active: bigint; latest: bigint }>(
    statements.readActiveDays,
    values,
  )
  yield days.rows.map((row) => [`active ${row.day}`, `${row.active}, ${row.latest} the last time`] as const)
}
