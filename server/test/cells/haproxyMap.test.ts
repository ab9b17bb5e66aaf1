import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { askHaproxy, type Haproxy, startHaproxy } from '../../../tests/support/haproxy.ts'
import { Link } from '../../../tests/support/link.ts'
import { environment, runCommand } from '../../../tests/support/process.ts'
import { Stub } from '../../../tests/support/stubs.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { freePort } from '../../src/dev/postgres.ts'

/** HAProxy in front of three cells of one process each, the real directory, and `haproxy-map` beside them. */

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'exchequer-map-'))
const file = join(folder, 'cells.map')
/** More than a page of the directory. */
const many = 12_000

let database: TestDatabase
let link: Link
let haproxy: Haproxy
/** Of HAProxy's runtime API, besides its socket. */
let port: number
let command: ChildProcess | undefined
const cells: Stub[] = []

const sql = (text: string, values: unknown[] = []) => rowsOf(database.superuserUrl, text, values)
const settings = () => environment(database, { DIRECTORY_URL: link.url })
const entries = (): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .sort()

before(async () => {
  database = await freshDatabase()
  link = await Link.to(database.serverUrl)
  for (const name of ['cell_0', 'cell_1', 'cell_2']) cells.push(await Stub.start(name))
  await sql(
    `insert into realms (id, cell) values ('alpha', 1), ('beta', 0), ('gamma', 2), ('Alpha', 2), ('a_-9', 1)`,
  )
  writeFileSync(file, '')
  port = await freePort()
  const alsoByPort = `expose-fd listeners\n  stats socket ipv4@127.0.0.1:${port} level admin`
  haproxy = await startHaproxy({
    cells: cells.map(({ address }) => [address]),
    map: file,
    edit: (config) => config.replace('expose-fd listeners', alsoByPort),
  })
})
after(async () => {
  await stopCommand()
  await haproxy?.stop()
  for (const cell of cells) await cell.kill()
  await link?.close()
  await database?.drop()
  rmSync(folder, { recursive: true })
})

function startCommand(socket = haproxy.socket): void {
  const args = ['haproxy-map', '--file', file, '--socket', socket]
  command = spawn(process.execPath, [main, ...args], { env: settings(), stdio: ['ignore', 'ignore', 'pipe'] })
  command.stderr?.on('data', (chunk: Buffer) => said.push(String(chunk)))
}
const said: string[] = []

async function stopCommand(): Promise<void> {
  if (!command) return
  const exited = once(command, 'exit')
  command.kill('SIGTERM')
  const [code] = await exited
  command = undefined
  assert.equal(code, 0)
}

async function cellOf(id: string): Promise<string> {
  return (await call('GET', `${haproxy.url}/api/v4/realms/${id}/members/7`)).text
}

/** Fails if it takes longer than this. */
async function reaches(id: string, cell: string, withinMs: number): Promise<void> {
  const fromMs = performance.now()
  for (; (await cellOf(id)) !== cell; await sleep(20))
    assert.ok(performance.now() - fromMs < withinMs, `${id} does not reach ${cell}: ${said.join('')}`)
}

/** As the flip of a move writes it. */
const moveTo = (cell: number, id: string) =>
  sql(`update realms set cell = $1, place = place + 1, placed_at = clock_timestamp() where id = $2`, [
    cell,
    id,
  ])

const startWithinMs = 20_000

