import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { call } from '../../../tests/support/call.ts'
import { empty, poor, rich } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator, v4 } from '../../../tests/support/v4.ts'
import { documented } from '../../src/http/routes.ts'
import { scopes } from '../../src/keys/index.ts'

/** No request does anything else than it says. */

const made = suite()
let key = ''
const { send, adjust, transfer, member, balance } = v4(made, ({ fixture }) => ({ id: fixture.realm.id, key }))
const operate = (method: string, path: string, body?: object) =>
  call(method, `${made.app.url}/operator/v1${path}`, {
    key: operatorToken,
    ...(body === undefined ? {} : { body }),
  })
const get = (path: string) => send('GET', path)
const detailOf = (answer: { readonly json: { readonly detail: string } }) => answer.json.detail

describe('an unknown field or parameter', () => {
  before(async () => {
    const path = `/realms/${made.fixture.realm.id}/keys`
    key = (await asOperator(made, 'POST', { path, body: { scopes } })).key
  })

  it('is rejected in the query of a read, with a similar name', async () => {
    for (const [path, pointer, meant] of [
      [`/members/${rich}/history?before=3`, 'query:before', undefined],
      ['/members?limt=3', 'query:limt', 'limit'],
      ['/audit?before=1', 'query:before', undefined],
      [`/leaderboard/${rich}?perod=week`, 'query:perod', 'period'],
      ['/journal?befor=3', 'query:befor', undefined],
      ['/leaderboard?perod=week', 'query:perod', 'period'],
    ] as const) {
      const answer = await get(path)
      assertInvalid(answer, pointer)
      if (meant) assert.match(detailOf(answer), new RegExp(`Did you mean ${meant}\\?`))
    }
    assertInvalid(await operate('GET', '/realms?after=1'), 'query:after')
  })

  it('is rejected in a body, at any depth, with a similar name', async () => {
    const name = await send('PUT', `/members/${rich}`, { body: { userName: 'x' } })
    assertInvalid(name, '/userName')
    assert.match(detailOf(name), /Did you mean username\?/)
    const zone = await send('PATCH', '', { body: { timezone: 'Europe/Berlin' } })
    assertInvalid(zone, '/timezone')
    assert.match(detailOf(zone), /Did you mean timeZone\?/)
    const nested = { changes: [{ memberId: rich, tokens: 1, reson: 'x' }] }
    assertInvalid(await send('POST', '/changes', { body: nested }), '/changes/0/reson')
    assertInvalid(
      await send('POST', `/members/${rich}/holds`, { body: { tokens: 1, expires: 60 } }),
      '/expires',
    )
    const missing = await send('POST', `/members/${rich}/holds`, { body: { token: 1 } })
    assertInvalid(missing, '/tokens')
    assertInvalid(missing, '/token')
    const limit = { rateLimit: { rate: 1, burst: 1, brust: 2 } }
    assertInvalid(await send('POST', '/keys', { body: limit }), '/rateLimit/brust')
    assertInvalid(await operate('POST', '/realms', { realmId: 'x' }), '/realmId')
  })

  it('is ignored where clients of the old service send it', async () => {
    const has = await balance(rich)
    assert.equal((await adjust(rich, { tokens: 1, reson: 'x', reason: null })).status, 200)
    assert.equal((await transfer(rich, { tokens: 1, recipientId: poor, note: 1 })).status, 200)
    const batch = { entries: [{ memberId: rich, tokens: 1, note: 1 }], note: 1 }
    assert.equal((await send('PATCH', '/members/tokenBalance', { body: batch })).status, 200)
    assert.equal(await balance(rich), has + 1)
    for (const path of [`/members/${rich}?x=1`, `/web3/members/${rich}?x=1`])
      assert.equal((await get(path)).status, 200, path)
    assert.deepEqual(
      documented.filter(({ lenient }) => lenient).map(({ path }) => path.split('{realmID}')[1]),
      [
        '/members/{memberID}',
        '/web3/members/{memberID}',
        '/members/includes',
        '/members/{memberID}/tokenBalance',
        '/members/{memberID}/transfer',
        '/members/tokenBalance',
      ],
    )
  })

  it('an unknown scope is reported with the list of scopes', async () => {
    const answer = await send('POST', '/keys', { body: { scopes: ['members:admin'] } })
    assertInvalid(answer, '/scopes/0')
    for (const scope of scopes) assert.ok(detailOf(answer).includes(scope), detailOf(answer))
  })

  it('a method that is not allowed is reported with the allowed ones', async () => {
    const answer = await send('DELETE', '')
    assertProblem(answer, 405, 'method_not_allowed')
    assert.equal(detailOf(answer), 'DELETE is not allowed here. Allowed: GET, HEAD, PATCH.')
  })
})

