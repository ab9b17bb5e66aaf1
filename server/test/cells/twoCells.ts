import { rowsOf } from '../../../tests/support/books.ts'
import { type Cluster, startCluster } from '../../../tests/support/cluster.ts'
import { environment, runCommand, startServerProcess } from '../../../tests/support/process.ts'
import { type Cells, type MoveOptions, moveRealm } from '../../src/cells/move/index.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { commandConnectMs } from '../../src/db/session.ts'
import { asSuperuser, ownerRole, prepareDatabase, serverRole } from '../../src/dev/prepare.ts'
import { verify } from '../../src/ledger/journal/verify.ts'

const database = 'exchequer'

/** Two real PostgreSQL, cells 0 and 1; the first is the directory. */
export class TwoCells implements Cells {
  readonly #clusters: readonly Cluster[]
  readonly #open: readonly Database[]

  private constructor(clusters: readonly Cluster[]) {
    this.#clusters = clusters
    this.#open = clusters.map((cluster) =>
      openDatabase(cluster.url(database, ownerRole), { connectWithinMs: commandConnectMs }),
    )
  }

  static async start(): Promise<TwoCells> {
    const settings = {
      wal_level: 'logical',
      shared_buffers: '64MB',
      max_connections: '100',
      // Tests read it by pg_current_logfile().
      logging_collector: 'on',
    }
    const clusters = await Promise.all([0, 1].map(() => startCluster('embedded', settings)))
    for (const [cell, cluster] of clusters.entries()) {
      await asSuperuser(cluster.url('postgres'), [
        `alter role ${ownerRole} replication`,
        `grant pg_create_subscription, pg_read_all_stats to ${ownerRole}`,
        `grant set on parameter log_min_error_statement, log_statement, log_min_duration_statement
          to ${ownerRole}`,
      ])
      await prepareDatabase(cluster, database)
      await asSuperuser(cluster.url(database), [`update exchequer.this_cell set cell = ${cell}`])
    }
    const cells = new TwoCells(clusters)
    await cells.sql(0, 'insert into cells (cell) values (1)')
    return cells
  }

  async stop(): Promise<void> {
    for (const db of this.#open) await db.close()
    await Promise.all(this.#clusters.map((cluster) => cluster.stop()))
  }

  get directory(): Database {
    return this.open(0).db
  }

  open(cell: number): { readonly db: Database; readonly url: string } {
    const [db, cluster] = [this.#open[cell], this.#clusters[cell]]
    if (!db || !cluster) throw new Error(`the test has no cell ${cell}`)
    return { db, url: cluster.url(database, ownerRole) }
  }

  // biome-ignore lint/suspicious/noExplicitAny: a row's shape is what the tests look at
  sql(cell: number, text: string, values: unknown[] = []): Promise<any[]> {
    return rowsOf(this.superuserUrl(cell), text, values)
  }

  superuserUrl(cell: number): string {
    return this.#clusters[cell]?.url(database) ?? ''
  }

  serverUrl(cell: number): string {
    return this.#clusters[cell]?.url(database, serverRole) ?? ''
  }

  environment(cell: number): Record<string, string> {
    const urls = { serverUrl: this.serverUrl(cell), ownerUrl: this.open(cell).url }
    const named = [0, 1].map((one) => `${one}=${this.open(one).url}`).join(',')
    const extra = { CELL_URLS: named, DIRECTORY_URL: this.serverUrl(0), WEBHOOK_ALLOW: '127.0.0.1' }
    return environment(urls, extra)
  }

  serve(cell: number) {
    return startServerProcess(this.environment(cell))
  }

  run(line: string, extra: Record<string, string> = {}) {
    return runCommand(line.split(' '), { ...this.environment(0), ...extra })
  }

  /** In this process; with `stopAfter` as if the mover were killed there. */
  move(id: string, to: number, options: Partial<MoveOptions> & { giveUp?: boolean } = {}): Promise<void> {
    const { giveUp = false, ...others } = options
    return moveRealm(this, { id, to, isGivenUp: giveUp }, { ...quiet, ...others })
  }
}

export const quiet: MoveOptions = {
  say: () => {},
  async verify(db, realm, against) {
    const verdict = await verify(db, { realm, against })
    return verdict.ok ? undefined : `${verdict.where}: ${verdict.why}`
  },
}
