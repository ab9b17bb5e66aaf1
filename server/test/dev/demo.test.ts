import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  environment,
  operatorToken,
  runCommand,
  type ServerProcess,
  startServerProcess,
} from '../../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { openDatabase } from '../../src/db/database.ts'
import { demoDays } from '../../src/dev/demo/life.ts'
import { type DemoOptions, demoFile } from '../../src/dev/demo/realm.ts'
import { openDemo } from '../../src/dev/demo.ts'
import type { LoadedEntry, LoadedMember, LoadedWallet } from '../../src/files/imports/realmFile.ts'
import { entryTypes } from '../../src/ledger/index.ts'
import { verify } from '../../src/ledger/journal/verify.ts'

const given: DemoOptions = { seed: 'exchequer', untilMs: Date.UTC(2026, 4, 20, 15, 30) }
const dayMs = 86_400_000

type Line = { entry?: LoadedEntry; member?: LoadedMember; wallet?: LoadedWallet }
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
const file = demoFile(given)
const lines = linesOf(file)
const entries = lines.flatMap(({ entry }) => entry ?? [])
const members = lines.flatMap(({ member }) => member ?? [])
const timeOf = ({ atUs }: LoadedEntry): number => Number(BigInt(atUs) / 1_000n)

describe('the demo realm', () => {
  it('is identical for the same seed and end, and different for others', () => {
    assert.equal(demoFile(given), file)
    assert.notEqual(demoFile({ ...given, seed: 'other' }), file)
    const names = (text: string) => linesOf(text).flatMap(({ member }) => member?.username ?? [])
    assert.deepEqual(names(demoFile({ ...given, untilMs: given.untilMs + 3 * dayMs })), names(file))
  })

  it('has 90 days that end now: none empty, none in the future', () => {
    const days = new Set(entries.map((entry) => Math.floor(timeOf(entry) / dayMs)))
    assert.equal(days.size, demoDays)
    const last = entries.at(-1)
    assert.ok(last && timeOf(last) <= given.untilMs && timeOf(last) > given.untilMs - 60_000)
  })

  it('has every type of entry except claims, in two point types, with reasons', () => {
    const types = new Set<string>(entries.map(({ type }) => type))
    const { claim: _, ...others } = entryTypes
    assert.deepEqual(types, new Set(Object.keys(others)))
    assert.deepEqual(new Set(entries.map(({ realmPointId }) => realmPointId)), new Set(['gold', 'praise']))
    const awards = entries.filter(({ type, fromAccount: from }) => type === 'adjust' && from === 0)
    const said = awards.filter(({ details, link }) => details?.reason || link)
    assert.equal(said.length, awards.length)
  })

  it('looks like a community: a few members are very active, weekends are busier than Mondays', () => {
    const got = new Map<number, number>()
    const perWeekday = Array<number>(7).fill(0)
    for (const entry of entries) {
      const weekday = new Date(timeOf(entry)).getUTCDay()
      perWeekday[weekday] = (perWeekday[weekday] ?? 0) + 1
      if (entry.fromAccount === 0)
        got.set(entry.toAccount, (got.get(entry.toAccount) ?? 0) + Number(entry.tokens))
    }
    const gains = [...got.values()].sort((a, b) => b - a)
    const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0)
    const topTenth = sum(gains.slice(0, Math.round(members.length / 10))) / sum(gains)
    assert.ok(topTenth > 0.3 && topTenth < 0.7, `the busiest tenth got ${topTenth}`)
    assert.ok((perWeekday[6] ?? 0) > 1.5 * (perWeekday[1] ?? 0), perWeekday.join(' '))
  })

  it('has unique names and ids, and no member gets points before joining', () => {
    for (const field of ['id', 'username'] as const)
      assert.equal(new Set(members.map((member) => member[field])).size, members.length)
    const joined = new Map(members.map(({ account, joinedAt: at }) => [account, Date.parse(at)]))
    for (const entry of entries)
      for (const account of [entry.fromAccount, entry.toAccount])
        assert.ok(timeOf(entry) >= (joined.get(Math.abs(account)) ?? 0), `entry ${entry.seq}`)
  })
})

describe('the demo realm in a server', () => {
  let database: TestDatabase
  let server: ServerProcess
  let key: string
  const untilMs = Date.now()

  before(async () => {
    database = await freshDatabase()
    server = await startServerProcess(environment(database))
    const databaseUrl = database.serverUrl
    key = await openDemo({ url: server.baseUrl, token: operatorToken, databaseUrl, ...given, untilMs })
  })
  after(async () => {
    await server?.stop()
    await database?.drop()
  })

  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
  async function read(path: string): Promise<any> {
    const headers = { authorization: `Bearer ${key}` }
    const answer = await fetch(`${server.baseUrl}/api/v4/realms/demo/${path}`, { headers })
    assert.equal(answer.status, 200, path)
    return answer.json()
  }

  const run = (line: string) => runCommand(line.split(' '), environment(database))

  it('verifies', async () => {
    const { code, out, err } = await run('verify --realm demo')
    assert.equal(code, 0, err)
    assert.match(out, /^demo: ok [0-9]{4}:/)
  })

  it('has leaderboards of the week and the month at once, and statistics of every day', async () => {
    for (const period of ['week', 'month', 'all']) {
      const { members: board } = await read(`leaderboard?period=${period}&limit=5`)
      assert.ok(board.length > 0, period)
      assert.ok(board[0].tokens >= board.at(-1).tokens)
    }
    const { members: count, active, days } = await read('statistics')
    assert.equal(count, members.length)
    assert.ok(active.month > count / 2)
    assert.ok(days.length >= 28)
    assert.match(
      (await run('leaderboards check --realm demo')).out,
      /^demo: leaderboards equal, at [0-9]{4}$/m,
    )
  })

  it('has the members of the quickstart, with their wallets and points to transfer', async () => {
    for (const id of ['1190194345295482952', '1190194345295482953', '1190194345295482954'])
      assert.ok((await read(`members/${id}`)).id, id)
    const { data: history } = await read('members/1190194345295482952/history?limit=1')
    assert.ok(history[0].newBalance >= 40)
    const wallets = [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    ]
    const found = await read(`members/includes?wallets=${wallets.join(',')}`)
    assert.equal(JSON.stringify(found).includes('false'), false, JSON.stringify(found))
  })

  it('is created once: a second run finds it, and keeps its key', async () => {
    const again = { url: server.baseUrl, token: operatorToken, databaseUrl: database.serverUrl, ...given }
    assert.equal(await openDemo({ ...again, key }), key)
    const other = await openDemo(again)
    assert.notEqual(other, key)
    const db = openDatabase(database.serverUrl)
    const verdict = await verify(db, { realm: 1 })
    await db.close()
    assert.ok(verdict.ok)
  })
})
