import pg from 'pg'
import { issuance } from '../../server/src/ledger/rules/command.ts'

/** An entry as the database has it, with the members' own ids; undefined is the realm's issuance. */
export type Entry = {
  readonly realm: string
  readonly seq: number
  readonly kind: number
  readonly from: string | undefined
  readonly to: string | undefined
  readonly amount: bigint
  readonly fromBalance: bigint | undefined
  readonly toBalance: bigint | undefined
}

export type Books = {
  readonly entries: readonly Entry[]
  /** `realm member` and what the balance table says. */
  readonly balances: ReadonlyMap<string, bigint>
}

export async function query<Row>(url: string, text: string): Promise<Row[]> {
  const options = { connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 60_000 }
  const client = new pg.Client(options)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

type EntryRow = Readonly<Record<'realm' | 'seq' | 'amount', string>> & { readonly kind: number } & Readonly<
    Record<'from' | 'to' | 'from_balance' | 'to_balance', string | null>
  >

const entriesText = `select r.id as realm, j.seq, j.kind, f.id as "from", t.id as "to", j.amount,
    j.from_balance,
    j.to_balance
  from exchequer.journal j join exchequer.realms r on r.realm = j.realm
  left join exchequer.members f on f.realm = j.realm and f.account = j.from_account
  left join exchequer.members t on t.realm = j.realm and t.account = j.to_account
  order by j.realm, j.seq`

const balancesText = `select r.id as realm, m.id as member, b.balance from exchequer.balances b
  join exchequer.realms r on r.realm = b.realm
  join exchequer.members m on m.realm = b.realm and m.account = b.account`

/** The whole ledger, read directly from PostgreSQL. */
export async function readBooks(url: string): Promise<Books> {
  const big = (text: string | null) => (text === null ? undefined : BigInt(text))
  const entries = (await query<EntryRow>(url, entriesText)).map((row) => ({
    realm: row.realm,
    seq: Number(row.seq),
    kind: row.kind,
    from: row.from ?? undefined,
    to: row.to ?? undefined,
    amount: BigInt(row.amount),
    fromBalance: big(row.from_balance),
    toBalance: big(row.to_balance),
  }))
  const rows = await query<{ realm: string; member: string; balance: string }>(url, balancesText)
  const balances = new Map(rows.map((row) => [`${row.realm} ${row.member}`, BigInt(row.balance)]))
  return { entries, balances }
}

type SnapshotRow = Readonly<Record<'realm' | 'seq' | 'held' | 'issued' | 'entries' | 'last', string>>

/** One statement is one snapshot: what a reader sees at that moment. */
const snapshotText = `select r.id as realm, h.seq,
    (select coalesce(sum(balance), 0) from exchequer.balances where realm = h.realm) as held,
    (select coalesce(sum(case when from_account = ${issuance} then amount when to_account = ${issuance}
      then -amount else 0 end), 0) from exchequer.journal where realm = h.realm) as issued,
    (select count(*) from exchequer.journal where realm = h.realm) as entries,
    (select coalesce(max(seq), 0) from exchequer.journal where realm = h.realm) as last
  from exchequer.heads h join exchequer.realms r on r.realm = h.realm`

/** Problems in the ledger at this moment. Throws when the database is unreachable. */
export async function wrongNow(url: string, closed: ReadonlyMap<string, bigint>): Promise<string[]> {
  const rows = await query<SnapshotRow>(url, snapshotText)
  return rows.flatMap(({ realm, seq, held, issued, entries, last }) => {
    const wrong: string[] = []
    if (held !== issued) wrong.push(`${realm}: members hold ${held}, but ${issued} were issued`)
    if (seq !== entries || seq !== last)
      wrong.push(`${realm}: head at ${seq}, ${entries} entries, the last is ${last}`)
    const sum = closed.get(realm)
    if (sum !== undefined && BigInt(held) !== sum)
      wrong.push(`${realm}: ${held} in total; transfers must keep ${sum}`)
    return wrong
  })
}
