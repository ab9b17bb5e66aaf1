import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Writable } from '../../db/session.ts'
import type { LoadedIdentity } from './realmFile.ts'

export const statements = {
  insertIdentities: {
    name: 'loads_insert_identities',
    writes: true,
    text: `insert into identities (realm, provider, subject, account, name, picture_url, linked_at)
      select $1::integer, * from unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::text[],
        $7::timestamptz[])
      on conflict (realm, provider, subject) do nothing`,
  },
} as const

export function insertIdentities(
  db: Writable,
  realm: number,
  rows: readonly LoadedIdentity[],
): Promise<Answer<unknown>> {
  return db.query(statements.insertIdentities, [
    realm,
    texts(rows, (row) => row.provider),
    texts(rows, (row) => row.subject),
    plain(rows, (row) => row.account),
    texts(rows, (row) => row.name),
    texts(rows, (row) => row.pictureUrl),
    texts(rows, (row) => row.linkedAt),
  ])
}
