import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Answer } from '../../../tests/support/call.ts'
import { FakeChain } from '../../../tests/support/fakeChain.ts'
import { empty, poor, rich } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator, v4 } from '../../../tests/support/v4.ts'
import { scopes } from '../../src/keys/index.ts'

/** If-Match and If-None-Match, on every route that supports them. */

const node = await FakeChain.start()
after(() => node.close())
let key = ''
const made = suite({ CHAINS: `${node.id}=${node.url}` }, async (suited) => {
  const path = `/realms/${suited.fixture.realm.id}/keys`
  key = (await asOperator(suited, 'POST', { path, body: { scopes } })).key
})
const { send, member, adjust, transfer, balance } = v4(made, ({ fixture }) => ({ id: fixture.realm.id, key }))

const ifMatch = (tag: string) => ({ headers: { 'if-match': tag } })
const ifNone = (tag: string) => ({ headers: { 'if-none-match': tag } })
const tagOf = async (id: string) => (await member(id)).headers.etag ?? ''
const assertDone = ({ status, text }: Answer) => assert.ok(status >= 200 && status < 300, text)
const assertMoved = (answer: Answer) => assertProblem(answer, 412, 'precondition_failed')

describe('If-None-Match', () => {
  it('with the current ETag of a member is 304, without a body', async () => {
    const tag = await tagOf(rich)
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const { status, text, headers } = await member(rich, ifNone(known))
      assert.deepEqual([status, text, headers.etag, headers['content-length']], [304, '', tag, undefined])
    }
    assert.equal((await member(rich, ifNone('"x"'))).status, 200)
    await adjust(rich, { tokens: 1 })
    assert.equal((await member(rich, ifNone(tag))).status, 200)
    assert.equal((await send('GET', '', ifNone('*'))).status, 200)
  })

  it('* lets a PUT create, and never change an existing resource', async () => {
    const put = (body: object, tag = '*') => send('PUT', '/members/515151', { body, ...ifNone(tag) })
    assertDone(await put({ username: 'first' }))
    assertMoved(await put({ username: 'second' }))
    assert.equal((await member('515151')).json.username, 'first')
    assertInvalid(await put({}, '"x"'), 'header:If-None-Match')
    const collection = { chain: node.id, standard: 'native' }
    const collect = () => send('PUT', '/web3/collections/own', { body: collection, ...ifNone('*') })
    assertDone(await collect())
    assertMoved(await collect())
    assertInvalid(await send('POST', '/keys', { body: {}, ...ifNone('*') }), 'header:If-None-Match')
  })
})

describe('If-Match', () => {
  for (const [what, method, path] of [
    ['removed', 'DELETE', ''],
    ['erased', 'POST', '/erasure'],
  ] as const)
    it(`is compared before a member is ${what}`, async () => {
      const leave = (tag: string) => send(method, `/members/616161${path}`, ifMatch(tag))
      await send('PUT', '/members/616161', { body: {} })
      const tag = await tagOf('616161')
      await send('PUT', '/members/616161', { body: { displayName: 'Changed' } })
      assertMoved(await leave(tag))
      assertMoved(await leave('"nope"'))
      assertDone(await leave(await tagOf('616161')))
      assertProblem(await leave('*'), 404, 'member_not_found')
    })

  it('is compared before an entry is reversed', async () => {
    const { transactionId } = (await adjust(empty, { tokens: 5 })).json
    const reverse = (tag: string, id: string) => send('POST', `/entries/${id}/reverse`, ifMatch(tag))
    const tag = await tagOf(empty)
    await adjust(empty, { tokens: 1 })
    assertMoved(await reverse(tag, transactionId))
    assert.equal(await balance(empty), 6)
    assertDone(await reverse(await tagOf(empty), transactionId))
    assert.equal(await balance(empty), 1)
    const again = (await adjust(empty, { tokens: 2 })).json.transactionId
    assertDone(await reverse('*', again))
  })

  it('of a transfer is compared for both when it is reversed', async () => {
    const { transactionId } = (await transfer(rich, { tokens: 5, recipientId: poor })).json
    const reverse = (tags: string) => send('POST', `/entries/${transactionId}/reverse`, ifMatch(tags))
    await adjust(poor, { tokens: 1 })
    assertMoved(await reverse(await tagOf(rich)))
    assertMoved(await reverse(await tagOf(poor)))
    assertDone(await reverse(`${await tagOf(rich)}, ${await tagOf(poor)}`))
  })

  it('applies to each of a list of changes', async () => {
    const tag = await tagOf(rich)
    const had = await balance(rich)
    const one = { memberId: rich, tokens: 1, ifMatch: tag }
    const given = { memberId: rich, recipientId: poor, tokens: 1, ifMatch: '*' }
    const answer = await send('POST', '/changes', { body: { changes: [one, one, given] } })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.text.match(/precondition_failed/g)?.length, 1)
    assert.equal(await balance(rich), had)
    const malformed = { ...one, ifMatch: 'bare' }
    assertInvalid(await send('POST', '/changes', { body: { changes: [malformed] } }), '/changes/0/ifMatch')
  })
})
