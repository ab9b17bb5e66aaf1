import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { managed } from '../../../tests/support/manager.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** A key with an expiry or a rate limit can't remove them, nor create a key that exceeds them. */

const made = suite()
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

async function bounded() {
  const realm = await managed(made)
  const expiresAt = inSeconds(600)
  const rateLimit = { rate: 50, burst: 100 }
  const body = { scopes: ['realm:admin'], expiresAt, rateLimit }
  const { id, key } = (await operate(made.app.url, `POST /realms/${realm.id}/keys`, body)).json
  const send = (line: string, sent?: unknown) =>
    asRealm(made.app.url, { id: realm.id, key }, { line, body: sent })
  return { realm, id, send, expiresAt, rateLimit }
}

describe('a key with an expiry and a rate limit', () => {
  it('can’t raise its own, nor another key’s above its own', async () => {
    const { realm, id, send } = await bounded()
    const other = (await realm.send('POST /keys', { expiresAt: inSeconds(60) })).json.id
    for (const key of [other, id]) {
      for (const wish of [
        { expiresAt: 'never' },
        { expiresAt: inSeconds(1_200) },
        { rateLimit: 'off' },
        { rateLimit: 'default' },
        { rateLimit: { rate: 51, burst: 100 } },
        { rateLimit: { rate: 50, burst: 101 } },
      ])
        assertProblem(await send(`PATCH /keys/${key}`, wish), 403, 'forbidden')
      const lower = { expiresAt: inSeconds(300), rateLimit: { rate: 10, burst: 10 }, name: 'lower' }
      assert.equal((await send(`PATCH /keys/${key}`, lower)).status, 200)
    }
  })

  it('passes them on to the keys that it issues, and rejects higher ones', async () => {
    const { send, expiresAt, rateLimit } = await bounded()
    const { json } = await send('POST /keys', {})
    assert.deepEqual([json.expiresAt, json.rateLimit], [expiresAt, rateLimit])
    for (const wish of [{ expiresAt: inSeconds(1_200) }, { rateLimit: 'off' }, { rateLimit: 'default' }])
      assertProblem(await send('POST /keys', wish), 403, 'forbidden')
    const less = { expiresAt: inSeconds(30), rateLimit: { rate: 1, burst: 1 } }
    assert.equal((await send('POST /keys', less)).status, 201)
  })

  it('rotated by itself keeps its expiry and its rate limit', async () => {
    const { realm, id, send, expiresAt, rateLimit } = await bounded()
    const free = (await realm.send('POST /keys', { rateLimit: 'off' })).json.id
    assertProblem(await send(`POST /keys/${free}/rotate`, {}), 403, 'forbidden')
    const { json } = await send(`POST /keys/${id}/rotate`, {})
    assert.deepEqual([json.expiresAt, json.rateLimit], [expiresAt, rateLimit])
  })

  it('the operator, and a key without them, may set any', async () => {
    const { realm, id } = await bounded()
    const free = { expiresAt: 'never', rateLimit: 'off' }
    assert.equal((await realm.send(`PATCH /keys/${id}`, free)).json.expiresAt, null)
    const at = `PATCH /realms/${realm.id}/keys/${id}`
    assert.equal((await operate(made.app.url, at, { rateLimit: 'default' })).status, 200)
  })
})
