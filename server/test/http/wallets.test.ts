import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { evmWallet, solanaWallet } from '../../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
const made = suite({}, async (suited) => {
  realm = await managed(suited)
  await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
})
const link = (id: number, body: unknown) => realm.send(`POST /members/${id}/wallets`, body)
const unlink = (id: number, address: string) => realm.send(`DELETE /members/${id}/wallets/${address}`)
const addresses = async (id: number): Promise<string[]> =>
  (await realm.send(`GET /web3/members/${id}`)).json.wallets.map((one: { address: string }) => one.address)

describe('200', () => {
  it('a wallet is linked without proof, once, and unlinked', async () => {
    const { status, json } = await link(1, { address: evmWallet.toLowerCase() })
    assert.equal(status, 201)
    const { linkedAt, ...wallet } = json
    assert.ok(linkedAt)
    assert.deepEqual(wallet, { address: evmWallet, chain: 'eip155', verified: false, verifiedAt: null })
    assert.deepEqual((await link(1, { address: evmWallet })).json, json)
    assert.deepEqual(await addresses(1), [evmWallet])
    const read = await realm.send(`GET /members/1/wallets/${evmWallet.toLowerCase()}`)
    assert.deepEqual(read.json, json)
    await link(1, { address: solanaWallet })
    assert.deepEqual((await addresses(1)).sort(), [evmWallet, solanaWallet].sort())
    assert.equal((await unlink(1, evmWallet.toLowerCase())).status, 204)
    assert.deepEqual(await addresses(1), [solanaWallet])
    await unlink(1, solanaWallet)
    assert.deepEqual(await addresses(1), [])
  })

  it('the audit log records the key', async () => {
    await link(2, { address: evmWallet })
    await unlink(2, evmWallet)
    const [unlinked, linked] = (await realm.send('GET /audit')).json.data
    assert.deepEqual([linked.action, unlinked.action], ['wallet.link', 'wallet.unlink'])
    assert.match(linked.actor, /^key \d+/)
  })

  it('no wallet is left behind when a member is removed while it is linked', async () => {
    for (let round = 0; round < 10; round++) {
      await realm.send('PUT /members/3', {})
      await Promise.all([link(3, { address: solanaWallet }), realm.send('DELETE /members/3')])
      await realm.send('DELETE /members/3')
    }
    const orphans = `select match from wallets w where not exists (
      select from members m where m.realm = w.realm and m.account = w.account)`
    assert.deepEqual(await rowsOf(made.database.superuserUrl, orphans), [])
  })
})

describe('400', () => {
  it('an invalid address is rejected', async () => {
    assertInvalid(await link(1, {}), '/address')
    assertInvalid(await link(1, { address: '0x00' }), '/address')
    assertInvalid(await link(1, { address: evmWallet, chain: '?' }), '/chain')
    assertInvalid(await realm.send('POST /members/0/wallets', { address: evmWallet }), 'path:memberID')
  })
})

describe('403', () => {
  it('wallets:write is needed', async () => {
    const send = await realm.without('wallets:write')
    assertProblem(await send('POST /members/1/wallets', { address: evmWallet }), 403, 'insufficient_scope')
    assertProblem(await send(`DELETE /members/1/wallets/${evmWallet}`), 403, 'insufficient_scope')
  })
})

describe('404', () => {
  it('an unknown member has no wallet, and a member only its own', async () => {
    assertProblem(await link(404, { address: evmWallet }), 404, 'member_not_found')
    assertProblem(await unlink(404, evmWallet), 404, 'member_not_found')
    assertProblem(await unlink(1, evmWallet), 404, 'wallet_not_found')
  })
})

describe('409', () => {
  it('another member’s wallet is not taken over', async () => {
    await link(1, { address: evmWallet })
    const answer = await link(2, { address: evmWallet.toLowerCase() })
    assert.deepEqual([answer.status, answer.json.code], [409, 'already_exists'])
    assert.deepEqual((await realm.send('GET /web3/members/2')).json.wallets, [])
  })
})
