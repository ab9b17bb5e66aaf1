import { Coalescer } from '../db/coalesce.ts'
import type { Database } from '../db/database.ts'
import { RefusalError, refuse, wrongCell } from '../errors.ts'
import {
  addKeyPlaces,
  confirmNew,
  deleteKeyPlaces,
  findKeyPlaces,
  findPlace,
  hasOther,
  type KeyAt,
  type KeyPlaceRow,
  type ListedPlace,
  listCells,
  listPlaces,
  type PlacePage,
  type PlaceRow,
  placeNew,
  readThisCell,
  setName,
} from './store.ts'

/** How soon a process of cell 0 knows that a second cell was added. */
export const noticedMs = 2_000
/** Unknown keys per query, and concurrent queries of one process: a flood must not reach the directory. */
const askedAtOnce = { cap: 50, parallel: 2 } as const

/** The setting or command that a cell's database needs before a process can serve it. */
export class CellMismatch extends Error {}

/** Where a new realm is placed. */
export type NewRealmPlace = { readonly realm: number; readonly cell: number; readonly createdAt: Date }

/** A key that this cell does not know, of a realm in another cell. */
export type KeyPlace = { readonly realmId: string; readonly cell: number }

type DirectoryOptions = { readonly own: Database; readonly db: Database; readonly cell: number }

/**
 * The database that knows which cell a realm is in, as a process of one cell uses it. In cell 0 it is the
 * cell's own database.
 */
export class Directory {
  /** The number of this process's cell. */
  readonly cell: number
  /** The directory's database. */
  readonly db: Database
  /** The cell's own database. */
  readonly own: Database
  readonly #finding: Coalescer<readonly Buffer[], KeyPlaceRow | undefined>
  #isAlone = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ own, db, cell }: DirectoryOptions) {
    this.own = own
    this.db = db
    this.cell = cell
    this.#finding = new Coalescer((asked) => this.#findPlaces(asked), askedAtOnce)
  }

  /** Reads this process's cell. Rejects a database that was not added as a cell. */
  static async open({ own, db }: Omit<DirectoryOptions, 'cell'>): Promise<Directory> {
    const cell = await readThisCell(own).catch((error: unknown) => {
      // A process of an only cell starts also while its database is away.
      if (own === db && error instanceof RefusalError) return 0
      throw error
    })
    if (own !== db && cell === 0)
      throw new CellMismatch(
        'DIRECTORY_URL is another database than DATABASE_URL, which is not a cell yet. Add it with ' +
          '`exchequer-server cell add <cell>`, or remove DIRECTORY_URL.',
      )
    if (own === db && cell !== 0)
      throw new CellMismatch(
        `The database in DATABASE_URL is cell ${cell}. Set DIRECTORY_URL to the database of cell 0.`,
      )
    const directory = new Directory({ own, db, cell })
    if (directory.isOwn) await directory.#look()
    return directory
  }

  /** Whether the directory is this cell's own database, so that one transaction reaches both. */
  get isOwn(): boolean {
    return this.db === this.own
  }

  /**
   * Whether there is only this cell: then nothing is asked or written for the sake of others. False until the
   * database has answered.
   */
  get isAlone(): boolean {
    return this.#isAlone
  }

  /** Keeps `isAlone` up to date. A cell is never removed, so nothing is asked once there is another. */
  async #look(): Promise<void> {
    const others = await hasOther(this.db).catch(() => undefined)
    if (others !== undefined) this.#isAlone = !others
    if (others !== true && !this.#isClosed)
      this.#timer = setTimeout(() => void this.#look(), noticedMs).unref()
  }

  /**
   * Gives a new realm its number, in this cell. Until `confirm`, a repeated call with the same id gets the
   * same number.
   */
  async placeNew(id: string, name: string): Promise<NewRealmPlace> {
    const { cell } = this
    const made = await placeNew(this.db, { id, name, cell })
    if (made) return { realm: made.realm, cell, createdAt: made.created_at }
    const taken = await findPlace(this.db, id)
    if (taken?.purged)
      throw refuse(
        'already_exists',
        `Realm ${id} was purged. Its id can't be used again; choose another one.`,
      )
    if (taken) throw refuse('already_exists', `Realm ${id} already exists.`)
    throw await this.notOpen()
  }

  /** The refusal of a new realm where this cell takes none. */
  async notOpen(): Promise<RefusalError> {
    const open = (await listCells(this.db)).filter((one) => one.state === 'open')
    const fewest = open.sort((a, b) => a.realms - b.realms).map((one) => one.cell)
    const others = fewest.length === 0 ? 'No cell is open.' : `Cells that do: ${fewest.join(', ')}.`
    return new RefusalError({
      ...wrongCell,
      detail: `Cell ${this.cell} takes no new realms. Send the request with cell=N in its query. ${others}`,
    })
  }

  /** The realm exists in its cell. */
  confirm(realm: number): Promise<void> {
    return confirmNew(this.db, [realm])
  }

  /** A realm of any cell, by its public id. */
  find(id: string): Promise<PlaceRow | undefined> {
    return findPlace(this.db, id)
  }

  /** Realms of all cells in order of creation. */
  page(page: PlacePage): Promise<ListedPlace[]> {
    return listPlaces(this.db, page)
  }

  /** The copy of a realm's name. */
  setName(realm: number, name: string): Promise<void> {
    return setName(this.db, realm, name)
  }

  /** Must be written before the key can be used. */
  addKeys(keys: readonly KeyAt[]): Promise<void> {
    return addKeyPlaces(this.db, keys)
  }

  /** Forgets the keys of a purged realm. */
  forgetKeys(realm: number): Promise<void> {
    return deleteKeyPlaces(this.db, realm)
  }

  /** A key of another cell's realm, by its hashes under all key secrets; undefined if there is none. */
  async keyPlace(hashes: readonly Buffer[]): Promise<KeyPlace | undefined> {
    if (this.#isAlone) return undefined
    const row = await this.#finding.get(hashes)
    // A key of this cell that was not found here was revoked, or has expired.
    return row && row.cell !== this.cell ? { realmId: row.realm_id, cell: row.cell } : undefined
  }

  async #findPlaces(asked: readonly (readonly Buffer[])[]): Promise<(KeyPlaceRow | undefined)[]> {
    const rows = await findKeyPlaces(this.db, asked.flat())
    const known = new Map(rows.map((row) => [row.hash.toString('hex'), row]))
    return asked.map((hashes) =>
      hashes.map((hash) => known.get(hash.toString('hex'))).find((row) => row !== undefined),
    )
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }
}
