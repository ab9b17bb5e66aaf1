import assert from 'node:assert/strict'
import { type App, startApp } from '../../server/src/app/index.ts'
import { readConfig } from '../../server/src/config/index.ts'
import { environment, runCommand } from './process.ts'
import { freshDatabase, type TestDatabase } from './suite.ts'

/** Two cells: two databases of one PostgreSQL, each with a server in this process. */
export type Cells = {
  readonly databases: readonly [TestDatabase, TestDatabase]
  readonly apps: readonly [App, App]
  /** The environment of a cell's server, and of commands. */
  env(cell: 0 | 1, extra?: Record<string, string>): Record<string, string>
  close(): Promise<void>
}

/** The second cell is added by the command, as an operator does it. */
export async function startCells(
  directory?: TestDatabase,
  prepare: (first: App) => Promise<void> = async () => {},
): Promise<Cells> {
  const databases = [directory ?? (await freshDatabase()), await freshDatabase()] as const
  const [zero, one] = databases
  const env = (cell: 0 | 1, extra: Record<string, string> = {}) =>
    environment(databases[cell], {
      LOG_LEVEL: 'silent',
      CELL_URLS: `0=${zero.ownerUrl},1=${one.ownerUrl}`,
      DIRECTORY_URL: zero.serverUrl,
      ...extra,
    })
  const first = await startApp(readConfig(env(0)))
  await prepare(first)
  const { code, err } = await runCommand(['cell', 'add', '1'], env(1))
  assert.equal(code, 0, err)
  const second = await startApp(readConfig(env(1)))
  return {
    databases,
    apps: [first, second],
    env,
    async close() {
      await second.close()
      await first.close()
      await one.drop()
      await zero.drop()
    },
  }
}
