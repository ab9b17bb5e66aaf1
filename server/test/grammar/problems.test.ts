import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, call } from '../../../tests/support/call.ts'
import { empty, poor, rich } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator, v4 } from '../../../tests/support/v4.ts'
import { catalogue } from '../../src/errors.ts'
import { scopes } from '../../src/keys/index.ts'

/** The machine-readable fields of an error, and its documentation page. */

let key = ''
const made = suite({}, async (suited) => {
  const path = `/realms/${suited.fixture.realm.id}/keys`
  key = (await asOperator(suited, 'POST', { path, body: { scopes } })).key
})
const { send, adjust, transfer } = v4(made, ({ fixture }) => ({ id: fixture.realm.id, key }))

function assertFacts(answer: Answer, code: keyof typeof catalogue, facts: object): void {
  assertProblem(answer, catalogue[code].status, code)
  const actual = Object.fromEntries(Object.keys(facts).map((name) => [name, answer.json[name]]))
  assert.deepEqual(actual, facts, answer.text)
}

describe('errors have fields for their facts', () => {
  it('too few points, and which change of a batch', async () => {
    assertFacts(await adjust(poor, { tokens: -10 }), 'insufficient_points', { balance: 5, required: 10 })
    const entries = [rich, poor].map((memberId) => ({ memberId, tokens: -10 }))
    const batch = await send('PATCH', '/members/tokenBalance', { body: { entries } })
    assertFacts(batch, 'insufficient_points', { balance: 5, required: 10, index: 1 })
  })

  it('limits of a point type', async () => {
    const rules = { id: 'xp', maxBalance: 50, maxPerTransfer: 5, maxPerDay: 6 }
    await send('POST', '/points', { body: rules })
    const realmPointId = 'xp'
    await adjust(rich, { tokens: 40, realmPointId })
    const over = await adjust(rich, { tokens: 20, realmPointId })
    assertFacts(over, 'balance_limit', { balance: 40, limit: 50 })
    const give = (tokens: number) => transfer(rich, { tokens, recipientId: poor, realmPointId })
    assertFacts(await give(6), 'transfer_limit', { required: 6, limit: 5 })
    assert.equal((await give(5)).status, 200)
    const daily = await give(2)
    // The realm's time zone is UTC.
    const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString()
    assertFacts(daily, 'daily_limit', { required: 2, limit: 6, resetAt: midnight })
  })

  it('what was done before', async () => {
    const { transactionId } = (await adjust(empty, { tokens: 5 })).json
    const reverse = () => send('POST', `/entries/${transactionId}/reverse`)
    const first = (await reverse()).json.transactionId
    assertFacts(await reverse(), 'already_reversed', { transactionId: first })
    const { holdId } = (await send('POST', `/members/${rich}/holds`, { body: { tokens: 1 } })).json
    const release = () => send('POST', `/holds/${holdId}/release`)
    const ended = (await release()).json.transactionId
    assertFacts(await release(), 'hold_ended', { transactionId: ended })
    const { awardId } = (await send('POST', `/members/${rich}/awards`, { body: { tokens: 1 } })).json
    const cancel = () => send('POST', `/awards/${awardId}/cancel`)
    const cancelled = (await cancel()).json.transactionId
    assertFacts(await cancel(), 'award_ended', { transactionId: cancelled })
  })

  it('invalid input is reported with its location and value', async () => {
    const { json } = await send('POST', `/members/${rich}/holds`, { body: { tokens: '5' } })
    const detail = 'Expected a whole number from 1 to 9007199254740991; got "5".'
    assert.equal(json.detail, `/tokens: e${detail.slice(1)}`)
    const fault = { pointer: '/tokens', in: 'body', name: 'tokens', code: 'invalid_value', detail }
    assert.deepEqual(json.errors, [fault])
    const { json: query } = await send('GET', '/journal?limit=0')
    assert.match(query.detail, /^query:limit: .*; got "0"\.$/)
  })
})

describe('a 422 to a request with a key', () => {
  const erase = (retry: string) =>
    send('POST', `/members/${rich}/erasure`, { headers: { 'idempotency-key': retry } })

  it('that changes no points is replayed for a day too, byte for byte', async () => {
    const first = await erase('kept')
    assertProblem(first, 422, 'member_has_points')
    const left = Date.parse(first.json.rememberedUntil) - Date.now()
    assert.ok(left > 86_000_000 && left <= 86_400_000)
    assert.match(first.json.detail, /Send a new Idempotency-Key to try again\.$/)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    const again = await erase('kept')
    assertProblem(again, 422, 'member_has_points')
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })

  it('that changes points is replayed on every route', async () => {
    const { transactionId } = (await adjust(rich, { tokens: 1 })).json
    await send('POST', `/entries/${transactionId}/reverse`)
    const { holdId } = (await send('POST', `/members/${rich}/holds`, { body: { tokens: 1 } })).json
    const far = { tokens: 9_000_000_000 }
    for (const [method, path, body] of [
      ['PATCH', `/members/${poor}/tokenBalance`, { tokens: -far.tokens }],
      ['PATCH', `/members/${poor}/transfer`, { ...far, recipientId: rich }],
      ['PATCH', '/members/tokenBalance', { entries: [{ memberId: poor, tokens: -far.tokens }] }],
      ['POST', `/members/${poor}/holds`, far],
      ['POST', `/holds/${holdId}/capture`, far],
      ['POST', `/holds/${transactionId}/release`, undefined],
      ['POST', `/entries/${transactionId}/reverse`, undefined],
    ] as const) {
      const headers = { 'idempotency-key': `refused ${method} ${path}`.replaceAll(/\W/g, '-') }
      const ask = () => send(method, path, { ...(body ? { body } : {}), headers })
      const first = await ask()
      const again = await ask()
      if (first.status === 404) continue
      assert.equal(first.status, 422, first.text)
      assert.ok(first.json.rememberedUntil, path)
      assert.equal(again.text, first.text)
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
  })
})

describe('the type of a problem', () => {
  it('is a page with its cause, what to do and an example', async () => {
    for (const [code, { title, status }] of Object.entries(catalogue)) {
      const page = await call('GET', `${made.app.url}/problems/${code.replaceAll('_', '-')}`)
      assert.equal(page.status, 200, code)
      assert.match(page.headers['content-type'] ?? '', /^text\/html/)
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
      for (const text of [title, String(status), 'Cause', 'What to do', `&quot;${code}&quot;`])
        assert.ok(page.text.includes(text), `${code}: ${text}`)
    }
  })

  it('is listed with all others, and an unknown name is 404', async () => {
    const list = await call('GET', `${made.app.url}/problems?utm=1`)
    for (const code of Object.keys(catalogue))
      assert.ok(list.text.includes(`href="/problems/${code.replaceAll('_', '-')}"`), code)
    assertProblem(await call('GET', `${made.app.url}/problems/none`), 404, 'route_not_found')
  })
})
