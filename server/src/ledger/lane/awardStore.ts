import { plainArray as plain, textArray as texts } from '../../db/arrays.ts'
import type { Answer, Queryable } from '../../db/session.ts'
import { pendingText } from '../rules/accounts.ts'
import type { EndAward } from '../rules/command.ts'
import type { DeferredAward, EndedHold, NewAward } from '../rules/state.ts'
import {
  endText,
  insertText,
  newRows,
  openText,
  type Rows,
  readBalanceText,
  readText,
  seqRows,
} from './asideStore.ts'
import {
  ask,
  balanceValues,
  type HeldRow,
  type HoldRow,
  type Many,
  type OfBalance,
  type VersionRow,
  versionText,
} from './contextStore.ts'

const pending = { table: 'awards', due: 'grant_us', account: pendingText, hasLots: false } as const

/** As those of held points. */
export const statements = {
  readAwards: { name: 'ledger_read_awards', text: readText(pending) },
  /** What is promised to members already, for new awards. */
  readPending: { name: 'ledger_read_pending', text: readBalanceText(pending) },
  /** The entry that last moved any points of the members of these awards. */
  readAwardVersions: {
    name: 'ledger_read_award_versions',
    text: `select asked.realm, a.account, greatest(b.seq, c.seq, d.seq, 0) as version
      from unnest($1::integer[], $2::bigint[]) as asked (realm, seq)
      cross join lateral (select account from awards
        where realm = asked.realm and seq = asked.seq limit 1) a
      ${versionText('a.account')}`,
  },
  insertAwards: { name: 'ledger_insert_awards', text: insertText(pending) },
  endAwards: { name: 'ledger_end_awards', text: endText(pending) },
  deferAwards: {
    name: 'ledger_defer_awards',
    text: `${openText(
      'awards',
      '$1::integer[], $2::bigint[], $3::bigint[], $4::text[]',
      'realm, seq, retry_us, postponed_by',
    )}
      update awards a set retry_us = k.retry_us, postponed_by = k.postponed_by
      from known k where a.ctid = k.place and a.realm is not distinct from k.realm`,
  },
} as const

export type AwardRow = Omit<HoldRow, 'due_us' | 'lots'> & { due_us: bigint | null }

const seqs = (asked: readonly EndAward[]): string[] => [plain(asked, ({ award }) => award)]

export const readAwards = (db: Queryable, asked: readonly EndAward[]): Many<AwardRow> =>
  ask(db, statements.readAwards, { asked, values: seqs(asked) })

export const readPending = (db: Queryable, asked: readonly OfBalance[]): Many<HeldRow> =>
  ask(db, statements.readPending, { asked, values: balanceValues(asked) })

export const readAwardVersions = (db: Queryable, asked: readonly EndAward[]): Many<VersionRow> =>
  ask(db, statements.readAwardVersions, { asked, values: seqs(asked) })

export const insertAwards = (db: Queryable, rows: Rows<NewAward>): Promise<Answer<unknown>> =>
  db.query(
    statements.insertAwards,
    newRows(rows, ({ award }) => ({ ...award, dueUs: award.grantUs })),
  )

export const endAwards = (db: Queryable, rows: Rows<EndedHold>): Promise<Answer<unknown>> =>
  db.query(
    statements.endAwards,
    seqRows(rows, ({ endedBy }) => endedBy),
  )

/** Postpones awards that could not be granted, so that they are not tried again each second. */
export const deferAwards = (db: Queryable, rows: Rows<DeferredAward>): Promise<Answer<unknown>> =>
  db.query(statements.deferAwards, [
    ...seqRows(rows, ({ retryUs }) => retryUs),
    texts(rows, ({ row }) => row.code),
  ])
