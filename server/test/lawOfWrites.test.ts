import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import type { Database } from '../src/db/database.ts'
import { type Statement, setUp } from '../src/db/session.ts'
import { statements as ofMembers } from '../src/members/store.ts'

/**
 * The rule of the fence: what changes rows of a realm is marked `writes`, and the compiler lets only a
 * transaction run it that is bound for a write. The lanes lock or move the head itself.
 */

const root = fileURLToPath(new URL('../src/', import.meta.url))
const sources = globSync(`${root}**/*.ts`)

/** In the directory; or not carried by a move; or of the mover. */
const otherTables = new Set([
  'roles',
  'invitations',
  'session_keys',
  'rates',
  'key_places',
  'moves',
  'moving',
  'departed',
  'arrivals',
  'move_marks',
])
/** Their statements are fenced by the head: the lanes'. Or are the mover's own. */
const otherModules = /^(ledger\/lane|cells)\//
const unfenced = new Set([
  // Create the realm and its head: before them there is nothing to fence.
  'realms_insert',
  'realms_insert_placed',
  'realms_insert_head',
  'loads_insert_realm',
  'loads_insert_head',
  // End a claim of this process: requests/store.ts.
  'requests_finish',
  'requests_release',
  // Under the lock of the head, which the purge then deletes.
  'purge_begin',
  'purge_revoke_keys',
  'purge_end',
  'purge_may',
  // Delete what is old in all realms: in a copy that a move has left behind it is deleted anyway.
  'audit_trim',
  'deliveries_trim',
  'changes_trim',
  // Of the directory: people do not move with a realm.
  'people_take_number',
  'audit_insert_on_people',
  // Of the operator feed, which is the cell's own.
  'changes_end',
])

let database: TestDatabase
let server: pg.Client
before(async () => {
  database = await freshDatabase()
  server = new pg.Client({ connectionString: database.serverUrl })
  await server.connect()
  await setUp(server)
})
after(async () => {
  await server?.end()
  await database?.drop()
})

type Owned = Statement & { readonly file: string }

async function everyStatement(): Promise<Owned[]> {
  const files = sources.filter((file) => /export const statements = /.test(readFileSync(file, 'utf8')))
  const found = await Promise.all(
    files.map(async (file) => {
      const module = (await import(pathToFileURL(file).href)) as { statements: Record<string, Statement> }
      return Object.values(module.statements).map((one) => ({ ...one, file: file.slice(root.length) }))
    }),
  )
  return found.flat()
}

/** Tables with a realm, from the catalogue; partitions are reached through their table. */
async function realmTables(): Promise<ReadonlySet<string>> {
  const { rows } = await server.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attname = 'realm' and not a.attisdropped`,
  )
  return new Set(rows.map(({ name }) => name).filter((name) => !otherTables.has(name)))
}

/** Functions that change rows of realms, but triggers: those run within the statement of another. */
async function writingFunctions(): Promise<string[]> {
  const { rows } = await server.query<{ name: string; body: string }>(
    `select proname as name, prosrc as body from pg_proc
      where pronamespace = 'exchequer'::regnamespace and prorettype <> 'trigger'::regtype`,
  )
  return rows.filter(({ body }) => /\b(insert into|update|delete from)\b/.test(body)).map(({ name }) => name)
}

type Plan = { readonly Plans?: readonly Plan[]; readonly [key: string]: unknown }
const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

/** The tables that a statement changes, by its plan. */
async function changedBy({ text }: Pick<Statement, 'text'>): Promise<string[]> {
  if (!/^\s*(select|insert|update|delete|with)\b/.test(text)) return []
  await server.query(`prepare checked as ${text}`)
  try {
    const { rows } = await server.query<{ count: number }>(
      `select cardinality(parameter_types) as count from pg_prepared_statements where name = 'checked'`,
    )
    const nulls = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null').join(', ')
    const { rows: explained } = await server.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (costs off, format json) execute checked${nulls ? `(${nulls})` : ''}`,
    )
    const all = nodes(explained[0]?.['QUERY PLAN'][0]?.Plan ?? assert.fail('it has no plan'))
    return all.filter((node) => node['Operation'] !== undefined).map((node) => String(node['Relation Name']))
  } finally {
    await server.query('deallocate checked')
  }
}

type Law = { readonly tables: ReadonlySet<string>; readonly functions: readonly string[] }

async function isWrite({ text }: Pick<Statement, 'text'>, { tables, functions }: Law): Promise<boolean> {
  if (functions.some((name) => new RegExp(`\\b${name}\\(`).test(text))) return true
  return (await changedBy({ text })).some((table) => tables.has(table))
}

async function lawOf(): Promise<Law> {
  return { tables: await realmTables(), functions: await writingFunctions() }
}

describe('a statement that changes rows of a realm', () => {
  it('is marked as one that writes, and no other is', async () => {
    const law = await lawOf()
    const all = await everyStatement()
    const due = all.filter(({ file, name }) => !otherModules.test(file) && !unfenced.has(name))
    const wrong: string[] = []
    let writing = 0
    for (const statement of due) {
      const { name, writes = false } = statement
      const isDue = await isWrite(statement, law)
      if (isDue !== writes) wrong.push(`${name} ${isDue ? 'writes' : 'writes nothing of a realm'}`)
      if (isDue) writing += 1
    }
    assert.deepEqual(wrong, [])
    assert.ok(writing > 100, `only ${writing} were found`)
    const known = new Set(all.map(({ name }) => name))
    assert.deepEqual(
      [...unfenced].filter((name) => !known.has(name)),
      [],
      'these are not there any more',
    )
  })

  it('is found in each form', async () => {
    const law = await lawOf()
    for (const text of [
      'insert into wallets (realm, match, account, address, chain) values ($1, $2, 1, $2, $2)',
      'update keys set name = $2 where realm = $1',
      'with gone as (delete from members where realm = $1 returning 1) select count(*) from gone',
      'select trim_audit(100, 1)',
    ])
      assert.equal(await isWrite({ text }, law), true, text)
    const text = 'select from members where realm = $1 for update'
    assert.equal(await isWrite({ text }, law), false)
  })

  it('is run by nothing that is not bound for a write: the compiler rejects it', () => {
    const never = async (db: Database): Promise<void> => {
      await db.writing([1]).query(ofMembers.deleteMember)
      // @ts-expect-error
      await db.within([1]).query(ofMembers.deleteMember)
      // @ts-expect-error
      await db.transaction((tx) => tx.query(ofMembers.deleteMember))
    }
    assert.equal(typeof never, 'function')
  })

  it('has no way around: only the binding says what may write, and few open a session of their own', () => {
    const having = (pattern: RegExp) =>
      sources
        .filter((file) => pattern.test(readFileSync(file, 'utf8')))
        .map((file) => file.slice(root.length))
        .filter((file) => !otherModules.test(file))
        .sort()
    assert.deepEqual(having(/\bas (unknown as )?Writable\b/), ['db/rowSecurity.ts'])
    // A session runs everything. The lanes' is fenced by the head, a load binds each page for a write, and a
    // purge deletes by functions of the owner.
    assert.deepEqual(having(/\b(db|options)\.open\(|Session\.open\(/), [
      'db/database.ts',
      'files/imports/load.ts',
      'ledger/index.ts',
      'realms/purge.ts',
    ])
  })
})
