import { bytesArray as bytes, textArray as texts } from '../../db/arrays.ts'
import type { Session, Writable } from '../../db/session.ts'
import { entryTypeNames, entryTypes, isLots } from '../../ledger/index.ts'
import type { Points, Sent } from './loadStore.ts'
import type { LoadedEntry, LoadedErasure } from './realmFile.ts'

/** Inserts the journal of an exported realm, with its details and erasures, as it is. */
export const statements = {
  copyEntries: {
    name: 'loads_copy_entries',
    text: `copy journal (realm, key, seq, at_us, amount, from_balance, to_balance, from_account, to_account,
        point, kind, encoding, hash, request, fingerprint, details_hash, link, lots) from stdin`,
  },
  insertDetails: {
    name: 'loads_insert_details',
    writes: true,
    text: `insert into details (realm, seq, salt, reason, reference, metadata, actor_id)
      select $1::integer, * from unnest($2::bigint[], $3::bytea[], $4::text[], $5::text[], $6::text[],
        $7::bigint[])
      on conflict (realm, seq) do nothing`,
  },
  insertErasures: {
    name: 'loads_insert_erasures',
    writes: true,
    text: `insert into erasures (realm, seq) select $1::integer, * from unnest($2::bigint[])
      on conflict do nothing`,
  },
} as const

/** NULL, as COPY reads it. */
const none = '\\N'

/** Entry types, as the tables have them. */
const numbers: ReadonlyMap<string, number> = new Map(
  entryTypeNames.map((name) => [name, entryTypes[name].number]),
)

function numberOf({ seq, type }: LoadedEntry): number {
  const number = numbers.get(type)
  if (number === undefined) throw new Error(`entry ${seq} has an unknown type ${JSON.stringify(type)}`)
  return number
}

function lotsOf({ seq, lots }: LoadedEntry): string {
  if (lots === undefined) return none
  if (typeof lots !== 'string' || !isLots(lots))
    throw new Error(`entry ${seq} has invalid lots ${JSON.stringify(lots)}`)
  return lots
}

/** A row of COPY. A file may contain anything: only values that need no escaping are accepted. */
function entryRow(realm: number, entry: LoadedEntry, points: Points): string {
  const field = (value: string | number | null, prefix = ''): string => {
    if (value === null) return none
    const text = String(value)
    if (!/^[0-9a-f-]{1,64}$/.test(text))
      throw new Error(`entry ${entry.seq} has an invalid field ${JSON.stringify(value)}`)
    return prefix + text
  }
  const cells = [
    String(realm),
    field(entry.keyId),
    field(entry.seq),
    field(entry.atUs),
    field(entry.tokens),
    field(entry.fromBalance),
    field(entry.toBalance),
    field(entry.fromAccount),
    field(entry.toAccount),
    field(points.get(entry.realmPointId) ?? -1),
    field(numberOf(entry)),
    field(entry.encoding),
    field(entry.hash, '\\\\x'),
    field(entry.request),
    field(entry.fingerprint),
    field(entry.detailsHash, '\\\\x'),
    field(entry.link),
    lotsOf(entry),
  ]
  return `${cells.join('\t')}\n`
}

export function copyEntries(
  session: Session,
  realm: number,
  { rows, points }: { readonly rows: readonly LoadedEntry[]; readonly points: Points },
): Sent {
  return session.copy(statements.copyEntries, rows.map((row) => entryRow(realm, row, points)).join(''))
}

export const insertErasures = (db: Writable, realm: number, rows: readonly LoadedErasure[]): Sent =>
  db.query(statements.insertErasures, [realm, texts(rows, (row) => row.seq)])

type Said = Pick<LoadedEntry, 'seq' | 'details'>

export function insertDetails(db: Writable, realm: number, rows: readonly Said[]): Sent {
  const some = rows.flatMap(({ seq, details }) => (details ? [{ seq, ...details }] : []))
  return db.query(statements.insertDetails, [
    realm,
    texts(some, (row) => row.seq),
    bytes(some, (row) => row.salt),
    texts(some, (row) => row.reason),
    texts(some, (row) => row.reference),
    texts(some, (row) => row.metadata),
    texts(some, (row) => row.actorId),
  ])
}
