import type { Logger } from 'pino'
import { CellUpkeep, type Directory, Reconciliation } from '../cells/index.ts'
import type { Config } from '../config/index.ts'
import { type Database, openDatabase } from '../db/database.ts'
import type { Readiness } from '../observability/probe.ts'
import { openDirectory } from './directory.ts'

/** The directory, and what keeps this process's cell in step with it. */
export type Cell = {
  readonly directory: Directory
  /** Undefined when its realms were compared with the directory. */
  notReady(): Readiness | undefined
  /** Also closes the databases. */
  close(): Promise<void>
}

const notCompared = 'The realms of this cell could not be compared with the directory yet.'

const headText = ({ realm, seq, hash }: { realm: number; seq: bigint; hash: string }) =>
  `realm ${realm} at ${seq}:${hash}`

/** The database is closed if the cell can't be served. */
export async function openCell(db: Database, config: Config, log: Logger): Promise<Cell> {
  const directory = await openDirectory(db, config, log).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  const direct = openDatabase(db.url, { poolSize: 1 })
  const places = new Reconciliation({
    directory,
    direct,
    onDropped: (heads) => log.warn({ heads: heads.map(headText) }, 'realms of other cells were fenced'),
    onFault: (error) => log.warn({ err: error }, notCompared),
  })
  await places.run()
  const upkeep = new CellUpkeep(directory, (error) =>
    log.warn({ err: error }, 'the upkeep of this cell failed'),
  )
  return {
    directory,
    notReady: () => (places.isDone ? undefined : { ready: false, why: notCompared }),
    async close() {
      for (const one of [places, upkeep, directory]) one.close()
      await direct.close()
      if (!directory.isOwn) await directory.db.close()
      await db.close()
    },
  }
}
