import type pg from 'pg'
import { retryForLocks } from './lockRetry.ts'

/**
 * A file NNNN-name.online.sql: statements that take long and do not stop writes. They run one by one outside
 * a transaction. Each can be run again, so a run that was interrupted is continued by the next one.
 */

type NewIndex = {
  readonly unique: boolean
  readonly name: string
  readonly table: string
  /** The columns, and what follows them. */
  readonly rest: string
}
export type OnlineStatement = { readonly text: string; readonly index?: NewIndex }

const createIndex = /^create\s+(unique\s+)?index\s+concurrently\s+(\w+)\s+on\s+(\w+)\s+([\s\S]+)$/i
/** All that may be in such a file besides, as an author writes it. */
const others = {
  'drop index concurrently if exists NAME': /^drop\s+index\s+concurrently\s+if\s+exists\s+\w+$/i,
  'alter table NAME validate constraint NAME': /^alter\s+table\s+\w+\s+validate\s+constraint\s+\w+$/i,
  'analyze NAME': /^analyze\s+\w+$/i,
}
const forms = ['create [unique] index concurrently NAME on TABLE …', ...Object.keys(others)].join('; ')

/** The statements of a file. Throws when one is of a form that can't be run again, before any is run. */
export function parseOnline(file: string, sql: string): OnlineStatement[] {
  const code = sql.replaceAll(/^\s*--.*$/gm, '')
  if (code.includes('--')) throw new Error(`${file}: write comments in lines of their own.`)
  const texts = code.split(/;\s*(?:\n|$)/).map((text) => text.trim())
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      const [, unique, name, table, rest] = createIndex.exec(text) ?? []
      if (name && table && rest) return { text, index: { unique: unique !== undefined, name, table, rest } }
      if (Object.values(others).some((form) => form.test(text))) return { text }
      throw new Error(`${file}: "${text}" can't be run online. Allowed: ${forms}.`)
    })
}

export type OnlineRun = {
  readonly client: pg.Client
  /** Called with a line for each step. */
  readonly onProgress: (line: string) => void
}

/** Runs the statements, except what an earlier run has done. */
export async function runOnline(run: OnlineRun, statements: readonly OnlineStatement[]): Promise<void> {
  // A build waits for every older transaction to end. Cut off, it would leave an invalid index behind.
  await run.client.query('set lock_timeout = 0; set statement_timeout = 0')
  for (const { text, index } of statements) {
    if (index) await addIndex(run, index)
    else await timed(run, text)
  }
}

async function timed({ client, onProgress }: OnlineRun, text: string): Promise<void> {
  onProgress(`${text} …`)
  const startMs = performance.now()
  await client.query(text)
  onProgress(`${text}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
}

/** `only`: of a partitioned table, without its partitions. */
function creation({ unique, name, table, rest }: NewIndex, how: 'concurrently' | 'only' | 'at once'): string {
  const index = `${unique ? 'unique ' : ''}index ${how === 'concurrently' ? 'concurrently ' : ''}${name}`
  return `create ${index} on ${how === 'only' ? 'only ' : ''}${table} ${rest}`
}

/**
 * PostgreSQL builds no index of a partitioned table concurrently. So: an index of the table alone, which is
 * invalid; the same index of each partition, concurrently; each attached. With the last one it becomes valid.
 */
async function addIndex(run: OnlineRun, index: NewIndex): Promise<void> {
  const { client, onProgress } = run
  const partitions = await partitionsOf(client, index.table)
  if (partitions.length === 0) return buildIndex(run, index)
  const found = await findIndex(client, index)
  if (found?.valid) return onProgress(`${index.name} exists`)
  if (!found) await retryForLocks(client, () => client.query(creation(index, 'only')))
  for (const [place, partition] of partitions.entries()) {
    const part = { ...index, table: partition, name: partName(index, partition) }
    onProgress(`${index.name}: partition ${place + 1} of ${partitions.length}`)
    await buildIndex(run, part)
    const attach = `alter index ${index.name} attach partition ${part.name}`
    await retryForLocks(client, () => client.query(attach))
  }
}

/** journal_03_at is the part of journal_at in journal_03. */
function partName({ name, table }: NewIndex, partition: string): string {
  return name.startsWith(`${table}_`) ? `${partition}${name.slice(table.length)}` : `${partition}_${name}`
}

/** An index of one table. One that an earlier run left unfinished is dropped first. */
async function buildIndex(run: OnlineRun, index: NewIndex): Promise<void> {
  const found = await findIndex(run.client, index)
  if (found?.valid) return run.onProgress(`${index.name} exists`)
  if (found) await timed(run, `drop index concurrently ${index.name}`)
  await timed(run, creation(index, 'concurrently'))
}

async function partitionsOf(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_partition_tree($1::regclass) t join pg_class c on c.oid = t.relid
      where t.isleaf and c.relkind = 'r' order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}

type ExistingIndex = { readonly valid: boolean; readonly definition: string }

/** The index of this name. Throws when it is another one: an edited file must not be taken for done. */
async function findIndex(client: pg.Client, index: NewIndex): Promise<ExistingIndex | undefined> {
  const { rows } = await client.query<ExistingIndex>(
    `select indisvalid as valid, pg_get_indexdef(indexrelid) as definition from pg_index
      where indexrelid = to_regclass($1)`,
    [index.name],
  )
  const [found] = rows
  if (!found) return undefined
  const wanted = await definitionOf(client, index)
  if (formOf(found.definition) !== formOf(wanted)) {
    throw new Error(
      `The index ${index.name} exists with another definition: ${found.definition}. ` +
        'Drop it, or give the new one another name.',
    )
  }
  return found
}

/** The definition as PostgreSQL would store it, read from an empty table that is rolled back. */
async function definitionOf(client: pg.Client, index: NewIndex): Promise<string> {
  const table = 'online_probe'
  await client.query('begin')
  try {
    await client.query(`create table ${table} (like ${index.table})`)
    await client.query(creation({ ...index, table, name: `${table}_index` }, 'at once'))
    const { rows } = await client.query(`select pg_get_indexdef('${table}_index'::regclass) as definition`)
    return rows[0].definition
  } finally {
    await client.query('rollback')
  }
}

/** Without the names of the index and its table. */
function formOf(definition: string): string {
  const unique = definition.startsWith('CREATE UNIQUE') ? 'unique ' : ''
  return unique + definition.slice(definition.indexOf(' USING '))
}
