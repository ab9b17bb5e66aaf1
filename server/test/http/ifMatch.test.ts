import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import { type Call, call } from '../../../tests/support/call.ts'
import { empty, evmWallet, poor, rich } from '../../../tests/support/fixture.ts'
import { invitedPerson } from '../../../tests/support/person.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'
import type { Audience } from '../../src/http/route/route.ts'
import { documented } from '../../src/http/routes.ts'

const made = suite()
const { send, adjust, transfer, member, balance } = v4(made)

/** Credentials for each kind of route, of a realm's owner and of the operator, as the console sends them. */
async function keysByAudience(): Promise<Record<Audience, Record<string, string>>> {
  const owner = await invitedPerson(made.app.url, made.fixture.realm, { role: 'owner' })
  const origin = { origin: made.app.url }
  return {
    realm: { authorization: `Bearer ${await owner.key(made.fixture.realm.id)}` },
    operator: { authorization: `Bearer ${operatorToken}` },
    session: { ...origin, cookie: owner.cookie },
    public: origin,
  }
}

const tagOf = async (id: string): Promise<string> => (await member(id)).headers.etag ?? ''
const ifMatch = (tag: string): Call => ({ headers: { 'if-match': tag } })

describe('If-Match', () => {
  it('accepts a change while the member is unchanged, and not after', async () => {
    const tag = await tagOf(rich)
    assert.match(tag, /^"\d+-\d+-[\w-]{8}\.\d{16}"$/)
    const has = await balance(rich)
    assert.equal((await adjust(rich, { tokens: -1 }, ifMatch(tag))).status, 200)
    assertProblem(await adjust(rich, { tokens: -1 }, ifMatch(tag)), 412, 'precondition_failed')
    assert.equal(await balance(rich), has - 1)
    assert.equal((await adjust(rich, { tokens: -1 }, ifMatch(await tagOf(rich)))).status, 200)
  })

  it('of twenty concurrent changes with the same ETag, one succeeds', async () => {
    const tag = await tagOf(rich)
    const has = await balance(rich)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => adjust(rich, { tokens: -1 }, ifMatch(tag))),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, ...Array.from({ length: 19 }, () => 412)],
    )
    assert.equal(await balance(rich), has - 1)
  })

  it('detects changes of any point type, and of held points', async () => {
    const tag = await tagOf(rich)
    await adjust(rich, { tokens: 1, realmPointId: made.fixture.realm.secondPointId })
    assertProblem(await adjust(rich, { tokens: 1 }, ifMatch(tag)), 412, 'precondition_failed')
    const next = await tagOf(rich)
    const { holdId } = (await send('POST', `/members/${rich}/holds`, { body: { tokens: 1 } })).json
    assertProblem(await adjust(rich, { tokens: 1 }, ifMatch(next)), 412, 'precondition_failed')
    const last = await tagOf(rich)
    await send('POST', `/holds/${holdId}/capture`)
    assertProblem(await adjust(rich, { tokens: 1 }, ifMatch(last)), 412, 'precondition_failed')
  })

  it('of a capture or a release is the ETag of the hold’s member', async () => {
    for (const end of ['capture', 'release']) {
      const { holdId } = (await send('POST', `/members/${rich}/holds`, { body: { tokens: 2 } })).json
      const ending = (tag: string) => send('POST', `/holds/${holdId}/${end}`, ifMatch(tag))
      const tag = await tagOf(rich)
      await adjust(rich, { tokens: 1 })
      const has = await balance(rich)
      assertProblem(await ending(tag), 412, 'precondition_failed')
      assertProblem(await ending(await tagOf(poor)), 412, 'precondition_failed')
      assertInvalid(await ending('abc'), 'header:If-Match')
      const open = (await send('GET', `/holds/${holdId}`)).json
      assert.deepEqual([open.status, await balance(rich)], ['open', has])
      assert.equal((await ending(await tagOf(rich))).status, 200)
    }
    const held = (await send('POST', `/members/${rich}/holds`, { body: { tokens: 1 } })).json
    assert.equal((await send('POST', `/holds/${held.holdId}/capture`, ifMatch('*'))).status, 200)
    assertProblem(await send('POST', '/holds/999999/release', ifMatch('*')), 404, 'hold_not_found')
  })

  it('is compared or rejected by every route that writes', async () => {
    const place = (path: string) => path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => placed(name))
    const places: Readonly<Record<string, string>> = {
      realmID: made.fixture.realm.id,
      memberID: rich,
      realmPointId: 'gold',
      collectionID: 'coins',
      snapshotID: 'first',
      address: evmWallet,
      identity: 'shop:7',
    }
    const placed = (name: string) => places[name] ?? '7'
    const keys = await keysByAudience()
    const writing = documented.filter(({ writes }) => writes)
    assert.ok(writing.length > 50, String(writing.length))
    for (const { methods, path, audience, conditional, textTypes } of writing) {
      const [method = ''] = methods
      const headers = { 'if-match': conditional ? 'no tag' : '"7-x"', ...keys[audience] }
      const [type] = textTypes ?? []
      const sent = type
        ? { raw: 'id\n', headers: { ...headers, 'content-type': type } }
        : { headers, body: {} }
      const answer = await call(method, `${made.app.url}${place(path)}`, sent)
      if (conditional) assertInvalid(answer, 'header:If-Match')
      else assertProblem(answer, 412, 'precondition_failed')
    }
  })

  it('of a transfer is the sender’s', async () => {
    const tag = await tagOf(rich)
    await adjust(poor, { tokens: 1 })
    assert.equal((await transfer(rich, { recipientId: poor, tokens: 1 }, ifMatch(tag))).status, 200)
    assertProblem(
      await transfer(rich, { recipientId: poor, tokens: 1 }, ifMatch(tag)),
      412,
      'precondition_failed',
    )
  })

  it('is checked after the idempotency key: a retry is replayed', async () => {
    const tag = await tagOf(rich)
    const headers = { 'if-match': tag, 'idempotency-key': 'matched' }
    const first = await adjust(rich, { tokens: -1 }, { headers })
    const second = await adjust(rich, { tokens: -1 }, { headers })
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotent-replayed'], 'true')
  })

  it('is not remembered under a key: with a fresh ETag the same request succeeds', async () => {
    const tag = await tagOf(rich)
    await adjust(rich, { tokens: 1 })
    const key = { 'idempotency-key': 'moved' }
    const refused = await adjust(rich, { tokens: -1 }, { headers: { ...key, 'if-match': tag } })
    assertProblem(refused, 412, 'precondition_failed')
    const fresh = { ...key, 'if-match': await tagOf(rich) }
    assert.equal((await adjust(rich, { tokens: -1 }, { headers: fresh })).status, 200)
  })

  it('of a member without entries works once', async () => {
    const tag = await tagOf(empty)
    assert.equal((await adjust(empty, { tokens: 5 }, ifMatch(tag))).status, 200)
    assertProblem(await adjust(empty, { tokens: 5 }, ifMatch(tag)), 412, 'precondition_failed')
  })

  it('may be *, or one of several; a foreign one matches nothing, and an invalid one is 400', async () => {
    assert.equal((await adjust(rich, { tokens: 1 }, ifMatch('*'))).status, 200)
    assert.equal((await adjust(rich, { tokens: 1 }, ifMatch(`"x", ${await tagOf(rich)}`))).status, 200)
    assertProblem(await adjust(rich, { tokens: 1 }, ifMatch('"abc"')), 412, 'precondition_failed')
    assertProblem(
      await adjust(rich, { tokens: 1 }, ifMatch(`W/${await tagOf(rich)}`)),
      412,
      'precondition_failed',
    )
    assertInvalid(await adjust(rich, { tokens: 1 }, ifMatch('abc')), 'header:If-Match')
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))
