import pg from 'pg'
import { release } from '../config/release.ts'
import { migrate } from '../db/migrate.ts'
import type { Postgres } from './postgres.ts'

/** The two roles of a production setup: one that owns the schema, one that the server runs as. */
export const ownerRole = 'exchequer_owner'
export const serverRole = 'exchequer_server'

/** Runs statements as the superuser. */
export async function asSuperuser(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

async function exists(url: string, query: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query, [name])).rowCount === 1
  } finally {
    await client.end()
  }
}

export async function makeRoles(postgres: Pick<Postgres, 'url'>, password: string): Promise<void> {
  for (const role of [ownerRole, serverRole]) {
    if (await exists(postgres.url('postgres'), 'select 1 from pg_roles where rolname = $1', role)) continue
    await asSuperuser(postgres.url('postgres'), [
      `create role ${role} login password ${pg.escapeLiteral(password)}`,
    ])
  }
}

/** Creates a database that the owner role owns, unless it exists, and migrates it. */
export async function prepareDatabase(postgres: Pick<Postgres, 'url'>, name: string): Promise<void> {
  if (!(await exists(postgres.url('postgres'), 'select 1 from pg_database where datname = $1', name))) {
    await asSuperuser(postgres.url('postgres'), [
      `create database ${pg.escapeIdentifier(name)} owner ${ownerRole}`,
    ])
  }
  await migrate({
    ownerUrl: postgres.url(name, ownerRole),
    serverUrl: postgres.url(name, serverRole),
    release,
  })
}
