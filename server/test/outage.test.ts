import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { assertAway, balanceOf, openRealm, type TimedAnswer, timed } from '../../tests/support/away.ts'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { call, patiently } from '../../tests/support/call.ts'
import { evmWallet, type RealmAccess } from '../../tests/support/fixture.ts'
import { Client, type SentRequest } from '../../tests/support/load.ts'
import { asRealm, manage, operate } from '../../tests/support/operator.ts'
import { type Restartable, startRestartable } from '../../tests/support/restartable.ts'
import { freshDatabase, type TestDatabase, testConfig } from '../../tests/support/suite.ts'
import { type App, startApp } from '../src/app/index.ts'

/** Responses to one kind of writer. */
class Tally {
  done = 0
  readonly unknown: string[] = []
  readonly wrong = new Set<string>()

  add({ status, json }: SentRequest, key: string): void {
    if (status === 200) this.done += 1
    else if (json.code === 'outcome_unknown') this.unknown.push(key)
    else if (status !== 503) this.wrong.add(JSON.stringify(json))
  }
}

describe('PostgreSQL becomes unreachable', () => {
  let postgres: Restartable
  let app: App
  let realm: RealmAccess
  let acknowledged = 0

  before(async () => {
    postgres = await startRestartable()
    app = await startApp(testConfig({ ...postgres, drop: async () => {} }))
    realm = await openRealm(app.url)
    // Its key is issued while there is a database.
    assert.equal((await manage(app.url, `GET /realms/${realm.id}`)).status, 200)
  })
  after(async () => {
    await app?.close()
    await postgres?.remove()
  })

  const v4 = (line: string, body?: object) => timed(asRealm(app.url, realm, { line, body }))
  const write = () => v4('PATCH /members/1/tokenBalance', { tokens: 1 })
  const everyKind = (): Promise<TimedAnswer>[] => [
    write(),
    v4('PATCH /members/1/transfer', { tokens: 1, recipientId: '2' }),
    v4('GET /members/1'),
    v4('GET /web3/members/1'),
    v4('POST /members/includes', { wallets: [evmWallet] }),
    timed(operate(app.url, 'GET /realms')),
    timed(operate(app.url, 'POST /realms', {})),
    timed(manage(app.url, `PUT /realms/${realm.id}/members/3`, {})),
    timed(operate(app.url, `POST /realms/${realm.id}/keys`, {})),
  ]

  async function comesBack(): Promise<void> {
    const startMs = Date.now()
    let answer = await write()
    for (; answer.status !== 200; answer = await write()) {
      assertAway(answer)
      assert.ok(Date.now() - startMs < 2_000, 'writes did not come back')
      await sleep(20)
    }
    acknowledged += 1
    assert.equal(answer.json.newBalance, acknowledged)
    assert.equal(await balanceOf(app.url, realm, '1'), acknowledged)
    await sleep(600)
    assert.equal((await call('GET', `${app.url}/readyz`)).status, 200)
  }

  it('every request is answered 503 at once, and the process itself stays healthy', async () => {
    assert.equal((await write()).status, 200)
    acknowledged += 1
    assert.equal((await call('GET', `${app.url}/readyz`)).status, 200)
    await postgres.stop()
    for (const answer of await Promise.all(everyKind())) assertAway(answer)
    await sleep(600)
    for (const answer of await Promise.all(everyKind())) assertAway(answer)
    const health = await timed(call('GET', `${app.url}/healthz`))
    assert.equal(health.status, 200)
    assertAway(await timed(call('GET', `${app.url}/readyz`)))
  })

  it('a malformed key stays 401, as it needs no database', async () => {
    assert.equal((await call('GET', `${app.url}/api/v4/realms/x/members/1`, { key: 'exq_no' })).status, 401)
  })

  it('writes work again by themselves within two seconds after it returned', async () => {
    await postgres.start()
    await comesBack()
  })

  it('a crash during writes and reads loses nothing that was acknowledged', async () => {
    const answers: TimedAnswer[] = []
    let over = false
    const keep = async (ask: () => Promise<TimedAnswer>) => {
      let counted = 0
      while (!over) {
        const answer = await ask()
        answers.push(answer)
        if (answer.status === 200 || answer.status === 201) counted += 1
        await sleep(2)
      }
      return counted
    }
    let number = 0
    const unknown: string[] = []
    const keyed = async () => {
      const key = `crash-${++number}`
      const request = { line: 'PATCH /members/1/tokenBalance', body: { tokens: 1 } }
      const headers = { 'idempotency-key': key }
      const answer = await timed(asRealm(app.url, realm, { ...request, headers }))
      if (answer.json.code === 'outcome_unknown') unknown.push(key)
      return answer
    }
    const writers = Array.from({ length: 8 }, () => keep(keyed))
    const readers = Array.from({ length: 4 }, () => keep(() => v4('GET /members/1')))
    const rename = () => timed(manage(app.url, `PUT /realms/${realm.id}/members/9`, { username: 'nine' }))
    const operators = Array.from({ length: 4 }, () => keep(rename))
    await sleep(500)
    await postgres.stop('immediate')
    await sleep(1_000)
    await postgres.start()
    await sleep(1_500)
    over = true
    for (const done of await Promise.all(writers)) acknowledged += done
    await Promise.all([...readers, ...operators])
    for (const answer of answers) if (answer.status !== 200 && answer.status !== 201) assertAway(answer)
    assert.ok(answers.some(({ status }) => status === 503))
    for (const key of unknown) {
      const headers = { 'idempotency-key': key }
      const request = { line: 'PATCH /members/1/tokenBalance', body: { tokens: 1 }, headers }
      assert.equal((await patiently(() => asRealm(app.url, realm, request))).status, 200)
      acknowledged += 1
    }
    await comesBack()
    await assertBooks(postgres)
  })
})

