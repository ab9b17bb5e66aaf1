import { Planter } from './plant.ts'

const dayUs = 86_400_000_000n

/** Everything in a realm happened so many days earlier, as if they had passed since. */
export async function daysPass(superuserUrl: string, realm: number, days: number): Promise<void> {
  const planter = await Planter.open(superuserUrl, realm)
  const tables = ['journal', 'lapse_rules']
  try {
    await planter.run('begin')
    for (const table of tables) await planter.run(`alter table ${table} disable trigger all`)
    await planter.rewrite((rows) => {
      for (const row of rows) row.at_us -= BigInt(days) * dayUs
    })
    const by = BigInt(days) * dayUs
    await planter.run('update balances set at_us = at_us - $2 where realm = $1', [realm, by])
    await planter.run('update heads set at_us = at_us - $2 where realm = $1', [realm, by])
    await planter.run(
      `update lapse_rules set not_before = not_before - $2::integer, base_day = base_day - $2::integer
        where realm = $1`,
      [realm, days],
    )
    await planter.run('update lapse_sweeps set day = greatest(day - $2::integer, 0) where realm = $1', [
      realm,
      days,
    ])
    for (const table of tables) await planter.run(`alter table ${table} enable trigger all`)
    await planter.run('commit')
  } finally {
    await planter.close()
  }
}
