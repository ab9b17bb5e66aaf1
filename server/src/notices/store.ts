import { plainArray, textArray } from '../db/arrays.ts'
import type { Writable } from '../db/session.ts'

export const statements = {
  /**
   * Those that a webhook of the realm selects, numbered in order. A disabled webhook counts as long as
   * notices are kept: it can become active again.
   */
  insert: {
    name: 'notices_insert',
    writes: true,
    text: `with wanted as (
        select n.* from unnest($2::text[], $3::integer[], $4::text[], $5::text[]) with ordinality
          as n (type, account, data, mark, place)
        where exists (select from endpoints e where e.realm = $1
          and (e.types is null or n.type = any (e.types))
          and (e.disabled_at is null or e.disabled_at > now() - interval '35 days') offset 0)),
      head as (
        insert into notice_heads (realm, n) select $1::integer, count(*) from wanted having count(*) > 0
        on conflict (realm) do update set n = notice_heads.n + excluded.n returning n)
      insert into notices (realm, n, mark, after_seq, type, account, data)
      select $1::integer, head.n - count(*) over () + row_number() over (order by w.place), w.mark,
        (select h.seq from heads h where h.realm = $1), w.type, w.account, w.data
      from wanted w cross join head`,
  },
  eraseOfAccount: {
    name: 'notices_erase',
    writes: true,
    text: `update notices set data = '{}' where realm = $1 and account = $2`,
  },
  /** Of accounts that the member had before. */
  eraseRemovals: {
    name: 'notices_erase_removals',
    writes: true,
    text: `update notices set data = '{}' where realm = $1 and type = 'member.removed' and data = $2`,
  },
} as const

export type NoticeRow = {
  readonly type: string
  readonly account: number | undefined
  /** JSON. */
  readonly data: string
  /** A random part of the event's id. */
  readonly mark: string
}

export async function insertNotices(tx: Writable, realm: number, rows: readonly NoticeRow[]): Promise<void> {
  await tx.query(statements.insert, [
    realm,
    textArray(rows, ({ type }) => type),
    plainArray(rows, ({ account }) => account),
    textArray(rows, ({ data }) => data),
    textArray(rows, ({ mark }) => mark),
  ])
}

export async function eraseNotices(
  tx: Writable,
  realm: number,
  { account, removal }: { readonly account: number; readonly removal: string },
): Promise<void> {
  await tx.query(statements.eraseOfAccount, [realm, account])
  await tx.query(statements.eraseRemovals, [realm, removal])
}
