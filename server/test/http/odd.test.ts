import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rich } from '../../../tests/support/fixture.ts'
import { operate } from '../../../tests/support/operator.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'
import { head, wire } from '../../../tests/support/wire.ts'

const made = suite()
const { adjust, balance, send } = v4(made)

describe('200', () => {
  it('an Upgrade header is ignored, and ends the connection', async () => {
    const wish = { upgrade: 'h2c', connection: 'Upgrade' }
    const answer = await wire(made.app.url, head('GET /healthz', wish).repeat(2))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.connection, 'close')
  })
})

describe('405', () => {
  it('CONNECT is answered 405: this is not a proxy', async () => {
    const answer = await wire(made.app.url, head('CONNECT exchequer.test:443', {}))
    assertProblem(answer, 405, 'method_not_allowed')
  })
})

describe('a key in the wrong place', () => {
  it('is not repeated in an error response, remembered or not', async () => {
    const { id, key } = made.fixture.realm
    const headers = { 'idempotency-key': 'a key as a point'.replaceAll(' ', '-') }
    for (let time = 0; time < 2; time++) {
      const answer = await adjust(rich, { tokens: 1, realmPointId: key }, { headers })
      assertProblem(answer, 404, 'point_not_found')
      assert.ok(!answer.text.includes(key), answer.text)
    }
    const twice = await adjust(rich, `{"${key}":1,"${key}":2}`)
    assertInvalid(twice, '')
    assert.ok(!twice.text.includes(key), twice.text)
    const asked = await send('PATCH', `/members/${rich}/tokenBalance?${key}=1`, { body: { tokens: 1 } })
    assert.equal(asked.status, 400)
    assert.ok(!asked.text.includes(key), asked.text)
    const unknown = await operate(made.app.url, `DELETE /realms/${id}/keys/${key}`)
    assertProblem(unknown, 404, 'key_not_found')
    assert.ok(!unknown.text.includes(key), unknown.text)
  })
})

describe('garbage after a request', () => {
  const line = () => `PATCH /api/v4/realms/${made.fixture.realm.id}/members/${rich}/tokenBalance`
  const patch = (more: Readonly<Record<string, string>>) => {
    const headers = { authorization: `Bearer ${made.fixture.realm.key}`, 'content-length': '12', ...more }
    return `${head(line(), headers)}{"tokens":1}`
  }

  it('does not replace its response: the outcome is returned', async () => {
    const before = await balance(rich)
    const last = patch({ connection: 'close' })
    const old = patch({}).replace('HTTP/1.1', 'HTTP/1.0')
    for (const sent of [`${patch({})}garbage\r\n\r\n`, last + last, old + old]) {
      const answer = await wire(made.app.url, sent)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.connection, 'close')
    }
    assert.equal(await balance(rich), before + 3)
  })

  it('is answered when no other response is pending', async () => {
    assertInvalid(await wire(made.app.url, 'garbage\r\n\r\n'), '')
    const chunked = { authorization: `Bearer ${made.fixture.realm.key}`, 'transfer-encoding': 'chunked' }
    assertInvalid(await wire(made.app.url, `${head(line(), chunked)}xyz\r\n`), '')
  })
})
