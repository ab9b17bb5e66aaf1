import { rowsOf } from '../../../tests/support/books.ts'
import { sweepPage } from '../../src/ledger/lapse/sweep.ts'
import { Configs } from '../../src/realms/index.ts'
import type { Books } from './books.ts'

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
