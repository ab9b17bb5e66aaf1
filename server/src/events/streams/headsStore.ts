import { plainArray as plain } from '../../db/arrays.ts'
import type { RealmScoped } from '../../db/rowSecurity.ts'

export const statements = {
  /** For all watched realms at once. */
  readHeads: {
    name: 'events_read_heads',
    text: 'select h.realm, h.seq from heads h where h.realm = any ($1::integer[])',
  },
} as const

/** The number of the last entry of each of these realms. */
export async function readHeads(
  db: RealmScoped,
  realms: readonly number[],
): Promise<ReadonlyMap<number, bigint>> {
  const values = [plain(realms, (realm) => realm)]
  const { rows } = await db.within(realms).query<{ realm: number; seq: bigint }>(statements.readHeads, values)
  return new Map(rows.map(({ realm, seq }) => [realm, seq]))
}