describe('haproxy-map', () => {
  it('--once writes the realms outside of cell 0 to the file, and ends', async () => {
    const { code, out, err } = await runCommand(['haproxy-map', '--once', '--file', file], settings())
    assert.deepEqual([code, out, err], [0, '', '4 realms outside of cell 0\n'])
    assert.deepEqual(entries(), ['Alpha cell_2', 'a_-9 cell_1', 'alpha cell_1', 'gamma cell_2'])
    assert.deepEqual(readdirSync(folder), ['cells.map'])
  })

  it('writes other names of backends with --backend-prefix', async () => {
    const other = join(folder, 'other.map')
    const args = ['haproxy-map', '--once', '--file', other, '--backend-prefix', 'zone-']
    assert.equal((await runCommand(args, settings())).code, 0)
    assert.match(readFileSync(other, 'utf8'), /^alpha zone-1$/m)
  })

  it('adds to a running HAProxy what it lacks, and HAProxy routes each realm to its cell', async () => {
    assert.equal(await cellOf('alpha'), 'cell_0')
    startCommand()
    await reaches('gamma', 'cell_2', startWithinMs)
    const found = await Promise.all(['alpha', 'Alpha', 'a_-9', 'beta', 'unknown'].map(cellOf))
    assert.deepEqual(found, ['cell_1', 'cell_2', 'cell_1', 'cell_0', 'cell_0'])
  })

  it('routes by the id in all four forms of paths, percent-encoded too, all else to cell 0', async () => {
    for (const id of ['a_-9', '%61%5F%2d9', 'a%5f-9'])
      for (const path of [
        `/api/v4/realms/${id}`,
        `/api/v4/realms/${id}/journal/stream?after=5`,
        `/operator/v1/realms/${id}/keys`,
        `/boards/${id}`,
        `/boards/${id}/leaderboard`,
        `/link/${id}.c2VjcmV0`,
        `/link/${id}.c2VjcmV0/wallets`,
      ])
        assert.equal((await call('GET', haproxy.url + path)).text, 'cell_1', path)
    for (const path of [
      '/operator/v1/realms',
      '/console?cell=1',
      '/api/v4/realms/',
      '/operator/v1/realms/beta',
    ])
      assert.equal((await call('GET', haproxy.url + path)).text, 'cell_0', path)
  })

  it('sends a request of an operator to the cell that it names, unless its path has a realm', async () => {
    const expected = {
      'POST /operator/v1/realms?cell=2': 'cell_2',
      'GET /operator/v1/changes?after=5&cell=1': 'cell_1',
      'GET /operator/v1/realms?cell=0': 'cell_0',
      'GET /operator/v1/realms?cell=77': 'cell_0',
      'GET /operator/v1/realms/gamma?cell=1': 'cell_2',
    }
    for (const [line, cell] of Object.entries(expected)) {
      const [method = '', path = ''] = line.split(' ')
      assert.equal((await call(method, haproxy.url + path)).text, cell, line)
    }
  })

  it('sends a realm that moved to its new cell within a second, and it is in the file by then', async () => {
    for (const [cell, id] of [
      [1, 'beta'],
      [2, 'beta'],
      [1, 'gamma'],
      [0, 'beta'],
    ] as const) {
      await moveTo(cell, id)
      await reaches(id, `cell_${cell}`, 1_000)
      const line = entries().find((one) => one.startsWith(`${id} `))
      assert.equal(line, cell === 0 ? undefined : `${id} cell_${cell}`)
    }
  })

  it('sees a new realm within a second, and that it is in cell 0 after all', async () => {
    await sql(`insert into realms (id, cell) values ('delta', 2)`)
    await reaches('delta', 'cell_2', 1_000)
    // As when its creation was cut off there, and is repeated in cell 0.
    await sql(`update realms set cell = 0, placed_at = clock_timestamp() where id = 'delta'`)
    await reaches('delta', 'cell_0', 1_000)
  })

  it('sees a move that is committed long after its time was taken', async () => {
    const client = new pg.Client({ connectionString: database.superuserUrl })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(
        `update exchequer.realms set cell = 2, place = place + 1, placed_at = clock_timestamp()
          where id = 'beta'`,
      )
      await sleep(1_500)
      await moveTo(2, 'alpha')
      await reaches('alpha', 'cell_2', 1_000)
      await client.query('commit')
    } finally {
      await client.end()
    }
    await reaches('beta', 'cell_2', 1_000)
  })

  it('writes more than a page of realms in one round', async () => {
    await sql(
      `insert into realms (id, cell) select 'r' || g, 1 + g % 2 from generate_series(1, $1::integer) g`,
      [many],
    )
    await reaches(`r${many}`, `cell_${1 + (many % 2)}`, startWithinMs)
    const rows = await sql('select count(*)::integer as count from realms where cell <> 0')
    assert.equal(entries().length, rows[0].count)
    const shown = (await askHaproxy(haproxy.socket, `show map ${file}`)).trim().split('\n')
    assert.equal(shown.length, rows[0].count)
  })
})

