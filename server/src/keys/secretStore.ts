import type { Queryable } from '../db/session.ts'

export const statements = {
  keepCheck: {
    name: 'key_secrets_keep',
    text: 'insert into key_secrets (id, value) values ($1, $2) on conflict (id) do nothing',
  },
  readCheck: { name: 'key_secrets_read', text: 'select value from key_secrets where id = $1' },
} as const

/** The value stored for a secret: the first one under its id. */
export async function storedCheck(db: Queryable, id: string, value: string): Promise<string | undefined> {
  await db.query(statements.keepCheck, [id, value])
  return (await db.query<{ value: string }>(statements.readCheck, [id])).rows[0]?.value
}
