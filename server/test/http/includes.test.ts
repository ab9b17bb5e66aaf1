import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmWallet as evm, poor, rich, solanaWallet as solana } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'
import { head, wire } from '../../../tests/support/wire.ts'

const made = suite()
const { send, includes } = v4(made)
const path = '/members/includes'
const byQuery = (query: string) => send('GET', `${path}?${query}`)
const stranger = '0x0000000000000000000000000000000000000001'

/** Whether each of these wallets is a member's, requested by POST. */
async function included(wallets: readonly string[]): Promise<boolean[]> {
  const { status, json, text } = await send('POST', path, { body: { wallets } })
  assert.equal(status, 200, text)
  assert.deepEqual(
    json.wallets.map((entry: { wallet: string }) => entry.wallet),
    wallets,
  )
  return json.wallets.map((entry: { included: boolean }) => entry.included)
}

describe('200', () => {
  it('a GET with a body answers in the order sent, keeping duplicates', async () => {
    const sent = [solana, stranger, evm, evm.toLowerCase(), 'no such format', solana]
    const { status, json } = await includes({ wallets: sent })
    assert.equal(status, 200)
    assert.deepEqual(json, {
      includes: false,
      wallets: [
        { wallet: solana, included: true, memberId: poor },
        { wallet: stranger, included: false, memberId: null },
        { wallet: evm, included: true, memberId: rich },
        { wallet: evm.toLowerCase(), included: true, memberId: rich },
        { wallet: 'no such format', included: false, memberId: null },
        { wallet: solana, included: true, memberId: poor },
      ],
    })
  })

  it('includes is true only when every wallet is linked to a member', async () => {
    assert.equal((await includes({ wallets: [evm, solana] })).json.includes, true)
    assert.equal((await includes({ wallets: [evm] })).json.includes, true)
    assert.equal((await includes({ wallets: [stranger] })).json.includes, false)
  })

  it('query string, repeated query, QUERY and POST answer like the GET with a body', async () => {
    const body = { wallets: [evm, 'unlinked', solana] }
    const first = (await includes(body)).json
    const answers = [
      await send('POST', path, { body }),
      await send('QUERY', path, { body }),
      await byQuery(`wallets=${body.wallets.join(',')}`),
      await byQuery(body.wallets.map((wallet) => `wallets=${wallet}`).join('&')),
      await byQuery(`wallets=${evm},unlinked&utm=1&wallets=${solana}`),
      await byQuery(`wallets=${evm}%2Cunlinked%2C${solana}`),
    ]
    for (const answer of answers) {
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.json, first)
    }
  })

  it('a content type on a GET without a body has no body', async () => {
    const headers = { 'content-type': 'application/json' }
    assert.equal((await send('GET', `${path}?wallets=${evm}`, { headers })).json.includes, true)
  })

  it('a chunked body is a body', async () => {
    const { realm } = made.fixture
    const payload = JSON.stringify({ wallets: [evm] })
    const headers = {
      authorization: `Bearer ${realm.key}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    }
    const chunk = `${payload.length.toString(16)}\r\n${payload}\r\n0\r\n\r\n`
    const sent = head(`GET /api/v4/realms/${realm.id}${path}`, headers) + chunk
    const answer = await wire(made.app.url, sent)
    assert.equal(answer.status, 200)
    assert.equal(answer.json.includes, true)
  })

  it('EVM addresses match in any case, others exactly', async () => {
    const upper = `0x${evm.slice(2).toUpperCase()}`
    assert.deepEqual(await included([upper, evm.toLowerCase(), evm]), [true, true, true])
    assert.deepEqual(await included([solana.toLowerCase(), solana.toUpperCase()]), [false, false])
  })

  it('a string in no known format belongs to no member, whatever it contains', async () => {
    const odd = ['x'.repeat(128), '\u0000', '\ud800', ' ', `${evm} `, '__proto__', "' or 1=1 --", '*', '😀']
    assert.deepEqual(
      await included(odd),
      odd.map(() => false),
    )
  })

  it('a wallet may have 128 characters, counted in code points', async () =>
    assert.deepEqual(await included(['😀'.repeat(128), 'é'.repeat(128)]), [false, false]))

  it('a thousand wallets are one request', async () => {
    const strangers = Array.from({ length: 999 }, (_, index) => `0x${index.toString(16).padStart(40, 'a')}`)
    const { status, json } = await includes({ wallets: [...strangers, evm] })
    assert.equal(status, 200)
    assert.equal(json.wallets.length, 1000)
    assert.deepEqual(json.wallets.at(-1), { wallet: evm, included: true, memberId: rich })
    assert.equal(json.wallets.filter((entry: { included: boolean }) => entry.included).length, 1)
  })

  it('a wallet of one realm is unknown in another', async () => {
    const other = v4(made, ({ fixture }) => fixture.other)
    const { json } = await other.includes({ wallets: [evm, solana] })
    assert.deepEqual(
      json.wallets.map((entry: { memberId: string | null }) => entry.memberId),
      [null, null],
    )
  })

  it('a wallet belongs to a member as soon as it is linked, until it is unlinked', async () => {
    const at = `/realms/${made.fixture.realm.id}/members/${rich}/wallets`
    assert.deepEqual(await included([stranger]), [false])
    await asManager(made, 'POST', { path: at, body: { address: stranger } })
    assert.deepEqual(await included([stranger]), [true])
    await asManager(made, 'DELETE', { path: `${at}/${stranger}` })
    assert.deepEqual(await included([stranger]), [false])
  })
})

describe('400', () => {
  it('a missing list is an error: never every wallet, never an empty success', async () => {
    for (const method of ['GET', 'POST', 'QUERY']) assertInvalid(await send(method, path), '/wallets')
    const headers = { 'content-type': 'application/json' }
    assertInvalid(await send('GET', path, { headers }), '/wallets')
    assertInvalid(await byQuery('x=1'), '/wallets')
  })

  it('an invalid list of wallets is rejected by every method', async () => {
    const noLists = [
      {},
      { wallets: null },
      { wallets: [] },
      { wallets: 'x' },
      { wallets: 5 },
      { wallets: {} },
    ]
    const many = { wallets: Array<string>(1001).fill('x') }
    for (const method of ['GET', 'POST', 'QUERY'])
      for (const body of [...noLists, many]) assertInvalid(await send(method, path, { body }), '/wallets')
    for (const body of [[], [evm], 'x', 5]) assertInvalid(await send('POST', path, { body }), '')
  })

  it('an invalid wallet is rejected, with its index', async () => {
    for (const odd of [1, '', null, true, [evm], {}, 'x'.repeat(129), '😀'.repeat(129)])
      assertInvalid(await includes({ wallets: [evm, odd] }), '/wallets/1')
  })

  it('a wallet’s characters are code points, so that combining marks count', async () =>
    assertInvalid(await includes({ wallets: ['e\u0301'.repeat(65)] }), '/wallets/0'))

  it('an empty, broken or too long list in the query is rejected', async () => {
    const many = 'a,'.repeat(1000)
    for (const query of ['wallets=', 'wallets=a,,b', 'wallets=,a', 'wallets=a&wallets=', `wallets=${many}a`])
      assertInvalid(await byQuery(query), 'query:wallets')
    assertInvalid(await byQuery(`wallets=${'x'.repeat(129)}`), 'query:wallets')
  })

  it('a list in both the body and the query is rejected, even the same one', async () => {
    for (const method of ['GET', 'POST', 'QUERY'])
      assertInvalid(
        await send(method, `${path}?wallets=${evm}`, { body: { wallets: [evm] } }),
        'query:wallets',
      )
  })
})

describe('414', () => {
  it('a list that makes the URL longer than 8 KiB belongs in a body', async () => {
    const wallets = Array<string>(230).fill(evm)
    assertProblem(await byQuery(`wallets=${wallets.join(',')}`), 414, 'uri_too_long')
    assert.equal((await send('QUERY', path, { body: { wallets } })).status, 200)
  })
})
