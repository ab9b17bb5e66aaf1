import type { Writable } from '../db/session.ts'
import { pageSize } from './store.ts'

/** How rows of older builds are deleted. */
export const statements = {
  endSweep: {
    name: 'standings_end_sweep',
    writes: true,
    text: 'update standings set swept = $2 where realm = $1',
  },
  sweepGains: {
    name: 'standings_sweep_gains',
    writes: true,
    text: `delete from gains where realm = $1 and ctid = any (array(
      select ctid from gains where realm = $1 and build < $2 limit $3))`,
  },
  sweepActivity: {
    name: 'standings_sweep_activity',
    writes: true,
    text: `delete from activity where realm = $1 and ctid = any (array(
      select ctid from activity where realm = $1 and build < $2 limit $3))`,
  },
  sweepDaily: {
    name: 'standings_sweep_daily',
    writes: true,
    text: `delete from daily where realm = $1 and ctid = any (array(
      select ctid from daily where realm = $1 and build < $2 limit $3))`,
  },
  sweepActiveDays: {
    name: 'standings_sweep_active_days',
    writes: true,
    text: `delete from active_days where realm = $1 and ctid = any (array(
      select ctid from active_days where realm = $1 and build < $2 limit $3))`,
  },
  sweepSupply: {
    name: 'standings_sweep_supply',
    writes: true,
    text: `delete from supply where realm = $1 and ctid = any (array(
      select ctid from supply where realm = $1 and build < $2 limit $3))`,
  },
} as const

/** Deletes rows of older builds, at most a page of each table; returns whether any may be left. */
export async function sweep(tx: Writable, realm: number, build: number): Promise<boolean> {
  let most = 0
  for (const statement of [
    statements.sweepGains,
    statements.sweepActivity,
    statements.sweepDaily,
    statements.sweepActiveDays,
    statements.sweepSupply,
  ])
    most = Math.max(most, (await tx.query(statement, [realm, build, pageSize])).count)
  return most === pageSize
}

export async function endSweep(tx: Writable, realm: number, build: number): Promise<void> {
  await tx.query(statements.endSweep, [realm, build])
}
