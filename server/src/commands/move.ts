import { setTimeout as sleep } from 'node:timers/promises'
import { type Cells, MoveError, type MoveOptions, moveRealm, purgeCopies } from '../cells/move/index.ts'
import { type Config, ConfigError, readConfig } from '../config/index.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { sqlState } from '../db/failures.ts'
import { commandConnectMs } from '../db/session.ts'
import { gently } from '../ledger/journal/throttledReader.ts'
import { verify } from '../ledger/journal/verify.ts'
import { command, type Values } from './command.ts'
import { Progress } from './progress.ts'

/** Opens the cells of CELL_URLS when they are needed, and closes them. */
class OpenCells implements Cells {
  readonly #config: Config
  readonly #open = new Map<number, { readonly db: Database; readonly url: string }>()
  readonly #directory: Database

  constructor(config: Config) {
    this.#config = config
    this.#directory = this.#connect(config.cellUrls.get(0) ?? config.directoryUrl)
  }

  #connect(url: string): Database {
    const strict = this.#config.durability === 'strict'
    return openDatabase(url, { strict, connectWithinMs: commandConnectMs })
  }

  get directory(): Database {
    return this.#directory
  }

  get numbers(): number[] {
    return [...this.#config.cellUrls.keys()]
  }

  open(cell: number): { readonly db: Database; readonly url: string } {
    const known = this.#open.get(cell)
    if (known) return known
    const url = this.#config.cellUrls.get(cell)
    if (url === undefined) throw new ConfigError(`CELL_URLS does not name cell ${cell}. Add its URL.`)
    const opened = { url, db: this.#connect(url) }
    this.#open.set(cell, opened)
    return opened
  }

  async close(): Promise<void> {
    await this.#directory.close()
    for (const { db } of this.#open.values()) await db.close()
  }
}

const clock = { nowMs: () => performance.now(), sleep: (ms: number) => sleep(ms) }

const optionsOf = (id: string): MoveOptions => ({
  say: (line) => console.error(`${id}: ${line}`),
  async verify(db, realm, against) {
    const onStep = new Progress(console.error, clock.nowMs).of(id)
    const verdict = await verify(gently(db, clock), { realm, against, onStep })
    return verdict.ok ? undefined : `${verdict.where}: ${verdict.why}`
  },
})

function cellOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw new ConfigError(`--to is ${text}; it must be the number of a cell, such as 1.`)
}

async function runMove(cells: Cells, id: string, values: Values): Promise<void> {
  const [to, isGivenUp] = [cellOf(values['to']), values['give-up'] !== undefined]
  const options = optionsOf(id)
  await moveRealm(cells, { id, to, isGivenUp }, options)
  console.log(isGivenUp ? `${id}: the move was given up` : `${id}: moved`)
}

async function runPurge(cells: OpenCells, id: string, values: Values): Promise<void> {
  const say = (line: string) => console.error(line)
  const isNow = values['now'] !== undefined
  await purgeCopies(cells, { id, isNow, say, cells: cells.numbers })
  console.log(`${id}: no rows are left in cells that it has moved away from`)
}

/** What the operator can fix is one sentence; errors of PostgreSQL are in its words. */
function asSentence(error: unknown): unknown {
  if (error instanceof MoveError) return new ConfigError(error.message)
  if (sqlState(error) === undefined) return error
  return new ConfigError(`PostgreSQL: ${(error as Error).message}. Run the same command again to go on.`)
}

async function move(id: string, values: Values): Promise<number> {
  const cells = new OpenCells(readConfig(process.env))
  try {
    if (values['purge'] === undefined) await runMove(cells, id, values)
    else await runPurge(cells, id, values)
    return 0
  } catch (error) {
    throw asSentence(error)
  } finally {
    await cells.close()
  }
}

export const moveCommands = [
  command(
    'realm move <realm> [--to <cell>] [--give-up] [--purge] [--now]',
    'move a realm to another cell (CELL_URLS); run again to resume; --give-up returns it; --purge deletes ' +
      'what it left in other cells a day ago, or --now',
    ([id = ''], values) => move(id, values),
  ),
]
