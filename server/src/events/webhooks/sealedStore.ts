import type { Queryable, Writable } from '../../db/session.ts'

export const statements = {
  /** The encrypted secrets of all webhooks of these realms; an old one only while it signs too. */
  listSealed: {
    name: 'webhooks_list_sealed',
    text: `select e.* from unnest($1::integer[]) as asked (realm)
      cross join lateral (select realm, number, secret,
          case when old_secret_until > now() then old_secret end as old_secret
        from endpoints where realm = asked.realm order by number limit 1000) e`,
  },
  /** Unless the secret was replaced meanwhile. */
  reseal: {
    name: 'webhooks_reseal',
    writes: true,
    text: `update endpoints set secret = $4, old_secret = $5
      where realm = $1 and number = $2 and secret = $3`,
  },
} as const

export type SealedRow = { realm: number; number: number; secret: string; old_secret: string | null }

export async function listSealed(db: Queryable, realms: readonly number[]): Promise<SealedRow[]> {
  return (await db.query<SealedRow>(statements.listSealed, [realms])).rows
}

type NewTexts = { readonly secret: string; readonly oldSecret: string | null }

export async function reseal(db: Writable, row: SealedRow, { secret, oldSecret }: NewTexts): Promise<void> {
  await db.query(statements.reseal, [row.realm, row.number, row.secret, secret, oldSecret])
}
