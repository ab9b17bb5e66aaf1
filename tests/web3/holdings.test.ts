import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../support/call.ts'
import { type ManagedRealm, managed } from '../support/manager.ts'
import { evmSigner } from '../support/signers.ts'
import { suite } from '../support/suite.ts'
import { callData, contracts, startNode } from './node.ts'
import { Endpoint, type Mood } from './proxy.ts'

const node = await startNode(31337)
const endpoint = await Endpoint.to(node.url)
const code = contracts('Tokens.sol', 'Wallets.sol')
const chain = 'eip155:31337'

const made = suite(
  { CHAINS: `${chain}=${endpoint.url}`, CHAIN_TIMEOUT_MS: '500', HOLDINGS_EVERY_SECONDS: '1' },
  async (suited) => {
    realm = await managed(suited)
    await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }, { id: 3 }] })
    await prepare()
  },
)
let realm: ManagedRealm
let tokens: Record<'coin' | 'card' | 'item', string>
const owners = [evmSigner(), evmSigner(), evmSigner()] as const

after(async () => {
  endpoint.close()
  await node.stop()
})

const mint = (token: string, signature: string, values: readonly bigint[]) =>
  node.send({ to: token, data: callData(signature, values) })

async function prepare(): Promise<void> {
  const [coin, card, item] = [
    await node.deploy(code.get('Coin')),
    await node.deploy(code.get('Card')),
    await node.deploy(code.get('Item')),
  ]
  tokens = { coin, card, item }
  const put = (id: string, body: object) => realm.send(`PUT /web3/collections/${id}`, { chain, ...body })
  for (const [id, body] of [
    ['ether', { standard: 'native' }],
    ['coin', { standard: 'erc20', address: coin }],
    ['card', { standard: 'erc721', address: card, name: 'Founder’s card' }],
    ['sword', { standard: 'erc1155', address: item, tokenId: '7' }],
  ] as const) {
    const { status, text } = await put(id, body)
    assert.equal(status, 201, text)
  }
  for (const [index, { address }] of owners.entries()) {
    const wallet = BigInt(address)
    await mint(coin, 'mint(address,uint256)', [wallet, 10n ** 30n + BigInt(index)])
    if (index > 0) await mint(card, 'mint(address,uint256)', [wallet, BigInt(index)])
    await mint(item, 'mint(address,uint256,uint256)', [wallet, 7n, 5n])
    await mint(item, 'mint(address,uint256,uint256)', [wallet, 8n, 100n])
    await node.send({ to: address, value: 1_000n + BigInt(index) })
  }
}

async function prove(signer: (typeof owners)[number], member: number): Promise<void> {
  const path = `/members/${member}/wallets`
  const { json } = await realm.send(`POST ${path}/challenges`, { address: signer.address })
  const { message } = json
  const { status, text } = await realm.send(`POST ${path}`, {
    address: signer.address,
    message,
    signature: signer.sign(message),
  })
  assert.equal(status, 201, text)
}

type Holding = {
  collection: string
  amount: string
  provedAmount: string
  block: string
  blockHash: string
  stale: boolean
  wallets: { address: string; amount: string | null }[]
}

async function holdings(member = 1): Promise<Record<string, Holding>> {
  const { status, json, text }: Answer = await realm.send(`GET /web3/members/${member}`)
  assert.equal(status, 200, text)
  return Object.fromEntries(json.holdings.map((one: Holding) => [one.collection, one]))
}

/** Waits until the response satisfies the check, for up to ten seconds. */
async function until(
  holds: (all: Record<string, Holding>) => boolean,
  member = 1,
): Promise<Record<string, Holding>> {
  for (let tries = 0; tries < 100; tries++) {
    const all = await holdings(member)
    if (holds(all)) return all
    await sleep(100)
  }
  assert.fail(JSON.stringify(await holdings(member), null, 2))
}

const fresh = (all: Record<string, Holding>) => Object.values(all).every(({ stale }) => !stale)

