import type { Queryable } from '../../db/session.ts'

export const statements = {
  readIdentities: {
    name: 'exports_read_identities',
    text: `select account, provider, subject, name, picture_url, merged,
        to_char(linked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as linked_at
      from identities where realm = $1 and account > $2 and account <= $3
      order by account, provider, subject`,
  },
  readLastMerge: {
    name: 'exports_read_last_merge',
    text: 'select coalesce(max(number), 0) as number from merges where realm = $1',
  },
  readMerges: {
    name: 'exports_read_merges',
    text: `select number, from_account, to_account, after_seq, entries, key, undoes, moved,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from merges where realm = $1 and number > $2 order by number limit $3`,
  },
} as const

export type IdentityRow = {
  account: number
  provider: string
  subject: string
  name: string | null
  picture_url: string | null
  linked_at: string
  /** For an old id: the account that had it. */
  merged: number | null
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

export type MergeRow = {
  number: number
  from_account: number
  to_account: number
  after_seq: bigint
  entries: number
  key: number
  undoes: number | null
  moved: object
  at: string
}

const mergesPage = 1_000

export async function* readMerges(db: Queryable, realm: number): AsyncGenerator<MergeRow[]> {
  for (let after = 0; ; ) {
    const { rows } = await db.query<MergeRow>(statements.readMerges, [realm, after, mergesPage])
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = last.number
  }
}

export async function readLastMerge(db: Queryable, realm: number): Promise<number> {
  return (await db.query<{ number: number }>(statements.readLastMerge, [realm])).rows[0]?.number ?? 0
}
