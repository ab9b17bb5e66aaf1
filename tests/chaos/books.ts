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
  /** What was there before the first of the entries; nothing when it is absent. */
  readonly opening?: Opening | undefined
}

/** Realms that had entries when the diary began: the last of each, and the balances by `realm member`. */
export type Opening = {
  readonly seqs: ReadonlyMap<string, number>
  readonly balances: ReadonlyMap<string, bigint>
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const options = { connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 60_000 }
  const client = new pg.Client(options)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function query<Row>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return connected(url, async (client) => (await client.query(text, [...values])).rows as Row[])
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
  where ($1::text[] is null or r.id = any ($1)) and j.seq > coalesce(($2::jsonb ->> r.id)::bigint, 0)
  order by j.realm, j.seq`

const balancesText = `select r.id as realm, m.id as member, b.balance from exchequer.balances b
  join exchequer.realms r on r.realm = b.realm
  join exchequer.members m on m.realm = b.realm and m.account = b.account
  where $1::text[] is null or r.id = any ($1)`

const headsText = `select r.id as realm, h.seq from exchequer.heads h
  join exchequer.realms r on r.realm = h.realm
  where r.id = any ($1)`

/** Everything that is read in it is of one moment. */
async function atOnce<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    return work(client)
  })
}

async function balancesOf(client: pg.Client, realms: readonly string[] | undefined) {
  const { rows } = await client.query(balancesText, [realms ?? null])
  const found = rows as { realm: string; member: string; balance: string }[]
  return new Map(found.map((row) => [`${row.realm} ${row.member}`, BigInt(row.balance)]))
}

/** What these realms have before anything is written to them. */
export async function readOpening(url: string, realms: readonly string[]): Promise<Opening> {
  return atOnce(url, async (client) => {
    const heads = (await client.query(headsText, [realms])).rows as { realm: string; seq: string }[]
    const seqs = new Map(heads.map(({ realm, seq }) => [realm, Number(seq)]))
    return { seqs, balances: await balancesOf(client, realms) }
  })
}

export type BooksOptions = { readonly realms?: readonly string[]; readonly opening?: Opening }

/** The whole ledger, or some realms of it since their opening, read directly from PostgreSQL. */
export async function readBooks(url: string, { realms, opening }: BooksOptions = {}): Promise<Books> {
  const big = (text: string | null) => (text === null ? undefined : BigInt(text))
  return atOnce(url, async (client) => {
    const since = JSON.stringify(Object.fromEntries(opening?.seqs ?? []))
    const rows = (await client.query(entriesText, [realms ?? null, since])).rows as EntryRow[]
    const entries = rows.map((row) => ({
      realm: row.realm,
      seq: Number(row.seq),
      kind: row.kind,
      from: row.from ?? undefined,
      to: row.to ?? undefined,
      amount: BigInt(row.amount),
      fromBalance: big(row.from_balance),
      toBalance: big(row.to_balance),
    }))
    return { entries, balances: await balancesOf(client, realms), opening }
  })
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
