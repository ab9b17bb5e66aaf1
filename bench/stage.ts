import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { debianBinaries, type Postgres, startPostgres } from '../server/src/dev/postgres.ts'
import { asSuperuser, makeRoles, ownerRole, prepareDatabase, serverRole } from '../server/src/dev/prepare.ts'
import { type Script, writeScripts } from './bare.ts'
import { fill } from './generate.ts'
import { here, run, type Served, serve } from './tools.ts'

/** Durable, and with the memory that a small production machine would give it. */
const settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  max_connections: '200',
}

const template = 'bench_template'
const token = 'operator-token-of-the-bench-0123456789'
const secrets = `k1:${'0123456789abcdef'.repeat(4)}`
const realmCount = 1_000
const realmMembers = 100

export type Stage = {
  readonly postgres: Postgres
  readonly binaries: string
  readonly members: number
  /** Files with a line "realm key" each: the big realm, and the thousand. */
  readonly bigRealm: string
  readonly manyRealms: string
  readonly scripts: Readonly<Record<Script, string>>
  url(database: string): string
  startOurs(database: string, extra?: Record<string, string>): Promise<Served>
  startUsual(database: string): Promise<Served>
  /** A copy of the filled database. */
  copy(name: string): Promise<void>
  query<Row>(database: string, text: string): Promise<Row[]>
  verify(database: string): Promise<void>
  close(): Promise<void>
}

export type StageOptions = { readonly members: number; readonly entries: number; readonly realms: boolean }

export async function prepareStage({ members, entries, realms }: StageOptions): Promise<Stage> {
  const binaries = debianBinaries()
  if (!binaries)
    throw new Error('The bench needs Debian’s PostgreSQL and wrk: apt-get install postgresql wrk')
  const folder = join(tmpdir(), `exchequer-bench-${process.pid}`)
  const password = randomBytes(12).toString('hex')
  const postgres = await startPostgres({ binaries, folder, password, settings })
  const files = { bigRealm: `${folder}.big`, manyRealms: `${folder}.many` }
  const stage = stageOf({ postgres, binaries, members, folder, files })
  try {
    await makeRoles(postgres, password)
    await prepareDatabase(postgres, template)
    await makeRealms(stage, realms ? realmCount : 0)
    const url = postgres.url(template, ownerRole)
    const fillings = [{ realm: 1, realmId: 'big', members, entries, wallets: true }]
    for (let index = 1; realms && index <= realmCount; index++) {
      fillings.push({
        realm: index + 1,
        realmId: `realm-${index}`,
        members: realmMembers,
        entries: 0,
        wallets: false,
      })
    }
    await fill(
      { binaries, url },
      fillings.map((filling) => ({ point: 'gold', ...filling })),
    )
    await asSuperuser(postgres.url(template), ['vacuum analyze', 'checkpoint'])
  } catch (error) {
    await stage.close()
    throw error
  }
  return stage
}

type Parts = Pick<Stage, 'postgres' | 'binaries' | 'members'> & {
  readonly folder: string
  readonly files: { readonly bigRealm: string; readonly manyRealms: string }
}

function environment(postgres: Postgres, database: string): Record<string, string> {
  return {
    DATABASE_URL: postgres.url(database, serverRole),
    DATABASE_OWNER_URL: postgres.url(database, ownerRole),
    OPERATOR_TOKEN: token,
    KEY_SECRETS: secrets,
    PORT: '0',
  }
}

function stageOf({ postgres, binaries, members, folder, files }: Parts): Stage {
  const scripts = writeScripts(folder)
  const main = here('../server/src/main.ts')
  return {
    postgres,
    binaries,
    members,
    ...files,
    scripts,
    url: (database) => postgres.url(database),
    startOurs: (database, extra = {}) =>
      serve([main, 'serve'], { ...environment(postgres, database), ...extra }),
    startUsual: (database) => serve([here('usual.ts')], { DATABASE_URL: postgres.url(database) }),
    async copy(name) {
      await asSuperuser(postgres.url('postgres'), [`create database ${name} template ${template}`])
      // From above every seq that is taken, so that a change needs no head row: the engine at its best.
      await asSuperuser(postgres.url(name), ['create sequence bench_seq start 1000000000 cache 1'])
    },
    async query<Row>(database: string, text: string) {
      const client = new pg.Client({ connectionString: postgres.url(database) })
      await client.connect()
      try {
        return (await client.query(text)).rows as Row[]
      } finally {
        await client.end()
      }
    },
    async verify(database) {
      await run(process.execPath, [main, 'verify'], environment(postgres, database))
    },
    async close() {
      await postgres.stop()
      for (const made of [folder, files.bigRealm, files.manyRealms])
        rmSync(made, { recursive: true, force: true })
    },
  }
}

async function makeRealms(stage: Stage, count: number): Promise<void> {
  const server = await stage.startOurs(template)
  try {
    const send = async (path: string, body: object): Promise<{ key: string }> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}/operator/v1/realms${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (answer.status !== 200) throw new Error(`making a realm: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { key: string }
    }
    const lines: string[] = []
    for (const id of ['big', ...Array.from({ length: count }, (_, index) => `realm-${index + 1}`)]) {
      await send('', { id, point: { id: 'gold' } })
      lines.push(`${id} ${(await send(`/${id}/keys`, {})).key}\n`)
    }
    writeFileSync(stage.bigRealm, lines[0] ?? '')
    writeFileSync(stage.manyRealms, lines.slice(1).join(''))
  } finally {
    await server.stop()
  }
}
