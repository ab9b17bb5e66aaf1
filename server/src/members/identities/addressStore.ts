import { plainArray as plain } from '../../db/arrays.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { RefusalError, wrongCell } from '../../errors.ts'

export const statements = {
  readKeys: {
    name: 'identities_read_keys',
    text: `select s.* from unnest($1::integer[]) as asked (realm)
      cross join lateral (select realm, identity_key as key from settings
        where realm = asked.realm limit 1) s`,
  },
  /** For a realm that is older than these keys: the first address gives it one. */
  makeKey: {
    name: 'identities_make_key',
    writes: true,
    text: `update settings set identity_key = coalesce(identity_key, sha256(uuid_send(gen_random_uuid())
        || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
      where realm = $1 returning identity_key as key`,
  },
} as const

type Keys = ReadonlyMap<number, Buffer | null>

export async function readKeys(db: Queryable, realms: readonly number[]): Promise<Keys> {
  const values = [plain(realms, (realm) => realm)]
  const { rows } = await db.query<{ realm: number; key: Buffer | null }>(statements.readKeys, values)
  return new Map(rows.map(({ realm, key }) => [realm, key]))
}

export async function makeKey(db: Writable, realm: number): Promise<Buffer> {
  const [row] = (await db.query<{ key: Buffer }>(statements.makeKey, [realm])).rows
  if (!row) throw new RefusalError(wrongCell)
  return row.key
}
