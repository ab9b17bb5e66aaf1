import { setTimeout as sleep } from 'node:timers/promises'
import {
  addCell,
  addKeyPlaces,
  type CellState,
  hasRealms,
  listCells,
  listKeys,
  noticedMs,
  readThisCell,
  setState,
  setThisCell,
} from '../cells/index.ts'
import { listStrays } from '../cells/move/index.ts'
import { type Config, ConfigError, readConfig } from '../config/index.ts'
import { release } from '../config/release.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { migrate, missingMigrations, readMigrations } from '../db/migrate.ts'
import { commandConnectMs } from '../db/session.ts'
import { command, print } from './command.ts'

/** Until every process of cell 0 knows that there is another cell, and its transactions have ended. */
const knownMs = 2 * noticedMs + 4_000
/** Keys copied in one statement. */
const pageSize = 2_000
const greatest = 9999
const states: readonly CellState[] = ['open', 'full', 'closed']

async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(url, { connectWithinMs: commandConnectMs })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

function cellIn(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) <= greatest) return Number(text)
  throw new ConfigError(`${text} is not a valid cell. Use a whole number from 0 to ${greatest}.`)
}

/** The database of a cell, with the role that owns its schema. */
export function urlOf({ cellUrls, directoryUrl, databaseUrl, ownerUrl }: Config, cell: number): string {
  const url = cellUrls.get(cell)
  if (url !== undefined) return url
  if (cell === 0 && directoryUrl === databaseUrl) return ownerUrl
  throw new ConfigError(
    `CELL_URLS has no cell ${cell}. Set it to the databases of the cells, with the roles that own their ` +
      'schemas: 0=postgres://…,1=postgres://…',
  )
}

/** Slots that no move uses keep WAL until a disk is full. A cell that is away must not hide the others. */
async function warnOfSlots(cellUrls: Config['cellUrls']): Promise<void> {
  const directoryUrl = cellUrls.get(0)
  if (directoryUrl === undefined) return
  for (const [cell, url] of cellUrls) {
    const finding = withDatabase(directoryUrl, (directory) =>
      withDatabase(url, (db) => listStrays(db, directory)),
    )
    const parts = await finding.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      console.error(`cell ${cell}: slots are unknown: ${why}`)
      return []
    })
    for (const { name } of parts.filter(({ what }) => what === 'slot'))
      console.error(
        `cell ${cell}: the replication slot ${name} is of no move, and keeps WAL. The next move from or to ` +
          `this cell drops it, or its superuser: select pg_drop_replication_slot('${name}')`,
      )
  }
}

async function list(): Promise<undefined> {
  const { directoryUrl, cellUrls } = readConfig(process.env)
  await withDatabase(directoryUrl, async (db) => {
    const cells = await listCells(db)
    print(cells.map(({ cell, state, realms, added_at: addedAt }) => ({ cell, state, realms, addedAt })))
  })
  await warnOfSlots(cellUrls)
}

/** The directory first: a cell never has a newer schema than it. */
async function migrateCell(config: Config, cell: number): Promise<void> {
  const missing = await withDatabase(urlOf(config, 0), (db) =>
    missingMigrations(db, readMigrations(), release),
  )
  if (missing > 0)
    throw new ConfigError(`The directory (cell 0) lacks ${missing} migrations. Run migrate for it first.`)
  const onStep = ({ number, name }: { number: number; name: string }) =>
    console.error(`migrated: ${number} ${name}`)
  const ownerUrl = urlOf(config, cell)
  const onProgress = (line: string) => console.error(line)
  await migrate({ ownerUrl, serverUrl: config.databaseUrl, release, onStep, onProgress })
}

/** A database with realms of its own can't become a cell: others have their numbers. */
async function number(db: Database, cell: number): Promise<void> {
  const now = await readThisCell(db)
  if (now === cell) return
  if (now !== 0) throw new ConfigError(`The database of cell ${cell} in CELL_URLS is cell ${now}.`)
  if (await hasRealms(db))
    throw new ConfigError(
      `The database of cell ${cell} in CELL_URLS has realms. A new cell needs an empty database; move the ` +
        'realms of the old one by export and import.',
    )
  await setThisCell(db, cell)
}

/** Every key of a cell in the directory, so that other cells know it. */
async function copyKeys(from: Database, directory: Database): Promise<number> {
  let count = 0
  for (let after = { realm: 0, number: 0 }; ; ) {
    const keys = await listKeys(from, after, pageSize)
    const last = keys.at(-1)
    if (!last) return count
    await addKeyPlaces(directory, keys)
    count += keys.length
    after = last
  }
}

async function add(text: string): Promise<undefined> {
  const config = readConfig(process.env)
  const cell = cellIn(text)
  if (cell === 0) throw new ConfigError('Cell 0 is the directory itself. New cells are 1 and above.')
  if (urlOf(config, cell) === urlOf(config, 0))
    throw new ConfigError(`CELL_URLS has the same database for cell 0 and cell ${cell}.`)
  await migrateCell(config, cell)
  await withDatabase(urlOf(config, cell), (own) =>
    withDatabase(urlOf(config, 0), async (directory) => {
      await number(own, cell)
      // Full at first: no realm is placed there before every process knows of the cell.
      const isNew = await addCell(directory, cell, 'full')
      if (isNew) console.error(`waiting ${knownMs / 1000} s until every server knows of the cell`)
      if (isNew) await sleep(knownMs)
      const keys = (await copyKeys(directory, directory)) + (await copyKeys(own, directory))
      if (isNew) await setState(directory, cell, 'open')
      const added = (await listCells(directory)).find((one) => one.cell === cell)
      print({ cell, state: added?.state, keys })
    }),
  )
}

async function set(text: string, wanted: string): Promise<undefined> {
  const config = readConfig(process.env)
  const cell = cellIn(text)
  const state = states.find((one) => one === wanted)
  if (!state) throw new ConfigError(`${wanted} is not a valid state. Use one of ${states.join(', ')}.`)
  await withDatabase(urlOf(config, 0), async (db) => {
    if (!(await setState(db, cell, state))) throw new ConfigError(`There is no cell ${cell}.`)
  })
  print({ cell, state })
}

/** Only for installations with more than one database. */
export const cellCommands = [
  command(
    'cell list',
    'list the cells, with the number of their realms, and slots that moves left in them (CELL_URLS)',
    list,
  ),
  command(
    'cell add <cell>',
    'migrate a new cell’s database and add it (CELL_URLS); run again to resume',
    ([cell = '']) => add(cell),
  ),
  command(
    'cell set <cell> <state>',
    'open: gets new realms; full: gets none; closed: gets none, and is to be emptied (CELL_URLS)',
    ([cell = '', state = '']) => set(cell, state),
  ),
]
