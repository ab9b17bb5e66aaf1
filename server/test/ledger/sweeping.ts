import { rowsOf } from '../../../tests/support/books.ts'
import { sweepPage } from '../../src/ledger/lapse/sweep.ts'
import { Configs } from '../../src/realms/index.ts'
import { post } from '../files/exports/books.ts'
import type { Books } from './books.ts'

export const dayMs = 86_400_000
export const today = () => Math.floor(Date.now() / dayMs)

/** A member, and the points that lapse on each day. */
export type DatedLots = {
  readonly member: string
  readonly lots: readonly (readonly [day: number, amount: bigint])[]
}

/** Points that an import gave these days. */
export const openLots = ({ ledger }: Books, realm: number, { member, lots }: DatedLots) =>
  post(ledger, realm, {
    kind: 'opening',
    member,
    point: 'gold',
    tokens: lots.reduce((sum, [, amount]) => sum + amount, 0n),
    lots: lots.map(([day, amount]) => ({ day, amount })),
  })

/** Sweeps a realm's first point type to the end of the day. */
export async function sweepDay(superuserUrl: string, { db, ledger }: Books, realm: number): Promise<void> {
  await rowsOf(superuserUrl, 'update lapse_sweeps set due_at = now() where realm = $1', [realm])
  const options = {
    db,
    configs: new Configs(),
    post: (command: Parameters<typeof ledger.post>[0]) => ledger.post(command),
    isStopped: async () => false,
  }
  while ((await sweepPage({ realm, point: 1 }, options)) === 'page');
}
