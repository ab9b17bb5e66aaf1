import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Writable } from '../../db/session.ts'
import type { LoadedIdentity, LoadedMerge } from './realmFile.ts'

export const statements = {
  insertIdentities: {
    name: 'loads_insert_identities',
    writes: true,
    text: `insert into identities (realm, provider, subject, account, name, picture_url, linked_at,
        merged)
      select $1::integer, * from unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::text[],
        $7::timestamptz[], $8::integer[])
      on conflict (realm, provider, subject) do nothing`,
  },
  insertMerges: {
    name: 'loads_insert_merges',
    writes: true,
    text: `insert into merges (realm, number, from_account, to_account, after_seq, entries, at, key, undoes,
        moved)
      select $1::integer, * from unnest($2::integer[], $3::integer[], $4::integer[], $5::bigint[],
        $6::smallint[], $7::timestamptz[], $8::integer[], $9::integer[], $10::jsonb[])
      on conflict (realm, number) do nothing`,
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
    plain(rows, (row) => row.mergedAccount ?? null),
  ])
}

export function insertMerges(
  db: Writable,
  realm: number,
  rows: readonly LoadedMerge[],
): Promise<Answer<unknown>> {
  return db.query(statements.insertMerges, [
    realm,
    plain(rows, (row) => row.number),
    plain(rows, (row) => row.fromAccount),
    plain(rows, (row) => row.toAccount),
    plain(rows, (row) => row.afterSeq),
    plain(rows, (row) => row.entries),
    texts(rows, (row) => row.at),
    plain(rows, (row) => row.keyId),
    plain(rows, (row) => row.undoes),
    texts(rows, (row) => JSON.stringify(row.moved)),
  ])
}
