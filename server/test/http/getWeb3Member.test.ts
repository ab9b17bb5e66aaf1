import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, evmWallet, poor, rich, solanaWallet, unknownMember } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { send, web3 } = v4(made)
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe('200', () => {
  it('an EVM wallet that was linked in lower case is returned in EIP-55 form', async () => {
    const { status, json } = await web3(rich)
    assert.equal(status, 200)
    const [{ linkedAt, ...wallet }, ...more] = json.wallets
    assert.deepEqual(wallet, { address: evmWallet, chain: 'eip155', verified: false, verifiedAt: null })
    assert.match(linkedAt, isoDate)
    assert.deepEqual(more, [])
    assert.deepEqual([json.id, json.realmId], [rich, made.fixture.realm.id])
    assert.deepEqual(Object.keys(json), ['id', 'realmId', 'wallets', 'holdings'])
  })

  it('a Solana wallet is returned unchanged', async () => {
    const [wallet] = (await web3(poor)).json.wallets
    assert.deepEqual([wallet.address, wallet.chain, wallet.verified], [solanaWallet, 'solana', false])
  })

  it('a member without wallets has an empty list', async () =>
    assert.deepEqual((await web3(empty)).json.wallets, []))

  it('a member may have several wallets, listed as they were linked', async () => {
    const path = `/realms/${made.fixture.realm.id}/members/${empty}/wallets`
    const bitcoin = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
    const second = '0x00000000000000000000000000000000000000aa'
    await asManager(made, 'POST', { path, body: { address: bitcoin, chain: 'bip122' } })
    await asManager(made, 'POST', { path, body: { address: second, chain: 'eip155:137' } })
    const { json } = await web3(empty)
    const shown = json.wallets.map((one: { address: string; chain: string }) => [one.address, one.chain])
    assert.equal(shown.length, 2)
    assert.deepEqual(shown[0], [bitcoin, 'bip122'])
    assert.deepEqual([shown[1][0].toLowerCase(), shown[1][1]], [second, 'eip155:137'])
  })

  it('unknown query parameters and a content type without a body are ignored', async () => {
    assert.equal((await send('GET', `/web3/members/${rich}?utm=1`)).status, 200)
    assert.equal((await web3(rich, { headers: { 'content-type': 'application/json' } })).status, 200)
  })
})

describe('400', () => {
  it('an invalid member id is rejected, including the word "includes"', async () => {
    for (const id of ['includes', 'abc', '0', '007', '1e3', '%zz', '9223372036854775808'])
      assertInvalid(await web3(id), 'path:memberID')
  })
})

describe('404', () => {
  it('an unknown member is reported', async () =>
    assertProblem(await web3(unknownMember), 404, 'member_not_found'))
})
