import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/**
 * Follows the journals of all realms by a replication slot, and keeps every balance: docs/operate/cdc.md
 *   DATABASE_URL=postgres://exchequer_cdc:…@localhost/exchequer node examples/events/cdc.ts
 */
const slot = 'exchequer_cdc'
const publications = 'exchequer_journal,exchequer_removed'
/** Rows that are read at once; the last transaction is always whole. */
const most = 10_000

/** A row that was added to a table. Values are text, as PostgreSQL writes them. */
export type Row = { readonly table: string; readonly value: (column: string) => string | null }

type Relation = { readonly table: string; readonly columns: readonly string[] }

/** The messages of pgoutput, version 1, as far as inserts need them. */
class Message {
  readonly #data: Buffer
  #at = 1

  constructor(data: Buffer) {
    this.#data = data
  }

  get type(): string {
    return String.fromCharCode(this.#data[0] ?? 0)
  }

  int(bytes: 1 | 2 | 4): number {
    this.#at += bytes
    return this.#data.readUIntBE(this.#at - bytes, bytes)
  }

  lsn(): string {
    return `${this.int(4).toString(16)}/${this.int(4).toString(16)}`
  }

  text(): string {
    const end = this.#data.indexOf(0, this.#at)
    const found = this.#data.toString('utf8', this.#at, end)
    this.#at = end + 1
    return found
  }

  /** Null is `n`; a value that was not sent, `u`, is only in updates. */
  value(): string | null {
    if (this.int(1) !== 't'.charCodeAt(0)) return null
    const length = this.int(4)
    this.#at += length
    return this.#data.toString('utf8', this.#at - length, this.#at)
  }
}

/** Reads a slot: at least once, as what was read comes again until it is confirmed. */
export class SlotReader {
  readonly #client: pg.Client
  readonly #relations = new Map<number, Relation>()

  constructor(client: pg.Client) {
    this.#client = client
  }

  /** Rows of whole transactions, in the order of their commits, and the position to confirm. */
  async next(): Promise<{ readonly rows: readonly Row[]; readonly position: string }> {
    const { rows: here } = await this.#client.query<{ lsn: string }>(
      'select pg_current_wal_flush_lsn() as lsn',
    )
    // If nothing is found, the slot still moves on: other tables write to the log too.
    let position = here[0]?.lsn ?? ''
    const { rows: messages } = await this.#client.query<{ data: Buffer }>(
      `select data from pg_logical_slot_peek_binary_changes($1, $2, $3,
        'proto_version', '1', 'publication_names', $4)`,
      [slot, position, most, publications],
    )
    const rows: Row[] = []
    for (const { data } of messages) {
      const message = new Message(data)
      if (message.type === 'R') this.#relate(message)
      if (message.type === 'I') rows.push(this.#rowIn(message))
      if (message.type === 'C') position = endOf(message)
    }
    return { rows, position }
  }

  /** Call it when everything that was read is stored. */
  async confirm(position: string): Promise<void> {
    await this.#client.query('select pg_replication_slot_advance($1, $2)', [slot, position])
  }

  #relate(message: Message): void {
    const id = message.int(4)
    message.text()
    const table = message.text()
    message.int(1)
    const columns = Array.from({ length: message.int(2) }, () => {
      message.int(1)
      const name = message.text()
      message.int(4)
      message.int(4)
      return name
    })
    this.#relations.set(id, { table, columns })
  }

  #rowIn(message: Message): Row {
    const { table, columns } = this.#relations.get(message.int(4)) ?? { table: '', columns: [] }
    message.int(1)
    const values = new Map<string, string | null>()
    const count = message.int(2)
    for (let nth = 0; nth < count; nth++) values.set(columns[nth] ?? '', message.value())
    return { table, value: (column) => values.get(column) ?? null }
  }
}

/** Where a commit ends, from its message. */
function endOf(message: Message): string {
  message.int(1)
  message.lsn()
  return message.lsn()
}

/** Accounts without a balance: where points come from, and where claimed ones go. */
const withoutBalance = new Set(['0', '2147483647'])

/** In your program these are tables, and `add` is one transaction for all rows of a read. */
export class Balances {
  /** The last entry of each realm. */
  readonly seqs = new Map<string, bigint>()
  /** By `realm account point`. The account -7 has the held points of account 7. */
  readonly points = new Map<string, bigint>()
  /** `realm account` of members who were removed or erased: forget their names. */
  readonly tombstones = new Set<string>()

  add({ table, value }: Row): void {
    const realm = value('realm') ?? ''
    if (table === 'departures') this.tombstones.add(`${realm} ${value('account')}`)
    if (table !== 'journal') return
    const [seq, last] = [BigInt(value('seq') ?? 0), this.seqs.get(realm) ?? 0n]
    // Read again, after a crash or the first copy.
    if (seq <= last) return
    if (seq !== last + 1n) throw new Error(`Realm ${realm}: entry ${seq} came after ${last}.`)
    this.seqs.set(realm, seq)
    const amount = BigInt(value('amount') ?? 0)
    this.#move(value, 'from', -amount)
    this.#move(value, 'to', amount)
  }

  #move(value: Row['value'], side: 'from' | 'to', amount: bigint): void {
    const account = value(`${side}_account`) ?? ''
    if (withoutBalance.has(account)) return
    const name = `${value('realm')} ${account} ${value('point')}`
    const balance = (this.points.get(name) ?? 0n) + amount
    // An entry has the balance after it, so that a wrong one is noticed at once.
    const stated = value(`${side}_balance`)
    if (stated !== null && BigInt(stated) !== balance)
      throw new Error(`${name}: ${balance}, but entry ${value('seq')} says ${stated}.`)
    this.points.set(name, balance)
  }
}

const columns = 'realm, seq, amount, from_account, to_account, from_balance, to_balance, point'

/** The entries from before the slot, in short reads. Those that the slot has too are skipped there. */
export async function copyJournal(client: pg.Client, balances: Balances): Promise<void> {
  for (let after = ['0', '0']; ; ) {
    const { rows } = await client.query<Record<string, string | null>>(
      `select ${columns} from exchequer.journal where (realm, seq) > ($1::integer, $2::bigint)
        order by realm, seq limit ${most}`,
      after,
    )
    for (const row of rows) {
      const value = (column: string) => (row[column] === null ? null : String(row[column]))
      balances.add({ table: 'journal', value })
    }
    const last = rows.at(-1)
    if (!last) return
    after = [String(last['realm']), String(last['seq'])]
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] ?? '' })
  await client.connect()
  const [reader, balances] = [new SlotReader(client), new Balances()]
  await copyJournal(client, balances)
  for (;;) {
    const { rows, position } = await reader.next()
    for (const row of rows) balances.add(row)
    await reader.confirm(position)
    if (rows.length > 0) console.log(`${rows.length} rows, ${balances.points.size} balances, at ${position}`)
    else await sleep(1_000)
  }
}