describe('one server', () => {
  let database: TestDatabase
  let app: App
  before(async () => {
    database = await freshDatabase()
    app = await startApp(testConfig(database))
  })
  after(async () => {
    await app?.close()
    await database?.drop()
  })

  it('answers 200 or 503 while its connections are cut, and every response is true', async () => {
    const realm = await openRealm(app.url)
    const endMs = Date.now() + 4_000
    const tallies = [new Tally(), new Tally()] as const
    const [keyed, unkeyed] = tallies
    const clients = Array.from({ length: 16 }, () => new Client(app.url, realm))
    const writers = clients.map(async (client, place) => {
      const tally = place % 2 === 0 ? keyed : unkeyed
      for (let number = 0; Date.now() < endMs; number++) {
        const key = `cut-${place}-${number}`
        const member = tally === keyed ? '1' : '2'
        const idempotencyKey = tally === keyed ? { idempotencyKey: key } : {}
        tally.add(await client.write({ member, tokens: 1, ...idempotencyKey }), key)
      }
    })
    let cut = 0
    while (Date.now() < endMs) {
      const rows = await rowsOf(
        database.superuserUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and usename = 'exchequer_server'`,
      )
      cut += rows.length
      await sleep(40 + Math.random() * 60)
    }
    await Promise.all(writers)
    for (const idempotencyKey of keyed.unknown) {
      const request = { line: 'PATCH /members/1/tokenBalance', body: { tokens: 1 } }
      const headers = { 'idempotency-key': idempotencyKey }
      const settled = await patiently(() => asRealm(app.url, realm, { ...request, headers }))
      assert.equal(settled.status, 200, settled.text)
    }
    for (const client of clients) client.close()
    assert.deepEqual([...keyed.wrong, ...unkeyed.wrong], [])
    assert.ok(cut > 20 && keyed.done > 50, `cut ${cut}, done ${keyed.done}`)
    assert.equal(await balanceOf(app.url, realm, '1'), keyed.done + keyed.unknown.length)
    // Without a key a retry settles nothing: an unknown outcome may or may not have happened.
    const balance = await balanceOf(app.url, realm, '2')
    const most = unkeyed.done + unkeyed.unknown.length
    assert.ok(balance >= unkeyed.done && balance <= most, `${unkeyed.done} <= ${balance} <= ${most}`)
    await assertBooks(database)
  })

  it('is blocked by a locked head only in that realm', async () => {
    const realms = await Promise.all(Array.from({ length: 4 }, () => openRealm(app.url)))
    const [free, ...locked] = realms
    assert.ok(free)
    const write = (realm: RealmAccess) =>
      timed(asRealm(app.url, realm, { line: 'PATCH /members/1/tokenBalance', body: { tokens: 1 } }))
    for (const realm of realms) assert.equal((await write(realm)).status, 200)
    const locker = new pg.Client({ connectionString: database.superuserUrl })
    await locker.connect()
    try {
      await locker.query('begin')
      await locker.query(
        `select 1 from exchequer.heads where realm in (select realm from exchequer.realms where id = any($1))
          for update`,
        [locked.map(({ id }) => id)],
      )
      const lockedMs = Date.now()
      const waiting = locked.flatMap((realm) => [write(realm), write(realm), write(realm)])
      let went = 0
      let slowestMs = 0
      while (Date.now() - lockedMs < 1_000) {
        const { status, text, tookMs } = await write(free)
        assert.equal(status, 200, text)
        slowestMs = Math.max(slowestMs, tookMs)
        went += 1
      }
      assert.ok(slowestMs < 500 && went > 20, `${went} writes, the slowest took ${slowestMs} ms`)
      await locker.query('commit')
      for (const answer of await Promise.all(waiting)) {
        assert.equal(answer.status, 200, answer.text)
        assert.ok(answer.tookMs > 900 && answer.tookMs < 2_000, `${answer.tookMs} ms`)
      }
    } finally {
      await locker.end()
    }
    for (const realm of locked) assert.equal(await balanceOf(app.url, realm, '1'), 4)
  })
})
