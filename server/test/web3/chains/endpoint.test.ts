import assert from 'node:assert/strict'
import { it } from 'node:test'
import { FakeChain } from '../../../../tests/support/fakeChain.ts'
import { readConfig } from '../../../src/config/index.ts'
import { Chain } from '../../../src/web3/chains/chain.ts'
import { Endpoint } from '../../../src/web3/chains/endpoint.ts'
import { chainsIn } from '../../../src/web3/chains/index.ts'

it('an endpoint that returns wrong data is paused longer each time', async () => {
  const node = await FakeChain.start()
  try {
    const endpoint = new Endpoint(node.url, 1_000)
    const chain = new Chain(node.id, [endpoint])
    const asked = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    const untrue = () => {
      throw new Error('wrong data')
    }
    // Three times at 0, 0.5 and 1.5 s.
    await assert.rejects(chain.ask(asked, untrue), /could not be reached/)
    assert.ok(endpoint.restMs() > 1_500, `${endpoint.restMs()} ms`)
  } finally {
    node.close()
  }
})

it('an endpoint with credentials in its URL is rejected, without repeating them', () => {
  for (const url of ['https://user:hush@rpc.example.com', 'https://hush@rpc.example.com/v2']) {
    const CHAINS = `eip155:1=https://rpc.example.com,${url}`
    assert.deepEqual(chainsIn(CHAINS).chains, [])
    assert.throws(
      () =>
        readConfig({ CHAINS, DATABASE_URL: 'postgres://localhost/x', KEY_SECRETS: `k1:${'a'.repeat(64)}` }),
      (error: Error) => /password in an endpoint/.test(error.message) && !error.message.includes('hush'),
    )
  }
})
