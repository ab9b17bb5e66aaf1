import type { Queryable } from '../db/session.ts'

export const statements = {
  keepCheck: {
    name: 'key_secrets_keep',
    text: 'insert into key_secrets (id, value) values ($1, $2) on conflict (id) do nothing',
  },
  readCheck: { name: 'key_secrets_read', text: 'select value from key_secrets where id = $1' },
  /** The active keys of these realms, by the secret that each was hashed with. */
  countKeys: {
    name: 'key_secrets_count_keys',
    text: `select asked.realm, k.secret_id, count(*)::int as count
      from unnest($1::integer[]) as asked (realm)
      cross join lateral (select secret_id from keys where realm = asked.realm and revoked_at is null
        and (expires_at is null or expires_at > now()) offset 0) k
      group by asked.realm, k.secret_id`,
  },
} as const

/** The value stored for a secret: the first one under its id. */
export async function storedCheck(db: Queryable, id: string, value: string): Promise<string | undefined> {
  await db.query(statements.keepCheck, [id, value])
  return (await db.query<{ value: string }>(statements.readCheck, [id])).rows[0]?.value
}

export type KeysOfSecret = { readonly realm: number; readonly secret_id: string; readonly count: number }

export async function countKeysBySecret(db: Queryable, realms: readonly number[]): Promise<KeysOfSecret[]> {
  return (await db.query<KeysOfSecret>(statements.countKeys, [realms])).rows
}
