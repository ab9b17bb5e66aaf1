import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { FakeChain } from '../../../tests/support/fakeChain.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator } from '../../../tests/support/v4.ts'

const node = await FakeChain.start()
after(() => node.close())
const token = `0x${'b'.repeat(40)}`
const hashOf = (digit: string) => `0x${digit.repeat(64)}`

let realm: ManagedRealm
let key: string
const made = suite({ CHAINS: `${node.id}=${node.url}`, HOLDINGS_EVERY_SECONDS: '1' }, async (suited) => {
  realm = await managed(suited)
  const body = { scopes: ['members:read', 'wallets:read', 'points:write'] }
  key = (await asOperator(suited, 'POST', { path: `/realms/${realm.id}/keys`, body })).key
  await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
  await rowsOf(
    suited.database.superuserUrl,
    `insert into wallets (realm, match, account, address, chain, verified_at)
      select realm, a.text, account, a.text, 'eip155', now() from members
      cross join lateral (select '0x' || left(encode(sha256(id::text::bytea), 'hex'), 40)) a (text)
      where realm = (select realm from realms where id = $1)`,
    [realm.id],
  )
  const collection = { chain: node.id, standard: 'erc20', address: token }
  assert.equal((await realm.send('PUT /web3/collections/coin', collection)).status, 201)
})

/** Replaces the chain's block at the same height, and waits until it was read. */
async function read(digit: string, amount: bigint): Promise<void> {
  node.amounts.set(token, amount)
  node.block = { ...node.block, hash: hashOf(digit) }
  for (let tries = 0; tries < 200; tries++) {
    const [known] = (await realm.send('GET /web3/collections')).json.data
    if (known.blockHash === node.block.hash) return
    await sleep(50)
  }
  assert.fail('the chain was not read')
}

const award = (body: object, retry = '') =>
  asRealm(
    made.app.url,
    { id: realm.id, key },
    {
      line: 'POST /web3/awards',
      body: { collection: 'coin', atLeast: '5', tokens: 10, block: '1', ...body },
      headers: retry === '' ? {} : { 'idempotency-key': retry },
    },
  )

describe('200', () => {
  it('an award is replayed under its key, even if no member holds anything any more', async () => {
    await read('1', 5n)
    const first = await award({ blockHash: hashOf('1') }, 'once')
    assert.deepEqual([first.status, first.json.awarded, first.json.nextCursor], [200, 2, null], first.text)
    await read('2', 0n)
    const body = { block: undefined, blockHash: hashOf('2') }
    assert.deepEqual((await award(body, 'never')).json.awarded, 0)
    await read('1', 0n)
    const again = await award({ blockHash: hashOf('1') }, 'once')
    assert.equal(again.headers['idempotent-replayed'], 'true', again.text)
    const { message, awarded, transactionId, nextCursor } = first.json
    assert.deepEqual(again.json, { message, awarded, transactionId, nextCursor })
    const { status, json } = await award({ tokens: 11 }, 'once')
    assert.deepEqual([status, json.code], [422, 'idempotency_key_reused'])
  })

  it('a replayed partial award still has its next cursor', async () => {
    await read('3', 5n)
    // More accounts than one call processes.
    const many = `update heads set next_account = 1000000 where realm =
      (select realm from realms where id = $1)`
    await rowsOf(made.database.superuserUrl, many, [realm.id])
    const first = await award({}, 'part')
    assert.deepEqual([first.json.awarded, first.json.nextCursor], [2, '500000'], first.text)
    const again = await award({}, 'part')
    assert.equal(again.headers['idempotent-replayed'], 'true', again.text)
    assert.equal(again.json.nextCursor, '2')
  })
})

describe('412', () => {
  it('a block that was replaced by another with its number is rejected', async () => {
    await read('4', 5n)
    await read('5', 5n)
    const { status, json } = await award({ blockHash: hashOf('4') })
    assert.deepEqual([status, json.code], [412, 'precondition_failed'])
    assert.equal((await award({ blockHash: hashOf('5') })).status, 200)
  })
})