describe('null', () => {
  it('clears a field that is null when unset', async () => {
    await send('PUT', `/members/${empty}`, {
      body: { username: 'a', displayName: 'b', note: 'c', metadata: { d: 1 } },
    })
    const nothing = { username: null, displayName: null, note: null, metadata: null }
    const { json } = await send('PUT', `/members/${empty}`, { body: nothing })
    const { username, displayName, note, metadata } = json
    assert.deepEqual({ username, displayName, note, metadata }, nothing)

    await send('POST', '/points', { body: { id: 'xp', maxBalance: 5, maxPerDay: 5, emoji: 'x' } })
    const limits = { maxBalance: null, maxPerDay: null, emoji: null }
    const point = (await send('PATCH', '/points/xp', { body: limits })).json
    assert.deepEqual([point.maxBalance, point.maxPerDay, point.emoji], [null, null, null])

    await send('PATCH', '', { body: { logo: 'https://example.com/l.png', colours: { primary: '#1a2b3c' } } })
    const realm = (await send('PATCH', '', { body: { logo: null, colours: null } })).json
    assert.deepEqual([realm.logo, realm.colours], [null, null])

    const issued = (await send('POST', '/keys', { body: { expiresIn: 60 } })).json
    const lasting = (await send('PATCH', `/keys/${issued.id}`, { body: { expiresAt: null } })).json
    assert.equal(lasting.expiresAt, null)
  })

  it('means absent in a creation, where it is returned as null', async () => {
    const said = { reason: null, reference: null, metadata: null, actorId: null }
    const { status, text } = await send('POST', '/changes', {
      body: { changes: [{ memberId: rich, tokens: 1, ...said }] },
    })
    assert.equal(status, 200, text)
    const { json } = await send('POST', '/keys', { body: { expiresAt: null } })
    assert.equal(json.expiresAt, null)
  })

  it('is rejected where nothing can be cleared', async () => {
    assertInvalid(await send('POST', '/keys', { body: { name: null } }), '/name')
    const capture = { body: { tokens: null } }
    assertInvalid(await send('POST', '/holds/1/capture', capture), '/tokens')
    const filter = { reference: 'x', actorId: null }
    assertInvalid(await send('POST', '/reversals', { body: { filter } }), '/filter/actorId')
    assertInvalid(await send('PATCH', '', { body: { name: null } }), '/name')
    assertInvalid(await send('PATCH', '/points/xp', { body: { transferable: null } }), '/transferable')
  })
})

describe('an expiry', () => {
  const inAMinute = () => new Date(Date.now() + 60_000).toISOString()
  const nearly = (moment: string, seconds: number) =>
    assert.ok(Math.abs(Date.parse(moment) - Date.now() - seconds * 1000) < 15_000, moment)

  it('is accepted as expiresIn and as expiresAt', async () => {
    for (const body of [{ expiresIn: 60 }, { expiresAt: inAMinute() }]) {
      nearly((await send('POST', '/keys', { body })).json.expiresAt, 60)
      nearly((await operate('POST', '/tokens', { name: 'x', ...body })).json.expiresAt, 60)
      const hold = await send('POST', `/members/${rich}/holds`, { body: { tokens: 1, ...body } })
      nearly(hold.json.expiresAt, 60)
      const kept = (await get(`/holds/${hold.json.holdId}`)).json
      assert.equal(kept.expiresAt, hold.json.expiresAt)
    }
    const { id } = (await send('POST', '/keys', { body: {} })).json
    nearly((await send('PATCH', `/keys/${id}`, { body: { expiresIn: 60 } })).json.expiresAt, 60)
  })

  it('of a hold is exactly that time', async () => {
    const expiresAt = inAMinute()
    const { json } = await send('POST', `/members/${rich}/holds`, { body: { tokens: 1, expiresAt } })
    assert.equal(json.expiresAt, expiresAt)
    const past = { tokens: 1, expiresAt: '2020-01-01T00:00:00Z' }
    assertInvalid(await send('POST', `/members/${rich}/holds`, { body: past }), '/expiresAt')
    const far = { tokens: 1, expiresAt: '2099-01-01T00:00:00Z' }
    assertInvalid(await send('POST', `/members/${rich}/holds`, { body: far }), '/expiresAt')
  })

  it('given twice is rejected', async () => {
    const both = { expiresIn: 60, expiresAt: inAMinute() }
    assertInvalid(await send('POST', '/keys', { body: both }), '/expiresIn')
    assertInvalid(await operate('POST', '/tokens', { name: 'x', ...both }), '/expiresIn')
    assertInvalid(
      await send('POST', `/members/${rich}/holds`, { body: { tokens: 1, ...both } }),
      '/expiresIn',
    )
  })
})

