import { plainArray as plain } from '../../db/arrays.ts'
import type { Answer, Queryable } from '../../db/session.ts'
import type { PostedCommand } from '../rules/command.ts'
import type { NewKeyDay } from '../rules/state.ts'
import type { Rows } from './asideStore.ts'
import { ask, type Many, type OfRealm } from './contextStore.ts'
import { once } from './once.ts'

/**
 * What keys with a limit per day have moved: one row for each, of the last day on which it moved any. Read
 * and written under the head lock, and only for such keys.
 */
export const statements = {
  readKeyDays: {
    name: 'ledger_read_key_days',
    text: `select asked.realm, d.key, d.day, d.moved
      from unnest($1::integer[], $2::integer[]) as asked (realm, key)
      cross join lateral (select key, day, moved from key_days
        where realm = asked.realm and key = asked.key limit 1) d`,
  },
  /** The row of an earlier day is replaced: there is never more than one for a key. */
  putKeyDays: {
    name: 'ledger_put_key_days',
    text: `insert into key_days (realm, key, day, moved)
      select * from unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[])
      on conflict (realm, key) do update set day = excluded.day, moved = excluded.moved`,
  },
} as const

export type KeyDayRow = OfRealm & { key: number; day: number; moved: bigint }

/** Of the keys of these commands that have a limit per day. */
export function readKeyDays(db: Queryable, commands: readonly PostedCommand[]): Many<KeyDayRow> {
  const limited = commands.filter(({ limits }) => limits !== undefined && limits.maxPerDay !== null)
  const asked = once(limited, ({ realm, key }) => `${realm}:${key}`)
  return ask(db, statements.readKeyDays, { asked, values: [plain(asked, ({ key }) => key)] })
}

/** Sends nothing where no such key moved any points. */
export function writeKeyDays(db: Queryable, rows: Rows<NewKeyDay>): Promise<Answer<unknown>>[] {
  if (rows.length === 0) return []
  const values = [
    plain(rows, ({ realm }) => realm),
    plain(rows, ({ row }) => row.key),
    plain(rows, ({ row }) => row.day),
    plain(rows, ({ row }) => row.moved),
  ]
  return [db.query(statements.putKeyDays, values)]
}