describe('what a member holds', () => {
  it('is right for each of three wallets and in total, at the block returned', async () => {
    const [first, second, third] = owners
    await prove(first, 1)
    await prove(second, 1)
    await realm.send('POST /members/1/wallets', { address: third.address })
    const all = await until((now) => fresh(now) && now['card']?.amount === '3')
    assert.equal(all['coin']?.amount, String(3n * 10n ** 30n + 3n))
    assert.equal(all['coin']?.provedAmount, String(2n * 10n ** 30n + 1n))
    assert.equal(all['sword']?.amount, '15')
    assert.equal(all['ether']?.amount, '3003')
    assert.deepEqual(
      all['ether']?.wallets.map(({ address, amount }) => [address, amount]),
      owners.map(({ address }, index) => [address, String(1_000 + index)]),
    )
    const { block, blockHash } = all['card'] ?? {}
    const { hash } = await node.rpc<{ hash: string }>(
      'eth_getBlockByNumber',
      `0x${Number(block).toString(16)}`,
      false,
    )
    assert.equal(blockHash, hash)
    assert.equal(new Set(Object.values(all).map((one) => one.block)).size, 1)
  })

  it('follows a transfer on the chain', async () => {
    const [first] = owners
    const before = await until(fresh)
    await mint(tokens.card, 'mint(address,uint256)', [BigInt(first.address), 4n])
    const all = await until((now) => now['card']?.amount === '7')
    assert.ok(Number(all['card']?.block) > Number(before['card']?.block))
  })

  it('is corrected after a chain reorganization', async () => {
    const [first] = owners
    const snapshot = await node.rpc<string>('evm_snapshot')
    await mint(tokens.card, 'mint(address,uint256)', [BigInt(first.address), 10n])
    const before = await until((now) => now['card']?.amount === '17')
    await node.rpc('evm_revert', snapshot)
    await node.rpc('anvil_mine', '0x3')
    const all = await until((now) => now['card']?.amount === '7')
    assert.notEqual(all['card']?.blockHash, before['card']?.blockHash)
    const replaced = await node.rpc<{ hash: string } | null>(
      'eth_getBlockByNumber',
      `0x${Number(before['card']?.block).toString(16)}`,
      false,
    )
    assert.notEqual(replaced?.hash, before['card']?.blockHash)
  })

  it('is removed with the wallet', async () => {
    const signer = evmSigner()
    await mint(tokens.card, 'mint(address,uint256)', [BigInt(signer.address), 2n])
    await prove(signer, 2)
    await until((now) => now['card']?.amount === '2', 2)
    await realm.send(`DELETE /members/2/wallets/${signer.address}`)
    assert.equal((await holdings(2))['card']?.amount, '0')
    await realm.send('POST /members/3/wallets', { address: signer.address })
    await until((now) => now['card']?.amount === '2' && now['card'].provedAmount === '0', 3)
  })

  it('counts a contract wallet only on its own chain', async () => {
    const owner = evmSigner()
    const address = await node.deploy(code.get('OwnedWallet'), [BigInt(owner.address)])
    await realm.send('POST /members/2/wallets', { address, chain: 'eip155:10' })
    const all = await until(fresh, 2)
    assert.deepEqual(all['card']?.wallets, [])
  })
})

describe('a chain that fails', () => {
  const moods: Mood[] = ['hangs', 'lies about JSON', 'answers 429', 'dies', 'another id', 'half']
  for (const mood of moods) {
    it(`that ${mood}: known amounts are returned at once as stale, and fresh after recovery`, async () => {
      await until(fresh)
      endpoint.mood = mood
      try {
        const stale = await until((now) => now['card']?.stale === true)
        assert.equal(stale['card']?.amount, '7')
        const startedMs = performance.now()
        await holdings()
        assert.ok(performance.now() - startedMs < 400, 'it waited for the chain')
      } finally {
        endpoint.mood = 'honest'
      }
      await untilSoon(fresh)
    })
  }

  it('a token whose calls fail becomes stale, without effect on points or other tokens', async () => {
    const wild = await node.deploy(code.get('WildToken'))
    await node.rpc('evm_setIntervalMining', 1)
    await realm.send('PUT /web3/collections/wild', { chain, standard: 'erc20', address: wild })
    const before = await until((now) => now['wild']?.stale === true)
    const all = await until((now) => Number(now['card']?.block) > Number(before['card']?.block))
    assert.deepEqual([all['wild']?.block, all['wild']?.stale, all['card']?.stale], [null, true, false])
    await realm.send('DELETE /web3/collections/wild')
    await untilSoon(fresh)
  })
})

/** A chain that failed is retried after ten seconds. */
async function untilSoon(holds: (all: Record<string, Holding>) => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (holds(await holdings())) return
    await sleep(100)
  }
  assert.fail('the chain did not recover')
}

describe('points while a chain hangs', () => {
  it('keep their speed', async () => {
    const round = async () => {
      const startedMs = performance.now()
      for (let count = 0; count < 60; count++) {
        const [changed, read] = await Promise.all([
          realm.send('PATCH /members/3/tokenBalance', { tokens: 1 }),
          realm.send('GET /members/3'),
        ])
        assert.deepEqual([changed.status, read.status], [200, 200])
      }
      return performance.now() - startedMs
    }
    await round()
    const ratios: number[] = []
    for (let slice = 0; slice < 5; slice++) {
      endpoint.mood = 'honest'
      const whole = await round()
      endpoint.mood = 'hangs'
      ratios.push((await round()) / whole)
    }
    endpoint.mood = 'honest'
    const median = ratios.toSorted((a, b) => a - b)[2] ?? 0
    console.log(`points and reads while the chain hangs take ${median.toFixed(2)} of their time`)
    assert.ok(median < 1.5, String(ratios))
    assert.ok(made.app)
  })
})
