import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let realm: ManagedRealm
/** An unreachable chain: nothing here waits for it. */
const chain = 'eip155:1'
const settings = { CHAINS: `${chain}=http://127.0.0.1:9`, HOLDINGS_SPACING_SECONDS: '0' }
const made = suite(settings, async (suited) => {
  realm = await managed(suited)
  await realm.send('POST /members', { members: [{ id: 1 }] })
})
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const put = (id: string, body: object) => realm.send(`PUT /web3/collections/${id}`, { chain, ...body })

describe('200', () => {
  it('collections are created concurrently, listed, renamed and removed', async () => {
    const answers = await Promise.all([
      put('coin', { standard: 'erc20', address: address.toLowerCase() }),
      put('card', { standard: 'erc721', address, name: 'Card' }),
      put('sword', { standard: 'erc1155', address, tokenId: '7' }),
      put('ether', { standard: 'native' }),
    ])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    const { data: collections } = (await realm.send('GET /web3/collections')).json
    assert.equal(collections.length, 4)
    const {
      id,
      name,
      standard,
      address: shown,
      block,
      seenAt,
      stale,
    } = collections.find((one: { id: string }) => one.id === 'coin')
    assert.deepEqual([id, name, standard, shown], ['coin', 'coin', 'erc20', address])
    assert.deepEqual([block, seenAt, stale], [null, null, true])
    await put('card', { standard: 'erc721', address, name: 'Founder’s card' })
    const renamed = (await realm.send('GET /web3/collections')).json.data
    assert.ok(renamed.some((one: { name: string }) => one.name === 'Founder’s card'))
    assert.equal((await realm.send('PUT /web3/collections/card', { name: 'Card' })).status, 200)
    assert.equal((await realm.send('GET /web3/collections/card')).json.address, address)
    const other = await realm.send('PUT /web3/collections/card', { address: null, standard: 'native' })
    assert.deepEqual([other.status, other.json.code], [409, 'already_exists'])
    assert.equal((await realm.send('DELETE /web3/collections/sword')).status, 204)
    assertProblem(await realm.send('GET /web3/collections/sword'), 404, 'collection_not_found')
  })

  it('a member’s holdings are returned at once, as unknown', async () => {
    await realm.send('POST /members/1/wallets', { address })
    const startedMs = performance.now()
    const { holdings } = (await realm.send('GET /web3/members/1')).json
    assert.ok(performance.now() - startedMs < 1_000)
    const [first] = holdings
    assert.deepEqual([first.amount, first.stale, first.wallets[0].amount], ['0', true, null])
    assert.ok(made.app)
  })

  it('a new wallet is read soon, one that was linked before is not', async () => {
    const { superuserUrl } = made.database
    // Another process holds the lease, forever.
    await rowsOf(superuserUrl, `update readings set leased_until = 'infinity', due_at = 'infinity'`)
    const isDue = async () =>
      (await rowsOf(superuserUrl, 'select from readings where due_at <= now()')).length > 0
    await realm.send('POST /members/1/wallets', { address })
    await sleep(300)
    assert.equal(await isDue(), false)
    await realm.send('POST /members/1/wallets', { address: `0x${'7'.repeat(40)}` })
    for (let tries = 0; tries < 100 && !(await isDue()); tries++);
    assert.equal(await isDue(), true)
  })
})

describe('400', () => {
  it('an invalid token, or a chain that is not configured, is rejected', async () => {
    assertInvalid(await realm.send('PUT /web3/collections/x', { name: 'X' }), '/chain')
    assertInvalid(await put('x', {}), '/standard')
    assertInvalid(await put('x', { standard: 'erc20' }), '/address')
    assertInvalid(await put('x', { standard: 'native', address }), '/address')
    assertInvalid(await put('x', { standard: 'erc1155', address }), '/tokenId')
    assertInvalid(await put('x', { standard: 'erc1155', address, tokenId: '9'.repeat(78) }), '/tokenId')
    assertInvalid(await put('x', { standard: 'erc20', address, tokenId: '1' }), '/tokenId')
    assertInvalid(await put('x', { standard: 'erc20', address, chain: 'eip155:10' }), '/chain')
    assertInvalid(await put('X', { standard: 'native' }), 'path:collectionID')
    assertInvalid(await realm.send('GET /members?holding=card'), 'query:holding')
  })

  it('a realm has at most fifty collections', async () => {
    const other = await managed(made)
    const more = (count: number) =>
      other.send(`PUT /web3/collections/c${count}`, { chain, standard: 'native' })
    for (let count = 0; count < 50; count++) assert.equal((await more(count)).status, 201)
    assertInvalid(await more(50), '')
    assert.equal((await more(7)).status, 200)
  })
})

describe('403', () => {
  it('realm:admin is needed to change them, wallets:read to list them', async () => {
    const noAdmin = await realm.without('realm:admin')
    assertProblem(await noAdmin('PUT /web3/collections/x', {}), 403, 'insufficient_scope')
    assertProblem(await noAdmin('DELETE /web3/collections/x'), 403, 'insufficient_scope')
    const noWallets = await realm.without('wallets:read')
    assertProblem(await noWallets('GET /web3/collections'), 403, 'insufficient_scope')
    assertProblem(await noWallets('GET /members?holding=card:1'), 403, 'insufficient_scope')
  })
})

describe('404', () => {
  it('an unknown collection can’t be removed or used as a filter', async () => {
    assertProblem(await realm.send('DELETE /web3/collections/none'), 404, 'collection_not_found')
    assertProblem(await realm.send('GET /members?holding=none:1'), 404, 'collection_not_found')
  })
})

describe('409', () => {
  it('a collection can’t be changed into another one', async () => {
    const { status, json } = await put('card', { standard: 'erc20', address })
    assert.deepEqual([status, json.code], [409, 'already_exists'])
  })
})

describe('503', () => {
  it('no member is selected by a collection that was never read', async () => {
    assertProblem(await realm.send('GET /members?holding=card:1'), 503, 'chain_unavailable')
  })
})
