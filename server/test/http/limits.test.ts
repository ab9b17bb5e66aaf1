import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import type { Answer } from '../../../tests/support/call.ts'
import { award, makeRealm, type RealmAccess, rich } from '../../../tests/support/fixture.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { query } from '../../../tests/support/query.ts'
import { type Load, rush } from '../../../tests/support/rush.ts'
import { suite } from '../../../tests/support/suite.ts'

const anotherApp = moreApps()
const made = suite({ REALM_RATE: '', KEY_RATE: '' })

type LimitSetting = 'off' | 'default' | { rate: number; burst: number }

/** A new realm, with a member who has points. */
async function limitedRealm(realmLimit: LimitSetting, keyLimit: LimitSetting = 'off') {
  const realm = await makeRealm({ baseUrl: made.app.url, token: operatorToken }, { unknownMembers: 'create' })
  await award(made.app.url, realm, { [rich]: 1_000 })
  const path = `/realms/${realm.id}`
  const changed = await operate(made.app.url, `PATCH ${path}`, { rateLimit: realmLimit })
  assert.deepEqual(changed.json.rateLimit, realmLimit)
  return { ...realm, key: await newKey(realm, keyLimit) }
}

/** A new key: settings apply at once to a key that was not used before. */
async function newKey({ id }: { readonly id: string }, rateLimit: LimitSetting): Promise<string> {
  const issued = await operate(made.app.url, `POST /realms/${id}/keys`, { rateLimit })
  assert.deepEqual(issued.json.rateLimit, rateLimit)
  return issued.json.key
}

const read = (realm: RealmAccess, url = made.app.url) => asRealm(url, realm, { line: `GET /members/${rich}` })

async function readAll(realm: RealmAccess, count: number): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, () => read(realm)))
}

const passed = (answers: readonly Answer[]): number => answers.filter(({ status }) => status === 200).length

function assertLimited(answer: Answer): void {
  assertProblem(answer, 429, 'rate_limited')
  assert.match(answer.headers['retry-after'] ?? '', /^[1-9][0-9]*$/)
}

describe('a request of many', () => {
  it('is charged before it is checked: a rejected one counts as much', async () => {
    const bodies = [
      ['PATCH /members/tokenBalance', { entries: Array(1_001).fill({}) }],
      ['POST /changes', { changes: Array(80_000).fill({}) }],
      // By its size, when it has no list that counts.
      ['POST /members/includes', { wallets: Array(120_000).fill(1) }],
    ] as const
    for (const [line, body] of bodies) {
      const realm = await limitedRealm({ rate: 1, burst: 20 })
      assert.equal((await asRealm(made.app.url, realm, { line, body })).status, 400)
      assertLimited(await read(realm))
    }
  })

  const changes = (count: number) => Array.from({ length: count }, () => ({ memberId: rich, tokens: 1 }))

  it('counts by its items: it passes, and the next ones wait', async () => {
    const bodies = [
      ['PATCH /members/tokenBalance', { entries: changes(60) }],
      ['POST /changes', { changes: changes(60) }],
      ['POST /reversals', { filter: { reference: 'nothing' } }],
    ] as const
    for (const [line, body] of bodies) {
      const realm = await limitedRealm({ rate: 10, burst: 50 })
      assert.equal((await asRealm(made.app.url, realm, { line, body })).status, 200)
      assertLimited(await read(realm))
    }
  })

  it('within the limit leaves the rest', async () => {
    const realm = await limitedRealm({ rate: 1, burst: 50 })
    const body = { changes: changes(40) }
    assert.equal((await asRealm(made.app.url, realm, { line: 'POST /changes', body })).status, 200)
    const answers = await readAll(realm, 20)
    assert.ok(passed(answers) >= 10 && passed(answers) <= 12, `${passed(answers)} passed`)
  })
})

