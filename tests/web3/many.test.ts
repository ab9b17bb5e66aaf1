import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { blockAt, Chains, readAmounts, UnreadableAnswer } from '../../server/src/web3/chains/index.ts'
import { callData, contracts, startNode } from './node.ts'
import { Endpoint } from './proxy.ts'

const node = await startNode(31337)
const endpoint = await Endpoint.to(node.url)
after(async () => {
  endpoint.close()
  await node.stop()
})
const chain = new Chains([{ id: 'eip155:31337', urls: [endpoint.url] }], 5_000).get('eip155:31337')
const code = contracts('Tokens.sol')
const wallets = Array.from({ length: 600 }, () => randomBytes(20))
const asked = wallets.map((wallet) => `0x${wallet.toString('hex')}`)

describe('many wallets', () => {
  it('are read with one call, up to the size of one reading', async () => {
    assert.ok(chain)
    const address = await node.deploy(code.get('Coin'))
    for (let at = 0; at < 600; at += 200)
      await node.send({
        to: address,
        data: callData('drop(bytes)', [Buffer.concat(wallets.slice(at, at + 200))]),
      })
    const block = await blockAt(chain)
    assert.ok(block)
    const before = endpoint.asked
    const amounts = await readAmounts(
      chain,
      { standard: 'erc20', address, tokenId: null },
      { block, wallets: asked },
    )
    assert.equal(endpoint.asked - before, 1)
    assert.deepEqual(
      amounts,
      wallets.map((_, index) => 10n ** 18n + BigInt((index % 200) * 20)),
    )
  })

  it('are read in halves when a chain accepts fewer at once', async () => {
    assert.ok(chain)
    const block = await blockAt(chain)
    assert.ok(block)
    const twice = [...asked, ...asked]
    const before = endpoint.asked
    const ether = { standard: 'native', address: null, tokenId: null } as const
    const amounts = await readAmounts(chain, ether, { block, wallets: twice })
    assert.equal(endpoint.asked - before, 3)
    assert.deepEqual(
      amounts,
      twice.map(() => 0n),
    )
  })

  it('are not read from a contract that is not a token', async () => {
    assert.ok(chain)
    for (const address of [asked[0] ?? '', await node.deploy(code.get('WildToken'))]) {
      const block = await blockAt(chain)
      assert.ok(block)
      const token = { standard: 'erc20', address, tokenId: null } as const
      await assert.rejects(
        readAmounts(chain, token, { block, wallets: asked.slice(0, 60) }),
        UnreadableAnswer,
      )
    }
  })
})
