import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { query } from '../chaos/books.ts'
import type { Cell, CellStage } from './stage.ts'

const headText = `select h.place, h.seq, encode(h.hash, 'hex') as hash from exchequer.heads h
  join exchequer.realms r on r.realm = h.realm where r.id = $1`

export type Head = { readonly place: number; readonly seq: string; readonly hash: string }

export async function headAt({ postmaster }: Cell, realm: string): Promise<Head | undefined> {
  const [head] = await query<Head>(postmaster.superuserUrl, headText, [realm])
  return head
}

/** The cell that has the realm's head. */
export async function cellOf({ one, two }: CellStage, realm: string): Promise<Cell> {
  for (const cell of [one, two]) if (await headAt(cell, realm)) return cell
  throw new Error(`no cell has the head of ${realm}`)
}

/** One session that reads a head again and again, and connects again when its database is back. */
class HeadReader {
  readonly #cell: Cell
  readonly #realm: string
  #client: pg.Client | undefined

  constructor(cell: Cell, realm: string) {
    this.#cell = cell
    this.#realm = realm
  }

  /** Throws while the database is away. */
  async place(): Promise<number | undefined> {
    try {
      this.#client ??= await this.#connect()
      const { rows } = await this.#client.query(headText, [this.#realm])
      return rows[0]?.place as number | undefined
    } catch (error) {
      await this.close()
      throw error
    }
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end().catch(() => {})
  }

  async #connect(): Promise<pg.Client> {
    const { superuserUrl } = this.#cell.postmaster
    const options = { connectionTimeoutMillis: 1_000, query_timeout: 2_000 }
    const client = new pg.Client({ connectionString: superuserUrl, ...options })
    client.on('error', () => {})
    await client.connect()
    return client
  }
}

/** Watches that a realm never has a head in two cells. */
export class HeadWatch {
  readonly #readers: readonly [HeadReader, HeadReader]
  readonly #watching: Promise<void>
  #isOver = false
  /** How often both databases were read. */
  looks = 0
  readonly wrong: string[] = []

  constructor({ one, two }: CellStage, realm: string) {
    this.#readers = [new HeadReader(one, realm), new HeadReader(two, realm)]
    this.#watching = this.#run()
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#watching
    for (const reader of this.#readers) await reader.close()
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#look()
        this.looks += 1
      } catch {
        // A database is away: a part of the test.
      }
      await sleep(5)
    }
  }

  /** A head that is there before and after the other was seen was there at that moment too. */
  async #look(): Promise<void> {
    const [one, two] = this.#readers
    const before = await one.place()
    const other = await two.place()
    const after = await one.place()
    if (other !== undefined && before !== undefined && before === after)
      this.wrong.push(`two heads, of places ${before} and ${other}`)
  }
}