describe('200', () => {
  it('returns the limits and what is left of them', async () => {
    const { headers } = await read(made.fixture.realm)
    assert.equal(headers['ratelimit-policy'], '"realm";q=20000;w=10, "key";q=10000;w=10')
    assert.match(String(headers['ratelimit']), /^"realm";r=199\d\d;t=[01], "key";r=99\d\d;t=[01]$/)
  })

  it('what is left decreases with each request', async () => {
    const realm = await limitedRealm({ rate: 1, burst: 50 })
    const left: number[] = []
    for (let number = 0; number < 5; number++)
      left.push(Number(/"realm";r=(\d+);t=\d+$/.exec(String((await read(realm)).headers['ratelimit']))?.[1]))
    assert.deepEqual(left, [49, 48, 47, 46, 45])
  })

  it('has no such header without a limit, nor on other routes', async () => {
    const realm = await limitedRealm('off', 'off')
    for (const answer of [await read(realm), await operate(made.app.url, 'GET /realms')]) {
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['ratelimit'], undefined)
      assert.equal(answer.headers['ratelimit-policy'], undefined)
    }
  })

  it('a later rejection has the headers too', async () => {
    const answer = await asRealm(made.app.url, made.fixture.realm, { line: 'GET /nothing' })
    assertProblem(answer, 404, 'route_not_found')
    assert.match(String(answer.headers['ratelimit']), /"realm"/)
  })

  it('a limit that is reset to the default is removed', async () => {
    const realm = await limitedRealm({ rate: 1, burst: 1 })
    assert.equal(passed(await readAll(realm, 5)), 1)
    await operate(made.app.url, `PATCH /realms/${realm.id}`, { rateLimit: 'default' })
    assert.equal(passed(await readAll({ ...realm, key: await newKey(realm, 'default') }, 5)), 5)
  })
})

describe('400', () => {
  it('a limit is a rate and a burst in whole numbers, or a keyword', async () => {
    const { id } = made.fixture.realm
    for (const rateLimit of [5, 'none', {}, { rate: 1 }, { rate: 0, burst: 1 }, { rate: 1.5, burst: 1 }]) {
      const answer = await operate(made.app.url, `PATCH /realms/${id}`, { rateLimit })
      assertProblem(answer, 400, 'invalid_request')
    }
    const huge = { rateLimit: { rate: 1_000_001, burst: 1 } }
    assertInvalid(await operate(made.app.url, `POST /realms/${id}/keys`, huge), '/rateLimit')
  })
})

describe('429', () => {
  it('a realm may use its burst at once, and then its rate', async () => {
    const realm = await limitedRealm({ rate: 10, burst: 20 })
    const startMs = performance.now()
    const first = await readAll(realm, 60)
    const grown = Math.ceil((performance.now() - startMs) / 100)
    assert.ok(passed(first) >= 20 && passed(first) <= 20 + grown, `${passed(first)} passed`)
    for (const answer of first.filter(({ status }) => status !== 200)) assertLimited(answer)
    await sleep(1_000)
    const second = passed(await readAll(realm, 60))
    assert.ok(second >= 9 && second <= 15, `${second} passed after a second`)
  })

  it('all keys of a realm share its limit, and each may have its own', async () => {
    const realm = await limitedRealm({ rate: 1, burst: 20 }, { rate: 1, burst: 5 })
    const other = { ...realm, key: await newKey(realm, 'off') }
    const [own, rest] = [await readAll(realm, 10), await readAll(other, 30)]
    assert.ok(passed(own) >= 5 && passed(own) <= 6, `${passed(own)} passed`)
    const total = passed(own) + passed(rest)
    assert.ok(total >= 20 && total <= 22, `${total} passed`)
    const refused = own.find(({ status }) => status === 429)
    assert.match(String(refused?.headers['ratelimit-policy']), /^"realm";q=20;w=20, "key";q=5;w=5$/)
    assert.match(String(refused?.headers['ratelimit']), /"key";r=0;t=5$/)
    assert.match(refused?.json.detail, /^Rate limit exceeded for this key\./)
    assert.match(
      rest.find(({ status }) => status === 429)?.json.detail,
      /^Rate limit exceeded for this realm\./,
    )
  })

  it('another realm is not affected', async () => {
    const [wild, calm] = [
      await limitedRealm({ rate: 1, burst: 1 }),
      await limitedRealm({ rate: 1, burst: 1 }),
    ]
    assert.equal(passed(await readAll(wild, 5)), 1)
    assert.equal((await read(calm)).status, 200)
  })

  it('a client that waits for Retry-After may pass', async () => {
    const realm = await limitedRealm({ rate: 2, burst: 2 })
    const refused = (await readAll(realm, 8)).find(({ status }) => status === 429)
    await sleep(Number(refused?.headers['retry-after']) * 1000)
    assert.equal((await read(realm)).status, 200)
  })

  it('comes after 401 and 403, and before any other rejection', async () => {
    const realm = await limitedRealm({ rate: 1, burst: 1 })
    await readAll(realm, 3)
    const as = (key: string, id: string, line: string) => asRealm(made.app.url, { id, key }, { line })
    assertProblem(await as('wrong', realm.id, 'GET /nothing'), 401, 'unauthorized')
    assertProblem(await as(realm.key, made.fixture.other.id, 'GET /nothing'), 403, 'forbidden')
    const long = `GET /members/includes?wallets=${'x'.repeat(9_000)}`
    for (const line of [long, 'GET /nothing', 'DELETE /members/1', 'PATCH /members/x/tokenBalance'])
      assertLimited(await as(realm.key, realm.id, line))
  })

  it('a wrong path of a realm counts like any other request', async () => {
    const realm = await limitedRealm({ rate: 1, burst: 3 })
    const nothing = () => asRealm(made.app.url, realm, { line: 'GET /nothing' })
    const statuses = []
    for (let number = 0; number < 4; number++) statuses.push((await nothing()).status)
    assert.deepEqual(statuses, [404, 404, 404, 429])
  })

  it('is not remembered under an Idempotency-Key, and changes nothing', async () => {
    const realm = await limitedRealm({ rate: 1, burst: 1 })
    const headers = { 'idempotency-key': 'limited-once' }
    const write = () => {
      const body = { tokens: 7 }
      return asRealm(made.app.url, realm, { line: `PATCH /members/${rich}/tokenBalance`, body, headers })
    }
    await read(realm)
    const refused = await write()
    assertLimited(refused)
    await sleep(Number(refused.headers['retry-after']) * 1000)
    const done = await write()
    assert.equal(done.status, 200)
    assert.equal(done.json.newBalance, 1_007)
    assert.equal(done.headers['idempotent-replayed'], undefined)
  })
})

