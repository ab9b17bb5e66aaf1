import { type Queryable, Session } from '../../src/db/session.ts'
import { type EntryRow, readEntries, readHead, readPoints } from '../../src/ledger/journal/journalStore.ts'
import { type Checkpoint, type Verdict, verify } from '../../src/ledger/journal/verify.ts'
import { hashOf } from '../../src/ledger/rules/chain.ts'
import { originHash } from '../../src/realms/index.ts'

const everything = { after: 0n, upTo: 1_000_000n }

/** Plants errors in a realm's ledger with all rights on the database; each one is rolled back. */
export class Planter {
  readonly session: Session
  readonly #realm: number

  private constructor(session: Session, realm: number) {
    this.session = session
    this.#realm = realm
  }

  static async open(superuserUrl: string, realm: number): Promise<Planter> {
    const settings = { idle_in_transaction_session_timeout: '0' }
    return new Planter(await Session.open(superuserUrl, { settings }), realm)
  }

  get #books(): Queryable {
    return this.session.within([this.#realm])
  }

  close(): Promise<void> {
    return this.session.close()
  }

  /** Plants in a transaction with the journal's triggers off, and rolls it back after `look`. */
  async planted<T>(plant: () => Promise<unknown>, look: () => Promise<T>): Promise<T> {
    await this.run('begin')
    try {
      await this.run('alter table journal disable trigger all')
      await plant()
      return await look()
    } finally {
      await this.run('rollback')
    }
  }

  verify(against?: Checkpoint): Promise<Verdict> {
    return verify(this.session, { realm: this.#realm, against })
  }

  async run(text: string, values: readonly unknown[] = []): Promise<number> {
    return (await this.session.query({ name: '', text }, values)).count
  }

  /** A change of this realm's rows, `$1` being the realm. One that changes no row proves nothing. */
  async change(text: string): Promise<void> {
    if ((await this.run(text, [this.#realm])) === 0) throw new Error(`no row was changed: ${text}`)
  }

  async entries(): Promise<EntryRow[]> {
    const pages = await Array.fromAsync(readEntries(this.#books, this.#realm, everything))
    return pages.flat()
  }

  /** Rewrites entries and chains them again like the server, up to the head. */
  async rewrite(change: (rows: EntryRow[]) => void): Promise<void> {
    const rows = await this.entries()
    change(rows)
    const points = await readPoints(this.#books, this.#realm)
    let hash = originHash((await readHead(this.#books, this.#realm)).realm_id)
    for (const row of rows) {
      hash = hashOf(hash, sealable(row, points.get(row.point) ?? ''))
      await this.run(
        `update journal set amount = $3, from_balance = $4, to_balance = $5, at_us = $6, hash = $7, lots = $8,
          encoding = $9
          where realm = $1 and seq = $2`,
        [
          this.#realm,
          row.seq,
          row.amount,
          row.from_balance,
          row.to_balance,
          row.at_us,
          `\\x${hash}`,
          row.lots,
          row.encoding,
        ],
      )
    }
    await this.run('update heads set hash = $2 where realm = $1', [this.#realm, `\\x${hash}`])
  }

  /** Stores the balances that follow from the journal. */
  async settleBalances(): Promise<void> {
    for (const row of await this.entries()) {
      await this.#settle(row, row.from_account, row.from_balance)
      await this.#settle(row, row.to_account, row.to_balance)
    }
  }

  async #settle(row: EntryRow, account: number, balance: bigint | null): Promise<void> {
    await this.run(
      'update balances set balance = $4, seq = $5 where realm = $1 and account = $2 and point = $3',
      [this.#realm, account, row.point, balance, row.seq],
    )
  }
}

/** The balances after each entry, computed again from the amounts. */
export function recomputeBalances(rows: EntryRow[]): void {
  const balances = new Map<string, bigint>()
  const move = (row: EntryRow, account: number, by: bigint): bigint | null => {
    if (account === 0) return null
    const key = `${account}:${row.point}`
    const after = (balances.get(key) ?? 0n) + by
    balances.set(key, after)
    return after
  }
  for (const row of rows) {
    row.from_balance = move(row, row.from_account, -row.amount)
    row.to_balance = move(row, row.to_account, row.amount)
  }
}

function sealable(row: EntryRow, point: string) {
  const { seq, at_us: atUs, kind, key, amount, request, fingerprint, details_hash: detailsHash } = row
  const { from_account: from, to_account: to, from_balance: fromBalance, to_balance: toBalance } = row
  const said = { request, fingerprint, detailsHash, link: row.link, lots: row.lots }
  return { seq, atUs, kind, key, point, from, to, amount, fromBalance, toBalance, ...said }
}