describe('If-Match', () => {
  const match = (tag: string) => ({ headers: { 'if-match': tag } })

  it('is compared before a hold and before a member is changed', async () => {
    const tag = (await member(rich)).headers.etag ?? ''
    const hold = (value: string) =>
      send('POST', `/members/${rich}/holds`, { body: { tokens: 1 }, ...match(value) })
    const put = (value: string, id = rich) =>
      send('PUT', `/members/${id}`, { body: { displayName: 'Rich' }, ...match(value) })
    assertProblem(await hold('"nope"'), 412, 'precondition_failed')
    assertProblem(await put('"nope"'), 412, 'precondition_failed')
    assert.equal((await put(tag)).status, 200)
    assertProblem(await put(tag), 412, 'precondition_failed')
    const next = (await member(rich)).headers.etag ?? ''
    assert.equal((await hold(next)).status, 201)
    assertProblem(await hold(next), 412, 'precondition_failed')
    assertProblem(await put(next), 412, 'precondition_failed')
    assert.equal((await put('*')).status, 200)
    assertProblem(await put('*', '123123'), 412, 'precondition_failed')
    assertProblem(await member('123123'), 404, 'member_not_found')
  })

  it('is rejected where there is nothing to compare, and ignored on a read', async () => {
    for (const [method, path, body] of [
      ['PATCH', '/members/tokenBalance', { entries: [{ memberId: rich, tokens: 1 }] }],
      ['POST', '/changes', { changes: [{ memberId: rich, tokens: 1 }] }],
      ['POST', '/keys', {}],
      ['PATCH', '', { name: 'x' }],
    ] as const) {
      const answer = await send(method, path, { body, ...match('"1-abc"') })
      assertProblem(answer, 412, 'precondition_failed')
      assert.match(detailOf(answer), /no ETag/)
    }
    assert.equal((await member(rich, match('"nope"'))).status, 200)
  })
})

describe('a range', () => {
  it('of a history ends at `to`', async () => {
    await adjust(poor, { tokens: 1 })
    const at = new Date(Date.now() - 3_600_000).toISOString()
    assert.deepEqual((await get(`/members/${poor}/history?to=${at}`)).json.data, [])
    assertInvalid(await get(`/members/${poor}/history?until=${at}`), 'query:until')
    const filter = { from: '2020-01-01T00:00:00Z', to: at }
    const undone = await send('POST', '/reversals?dryRun=true', { body: { filter } })
    assert.equal(undone.json.matched, 0, undone.text)
  })

  it('of a leaderboard is one without `period=range` too', async () => {
    const { json } = await get('/leaderboard?from=2020-01-01&to=2020-01-05')
    assert.deepEqual(json.period, { name: 'range', from: '2020-01-01', to: '2020-01-05' })
    assert.deepEqual(json.members, [])
    assertInvalid(await get('/leaderboard?from=2020-01-01'), 'query:to')
    assertInvalid(await get('/leaderboard?period=week&from=2020-01-01'), 'query:from')
  })
})

describe('a batch', () => {
  it('keeps its reason, under either name', async () => {
    for (const name of ['reason', 'description']) {
      const body = { [name]: `Quest ${name}`, entries: [{ memberId: rich, tokens: 1 }] }
      const { json } = await send('PATCH', '/members/tokenBalance', { body })
      assert.equal((await get(`/entries/${json.transactionId}`)).json.reason, `Quest ${name}`)
    }
    const both = { reason: 'a', description: 'b', entries: [{ memberId: rich, tokens: 1 }] }
    assertInvalid(await send('PATCH', '/members/tokenBalance', { body: both }), '/description')
  })
})

describe('a dry run', () => {
  it('is marked, and names no entry', async () => {
    const entries = [{ memberId: rich, tokens: 1 }]
    const changes = [
      { memberId: rich, tokens: 1 },
      { memberId: rich, recipientId: poor, tokens: 1 },
    ]
    const { transactionId } = (await adjust(rich, { tokens: 3 })).json
    const { holdId } = (await send('POST', `/members/${rich}/holds`, { body: { tokens: 3 } })).json
    for (const [method, path, body] of [
      ['PATCH', `/members/${rich}/tokenBalance`, { tokens: 1 }],
      ['PATCH', `/members/${rich}/transfer`, { tokens: 1, recipientId: poor }],
      ['PATCH', '/members/tokenBalance', { entries }],
      ['POST', '/changes', { changes }],
      ['POST', `/members/${rich}/holds`, { tokens: 1 }],
      ['POST', `/holds/${holdId}/capture`, { tokens: 1 }],
      ['POST', `/holds/${holdId}/release`, {}],
      ['POST', `/entries/${transactionId}/reverse`, {}],
    ] as const) {
      const answer = await send(method, `${path}?dryRun=true`, { body })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.json.dryRun, true, path)
      assert.doesNotMatch(answer.text, /transactionId/, path)
    }
    const real = await send('POST', '/changes?dryRun=false', { body: { changes } })
    assert.equal(real.json.dryRun, undefined)
    assert.match(real.text, /transactionId/)
  })
})

it('a return URL that PostgreSQL can’t store is 400', async () => {
  const link = (returnUrl: string) => send('POST', `/members/${rich}/wallets/links`, { body: { returnUrl } })
  assertInvalid(await link('https://example.com/\0'), '/returnUrl')
  assertInvalid(await link('https://example.com/?\ud800'), '/returnUrl')
  assert.equal((await link('https://example.com/done')).status, 200)
})
