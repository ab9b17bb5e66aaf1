import type { Queryable } from '../../db/session.ts'

export const statements = {
  readIdentities: {
    name: 'exports_read_identities',
    text: `select account, provider, subject, name, picture_url,
        to_char(linked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as linked_at
      from identities where realm = $1 and account > $2 and account <= $3
      order by account, provider, subject`,
  },
} as const

export type IdentityRow = {
  account: number
  provider: string
  subject: string
  name: string | null
  picture_url: string | null
  linked_at: string
}

type Range = { readonly after: number; readonly upTo: number }

/** Of the members with these accounts; each has a few at most. */
export async function readIdentities(
  db: Queryable,
  realm: number,
  { after, upTo }: Range,
): Promise<IdentityRow[]> {
  return (await db.query<IdentityRow>(statements.readIdentities, [realm, after, upTo])).rows
}