describe('two processes', () => {
  const passing = (realm: RealmAccess) => async (url: string) => (await read(realm, url)).status === 200

  const limit = { rate: 100, burst: 20 }
  const isNearOne = (part: number) => part > 0.9 && part < 1.1

  /**
   * The share of the limit that two processes let through. When the machine stalled for longer than the burst
   * lasts, or sent too few requests, the result is invalid and the measurement is repeated.
   */
  async function partOf(load: Load, triesLeft = 3): Promise<number> {
    const realm = await limitedRealm(limit)
    const startMs = performance.now()
    const { passed: total, asked, stillMs } = await rush(passing(realm), load, 6_000)
    const allowed = ((performance.now() - startMs) / 1000) * limit.rate + limit.burst
    const part = total / allowed
    const isValid = stillMs < (1000 * limit.burst) / limit.rate && asked > 2 * allowed
    return isValid || isNearOne(part) || triesLeft === 0 ? part : partOf(load, triesLeft - 1)
  }

  it('together let through as much as one of them would, within a tenth', async () => {
    const second = await anotherApp(made, { REALM_RATE: '', KEY_RATE: '' })
    for (const [own, other] of [
      [8, 8],
      [14, 2],
    ] as const) {
      const part = await partOf({ [made.app.url]: own, [second.url]: other })
      assert.ok(isNearOne(part), `${part.toFixed(3)} of the limit passed`)
    }
  })

  it('write nothing about realms that use little of their limit', async () => {
    const realm = await limitedRealm('default', 'default')
    await readAll(realm, 3)
    await sleep(600)
    const rows = await query(
      made.database,
      'select from rates where realm = (select realm from realms where id = $1)',
      [realm.id],
    )
    assert.equal(rows.length, 0)
  })

  it('enforce the limit separately when they can’t communicate', async () => {
    await query(made.database, 'revoke all on rates from exchequer_server')
    try {
      const realm = await limitedRealm({ rate: 50, burst: 10 })
      const { passed: total } = await rush(passing(realm), { [made.app.url]: 8 }, 2_000)
      const part = total / (2 * 50 + 10)
      assert.ok(part > 0.85 && part < 1.1, `${total} passed, ${part.toFixed(3)} of the limit`)
    } finally {
      await query(made.database, 'grant select, insert, update, delete on rates to exchequer_server')
    }
  })

  it('delete what an ended process left behind', async () => {
    const realm = await limitedRealm({ rate: 5, burst: 5 })
    const leave = `insert into rates select realm, 0, gen_random_uuid(), 9, 9, -9, now() - interval '1 hour'
      from realms where id = $1`
    await query(made.database, leave, [realm.id])
    assert.equal(passed(await readAll(realm, 5)), 5)
    await sleep(1_200)
    const left = `select from rates where at < now() - interval '1 minute'
      and realm = (select realm from realms where id = $1)`
    assert.equal((await query(made.database, left, [realm.id])).length, 0)
  })
})