describe('a reload of HAProxy', () => {
  it('keeps what was learned at run time, without haproxy-map', async () => {
    await stopCommand()
    const before = await haproxy.worker()
    await haproxy.reload()
    assert.notEqual(await haproxy.worker(), before)
    assert.deepEqual(await Promise.all(['alpha', 'gamma', 'beta', 'r1'].map(cellOf)), [
      'cell_2',
      'cell_1',
      'cell_2',
      'cell_2',
    ])
  })

  it('with a file that is behind is noticed, and the new process gets the rest', async () => {
    startCommand(`127.0.0.1:${port}`)
    await moveTo(1, 'alpha')
    await reaches('alpha', 'cell_1', startWithinMs)
    writeFileSync(file, 'alpha cell_2\nbeta cell_9\nstray cell_1\n')
    await haproxy.reload()
    await reaches('alpha', 'cell_1', 5_000)
    const found = await Promise.all(['gamma', 'beta', 'r1', 'stray'].map(cellOf))
    assert.deepEqual(found, ['cell_1', 'cell_2', 'cell_2', 'cell_0'])
    // The next change writes the whole file.
    await moveTo(2, 'alpha')
    await reaches('alpha', 'cell_2', 5_000)
    assert.ok(!entries().includes('stray cell_1') && entries().includes('gamma cell_1'))
  })
})

describe('a directory that is away', () => {
  it('changes nothing, and what happened meanwhile is seen when it is back', async () => {
    link.cut()
    await moveTo(1, 'alpha')
    await sleep(1_500)
    assert.deepEqual(await Promise.all(['alpha', 'gamma', 'beta'].map(cellOf)), [
      'cell_2',
      'cell_1',
      'cell_2',
    ])
    assert.match(said.join(''), /^directory: .+; the map stays as it is$/m)
    link.repair()
    await reaches('alpha', 'cell_1', startWithinMs)
    assert.match(said.join(''), /^directory: works again$/m)
  })

  it('ends --once with a sentence, and the file stays as it is', async () => {
    const before = entries()
    link.cut()
    const { code, err } = await runCommand(['haproxy-map', '--once', '--file', file], settings())
    link.repair()
    assert.equal(code, 1)
    assert.equal(err.trimEnd().split('\n').length, 1, err)
    assert.deepEqual(entries(), before)
  })
})

describe('haproxy-map rejects', () => {
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, err } = await runCommand(['haproxy-map', ...args], settings())
    assert.equal(code, 1, err)
    return err
  }

  it('missing and malformed options', async () => {
    assert.match(await refusal('--once'), /^Name the map’s file/)
    assert.match(await refusal('--file', file), /^Name HAProxy’s stats socket/)
    assert.match(await refusal('--file', file, '--socket', 'nowhere'), /neither a path nor host:port/)
    assert.match(await refusal('--file', 'a b;c', '--once'), /has a character/)
  })

  it('a database that is not the directory', async () => {
    await stopCommand()
    const before = entries()
    await sql('update this_cell set cell = 3')
    assert.match(
      await refusal('--once', '--file', file),
      /^This is the database of cell 3, not the directory/,
    )
    assert.deepEqual(entries(), before)
    await sql('update this_cell set cell = 0')
  })
})
