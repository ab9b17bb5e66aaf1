import type { Queryable } from '../../db/session.ts'

export const statements = {
  /** At least one row, for the state; without a change its columns are null. One snapshot for both. */
  read: {
    name: 'changes_read',
    text: `select s.system_id, s.timeline, s.horizon, s.deleted_xid, s.deleted_realm,
        c.xid, c.realm, c.realm_id, c.from_seq, c.to_seq
      from feed_state() s left join lateral changes_after($1::xid8, $2::integer, $3::integer) c on true
      order by c.xid, c.realm`,
  },
  trim: {
    name: 'changes_trim',
    text: 'select trim_changes(make_interval(hours => $1::integer), $2::integer) as trimmed',
  },
  end: { name: 'changes_end', text: 'select end_feed()' },
} as const

/** A place in the order of changes: a transaction's number, in digits, and a realm's. */
export type Place = { readonly xid: string; readonly realm: number }

type Row = {
  readonly system_id: string
  readonly timeline: string
  readonly horizon: string
  readonly deleted_xid: string
  readonly deleted_realm: number
} & (
  | {
      readonly xid: string
      readonly realm: number
      readonly realm_id: string
      readonly from_seq: bigint
      readonly to_seq: bigint
    }
  | { readonly xid: null }
)

export type StoredChange = Place & {
  readonly realmId: string
  readonly fromSeq: bigint
  readonly toSeq: bigint
}

/** What the database says of itself, together with the changes. */
export type FeedState = {
  readonly systemId: string
  readonly timeline: string
  /** The first transaction that may still be open. */
  readonly horizon: string
  /** Changes up to this place may be deleted. */
  readonly deleted: Place
}

export async function readChanges(
  db: Queryable,
  after: Place,
  most: number,
): Promise<{ readonly state: FeedState; readonly changes: StoredChange[] }> {
  const { rows } = await db.query<Row>(statements.read, [after.xid, after.realm, most])
  const [first] = rows
  if (!first) throw new Error('the state of the operator feed is missing')
  const { system_id: systemId, timeline, horizon, deleted_xid: xid, deleted_realm: realm } = first
  const changes = rows.flatMap((row) =>
    row.xid === null
      ? []
      : [
          {
            xid: row.xid,
            realm: row.realm,
            realmId: row.realm_id,
            fromSeq: row.from_seq,
            toSeq: row.to_seq,
          },
        ],
  )
  return { state: { systemId, timeline, horizon, deleted: { xid, realm } }, changes }
}

/** Deletes changes that are older than `keepHours`, `most` at once; returns how many. */
export async function trimChanges(db: Queryable, keepHours: number, most: number): Promise<number> {
  const { rows } = await db.query<{ trimmed: number }>(statements.trim, [keepHours, most])
  return rows[0]?.trimmed ?? 0
}

/** From now on no cursor of before can be used. */
export async function endFeed(db: Queryable): Promise<void> {
  await db.query(statements.end)
}
