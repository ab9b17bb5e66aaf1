import { bytesArray as bytes, plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Writable } from '../../db/session.ts'
import type { LoadedClaimant, LoadedSnapshot } from './realmFile.ts'

/** Inserts exported snapshots. Their trees are built on the first request. */
export const statements = {
  insertSnapshots: {
    name: 'loads_insert_snapshots',
    writes: true,
    text: `insert into snapshots (realm, id, point, chain, seq, hash, first_seq, taken_at, members, tokens,
        unproved, unproved_tokens, frozen, frozen_tokens)
      select $1::integer, * from unnest($2::text[], $3::smallint[], $4::text[], $5::bigint[], $6::bytea[],
        $7::bigint[], $8::timestamptz[], $9::integer[], $10::numeric[], $11::integer[], $12::numeric[],
        $13::integer[], $14::numeric[])
      on conflict (realm, id) do nothing`,
  },
  insertClaimants: {
    name: 'loads_insert_claimants',
    writes: true,
    text: `insert into snapshot_members (realm, snapshot, account, amount, frozen, address, leaf)
      select $1::integer, * from unnest($2::text[], $3::integer[], $4::bigint[], $5::boolean[], $6::text[],
        $7::bytea[])
      on conflict (realm, snapshot, account) do nothing`,
  },
} as const

type Sent = Promise<Answer<unknown>>

export function insertSnapshots(
  db: Writable,
  realm: number,
  {
    rows,
    points,
  }: { readonly rows: readonly LoadedSnapshot[]; readonly points: ReadonlyMap<string, number> },
): Sent {
  return db.query(statements.insertSnapshots, [
    realm,
    texts(rows, ({ id }) => id),
    plain(rows, ({ realmPointId }) => points.get(realmPointId)),
    texts(rows, ({ chain }) => chain),
    plain(rows, ({ seq }) => seq),
    bytes(rows, ({ hash }) => hash),
    plain(rows, ({ firstSeq }) => firstSeq),
    texts(rows, ({ takenAt }) => takenAt),
    plain(rows, ({ members }) => members),
    plain(rows, ({ tokens }) => tokens),
    plain(rows, ({ unproved }) => unproved),
    plain(rows, ({ unprovedTokens }) => unprovedTokens),
    plain(rows, ({ frozen }) => frozen),
    plain(rows, ({ frozenTokens }) => frozenTokens),
  ])
}

export function insertClaimants(db: Writable, realm: number, rows: readonly LoadedClaimant[]): Sent {
  return db.query(statements.insertClaimants, [
    realm,
    texts(rows, ({ snapshot }) => snapshot),
    plain(rows, ({ account }) => account),
    plain(rows, ({ tokens }) => tokens),
    plain(rows, ({ frozen }) => String(frozen)),
    texts(rows, ({ address }) => address),
    bytes(rows, ({ leaf }) => leaf),
  ])
}
