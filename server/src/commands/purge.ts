import { createInterface } from 'node:readline/promises'
import { type Config, ConfigError, readConfig } from '../config/index.ts'
import { openDatabase } from '../db/database.ts'
import { commandConnectMs } from '../db/session.ts'
import { RefusalError } from '../errors.ts'
import { countCap, Purge, type PurgePlan } from '../realms/index.ts'
import { urlOf } from './cells.ts'
import { command, commandLine } from './command.ts'

const sayEveryMs = 1_000

const wrongRole =
  'The role may not purge a realm: only the role that owns the schema can. Set DATABASE_OWNER_URL to it.'

type Target = { readonly id: string; readonly url: string; readonly isCopy: boolean }

/** With the role that owns the schema: the server's can't delete from the journal. */
async function withPurge<T>({ id, url, isCopy }: Target, work: (purge: Purge) => Promise<T>): Promise<T> {
  const { durability }: Config = readConfig(process.env)
  const strict = durability === 'strict'
  const db = openDatabase(url, { strict, connectWithinMs: commandConnectMs })
  try {
    const purge = new Purge(db, id, { isCopy })
    if (!(await purge.isAllowed())) throw new ConfigError(wrongRole)
    return await work(purge)
  } finally {
    await db.close()
  }
}

function printPlan(id: string, { head, isBegun, counts }: PurgePlan): void {
  console.log(`${id}: last entry ${head}`)
  if (isBegun) console.log('An earlier purge was interrupted, and goes on.')
  const rows = Array.from(counts, ([table, count]) => `${table} ${count < countCap ? count : `${count}+`}`)
  console.log(`rows to delete: ${rows.length === 0 ? 'none' : rows.join(', ')}`)
}

/** The operator types the realm's id, or gives it as an option where no one can type. */
async function isConfirmed(id: string, given: string | undefined): Promise<boolean> {
  if (given !== undefined || !process.stdin.isTTY) return given === id
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(`This can't be undone. Type ${id} to delete the realm: `)) === id
  } finally {
    terminal.close()
  }
}

/** Says on stderr what is being done, once a second. */
function progress() {
  const deleted = new Map<string, number>()
  let saidAtMs = performance.now()
  const say = (line: string) => {
    if (performance.now() - saidAtMs < sayEveryMs) return
    saidAtMs = performance.now()
    console.error(line)
  }
  return {
    onPiece(table: string, count: number) {
      deleted.set(table, (deleted.get(table) ?? 0) + count)
      say(`${table}: ${deleted.get(table)} rows deleted`)
    },
    onWait: (leftMs: number) =>
      say(`waiting ${Math.ceil(leftMs / 1000)} s for requests that began before the purge`),
  }
}

async function checkCopy(id: string, config: Config): Promise<void> {
  await withPurge({ id, url: urlOf(config, 0), isCopy: true }, (purge) => purge.plan())
}

/** What the directory has of the realm: its people, and where its keys are. */
async function purgeCopy(id: string, config: Config): Promise<number> {
  if (config.directoryUrl === config.databaseUrl) return 0
  return withPurge({ id, url: urlOf(config, 0), isCopy: true }, async (purge) => {
    const deleted = await purge.run(commandLine, progress())
    console.log(`${id}: purged in the directory, ${deleted} rows deleted`)
    return 0
  })
}

/** In another cell than that of the directory, both have rows of the realm. */
async function purgeRealm(id: string, confirmed: string | undefined): Promise<number> {
  const config = readConfig(process.env)
  const isApart = config.directoryUrl !== config.databaseUrl
  // Before anything is deleted: only the directory knows whether the realm is moving.
  if (isApart) await checkCopy(id, config)
  const code = await purgeHere(id, config.ownerUrl, confirmed).catch((error: unknown) => {
    // Interrupted after it was purged here: what is left is in the directory.
    const isDone = error instanceof RefusalError && / was purged at /.test(error.refusal.detail)
    if (isApart && isDone && confirmed === id) return 0
    throw error
  })
  return code === 0 ? purgeCopy(id, config) : code
}

async function purgeHere(id: string, url: string, confirmed: string | undefined): Promise<number> {
  return withPurge({ id, url, isCopy: false }, async (purge) => {
    const plan = await purge.plan()
    printPlan(id, plan)
    if (!(await isConfirmed(id, confirmed))) {
      console.error(`Nothing was deleted. To delete the realm, confirm with --confirm ${id}`)
      return 1
    }
    const deleted = await purge.run(commandLine, progress())
    console.log(`${id}: purged, ${deleted} rows deleted, last ${plan.head}`)
    return 0
  })
}

export const purgeCommands = [
  command(
    'realm purge <realm> [--confirm <id>]',
    'delete a suspended realm for good (DATABASE_OWNER_URL); run again to resume',
    ([id = ''], { confirm }) => purgeRealm(id, confirm),
  ),
]
