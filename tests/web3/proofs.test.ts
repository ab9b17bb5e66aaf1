import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { checksummed } from '../../server/src/wallets/address.ts'
import { encode } from '../../server/src/web3/chains/abi.ts'
import { textHash } from '../../server/src/web3/proofs/account.ts'
import type { Answer } from '../support/call.ts'
import { type ManagedRealm, managed } from '../support/manager.ts'
import { evmSigner, type Signer, signHash } from '../support/signers.ts'
import { suite } from '../support/suite.ts'
import { freshBytecode, keptBytecode } from './compile.ts'
import { callData, contracts, type EvmNode, startNode } from './node.ts'

const [near, far] = await Promise.all([startNode(31337), startNode(10)])

/** An endpoint that claims to be chain 5, but runs another. */
const liar = createServer((request, response) => {
  const answer = async () => {
    const asked = (await json(request)) as { id: number; method: string; params: unknown[] }
    const result = asked.method === 'eth_chainId' ? '0x5' : await near.rpc(asked.method, ...asked.params)
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }))
  }
  void answer()
}).listen(0, '127.0.0.1')
await once(liar, 'listening')

const liarUrl = () => `http://127.0.0.1:${(liar.address() as AddressInfo).port}`
const dead = 'http://127.0.0.1:9'
const made = contracts('Wallets.sol')

let realm: ManagedRealm
suite(
  {
    CHAINS: `eip155:31337=${near.url} eip155:10=${dead},${far.url} eip155:5=${liarUrl()} eip155:7=${dead}`,
    CHAIN_TIMEOUT_MS: '2000',
  },
  async (suited) => {
    realm = await managed(suited)
    await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
  },
)
after(async () => {
  liar.close()
  await Promise.all([near.stop(), far.stop()])
})

async function prove(signer: Signer, chain = 'eip155:31337'): Promise<Answer> {
  const asked = await realm.send('POST /members/1/wallets/challenges', { address: signer.address, chain })
  assert.equal(asked.status, 200, asked.text)
  const { message } = asked.json
  const body = { address: signer.address, message, signature: signer.sign(message) }
  return realm.send('POST /members/1/wallets', body)
}

function linkedOn({ status, json, text }: Answer, address: string): string {
  assert.equal(status, 201, text)
  assert.deepEqual([json.address, json.verified], [checksummed(address), true])
  return json.chain
}

function refused({ status, json, text }: Answer, words = /not a valid signature/): void {
  assert.deepEqual([status, json.code], [422, 'proof_refused'], text)
  assert.match(json.detail, words)
}

const salt = 7n
const mark = '6492'.repeat(16)

async function ownedWallet(node: EvmNode, owner: string): Promise<string> {
  return checksummed(await node.deploy(made.get('OwnedWallet'), [BigInt(owner)]))
}

/** A wallet that its factory has not deployed yet, and a signature that contains how to deploy it. */
async function futureWallet(node: EvmNode, owner = evmSigner()) {
  const factory = await node.deploy(made.get('WalletFactory'))
  const word = await node.call(factory, 'addressOf(address,bytes32)', [BigInt(owner.address), salt])
  const address = checksummed(`0x${word.slice(-40)}`)
  const preparation = callData('make(address,bytes32)', [BigInt(owner.address), salt])
  const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex')
  const wrap = (signature: string, by = factory) =>
    `0x${encode([BigInt(by), bytesOf(preparation), bytesOf(signature)]).toString('hex')}${mark}`
  const sign = (text: string) => wrap(owner.sign(text))
  return { address, sign, wrap, owner, make: () => node.send({ to: factory, data: preparation }) }
}

describe('bytecode for eth_call', () => {
  it('equals the compiled contracts', () => assert.equal(keptBytecode(), freshBytecode()))
})

describe('linking a wallet by its owner’s signature', () => {
  it('an account is linked on every chain of its kind, without a call to its chain', async () => {
    for (const chain of ['eip155:31337', 'eip155:7', 'eip155:424242']) {
      const signer = evmSigner()
      assert.equal(linkedOn(await prove(signer, chain), signer.address), 'eip155')
    }
  })

  it('a contract is linked on its own chain, by a signature that it accepts (ERC-1271)', async () => {
    const owner = evmSigner()
    const address = await ownedWallet(near, owner.address)
    assert.equal(linkedOn(await prove({ ...owner, address }), address), 'eip155:31337')
  })

  it('a contract is called through a second endpoint when the first is dead', async () => {
    const owner = evmSigner()
    const address = await ownedWallet(far, owner.address)
    assert.equal(linkedOn(await prove({ ...owner, address }, 'eip155:10'), address), 'eip155:10')
  })

  it('a contract that is not deployed yet is linked (ERC-6492), and nothing is deployed', async () => {
    const wallet = await futureWallet(near)
    assert.equal(await near.rpc('eth_getCode', wallet.address, 'latest'), '0x')
    assert.equal(linkedOn(await prove(wallet), wallet.address), 'eip155:31337')
    assert.equal(await near.rpc('eth_getCode', wallet.address, 'latest'), '0x')
  })

  it('a contract that was deployed meanwhile still accepts a wrapped signature', async () => {
    const wallet = await futureWallet(near)
    await wallet.make()
    assert.notEqual(await near.rpc('eth_getCode', wallet.address, 'latest'), '0x')
    assert.equal(linkedOn(await prove(wallet), wallet.address), 'eip155:31337')
  })

  it('an account with a delegation (EIP-7702) is linked by its key, and by its code', async () => {
    const account = evmSigner()
    const guardian = evmSigner()
    const code = await ownedWallet(near, guardian.address)
    await delegate(near, account.secret, code)
    const designator = await near.rpc<string>('eth_getCode', account.address, 'latest')
    assert.equal(designator, `0xef0100${code.slice(2).toLowerCase()}`)
    assert.equal(linkedOn(await prove({ ...account, sign: guardian.sign }), account.address), 'eip155:31337')
    assert.equal(linkedOn(await prove(account), account.address), 'eip155')
  })
})

/** Sends a transaction with the account's authorization: its code is the contract's from then on. */
async function delegate(node: EvmNode, secret: Uint8Array, contract: string): Promise<void> {
  const chainId = Buffer.from('827a69', 'hex')
  const fields = Buffer.concat([
    chainId,
    Buffer.from([0x94]),
    Buffer.from(contract.slice(2), 'hex'),
    Buffer.from([0x80]),
  ])
  const list = Buffer.concat([Buffer.from([0x05, 0xc0 + fields.length]), fields])
  const signature = signHash(secret, keccak_256(list))
  const authorization = {
    chainId: '0x7a69',
    address: contract,
    nonce: '0x0',
    yParity: `0x${((signature[64] ?? 27) - 27).toString(16)}`,
    r: `0x${signature.toString('hex', 0, 32).replace(/^0+/, '')}`,
    s: `0x${signature.toString('hex', 32, 64).replace(/^0+/, '')}`,
  }
  await node.send(
    { to: '0x0000000000000000000000000000000000000001' },
    { type: '0x4', authorizationList: [authorization] },
  )
}

describe('the server rejects', () => {
  it('a signature by an account that does not own the contract', async () => {
    const address = await ownedWallet(near, evmSigner().address)
    refused(await prove({ ...evmSigner(), address }))
  })

  it('a contract that accepts the signature only on another chain', async () => {
    const [, from] = await far.rpc<string[]>('eth_accounts')
    const address = checksummed(await far.deploy(made.get('YesWallet'), [], { from }))
    assert.equal(await near.rpc('eth_getCode', address, 'latest'), '0x')
    const sign = () => '0x11'
    refused(await prove({ address, sign }))
    assert.equal(linkedOn(await prove({ address, sign }, 'eip155:10'), address), 'eip155:10')
  })

  it('an endpoint that reports a wrong chain id', async () => {
    const owner = evmSigner()
    const address = await ownedWallet(near, owner.address)
    const answer = await prove({ ...owner, address }, 'eip155:5')
    assert.deepEqual([answer.status, answer.json.code], [503, 'chain_unavailable'], answer.text)
    assert.ok(Number(answer.headers['retry-after']) > 0)
  })

  it('a chain that is unreachable, or not configured', async () => {
    const owner = evmSigner()
    const address = await ownedWallet(near, owner.address)
    assert.equal((await prove({ ...owner, address }, 'eip155:7')).status, 503)
    refused(await prove({ ...owner, address }, 'eip155:8'), /has no endpoint for eip155:8/)
  })

  it('a contract that returns almost the magic value', async () => {
    for (let way = 0n; way <= 6n; way++) {
      const address = checksummed(await near.deploy(made.get('OddWallet'), [way]))
      refused(await prove({ address, sign: () => '0x11' }))
    }
  })

  it('a signature of another hash than that of the text', async () => {
    const owner = evmSigner()
    const address = await ownedWallet(near, owner.address)
    const sign = () => `0x${signHash(owner.secret, textHash('another text')).toString('hex')}`
    refused(await prove({ address, sign }))
  })

  it('a high s at a contract that would accept the account’s', async () => {
    const owner = evmSigner()
    const address = await ownedWallet(near, owner.address)
    refused(await prove({ address, sign: (text) => highS(owner.sign(text)) }))
    refused(await prove({ ...owner, sign: (text) => highS(owner.sign(text)) }))
  })

  it('a wrapper whose factory deploys another wallet, or nothing', async () => {
    const wallet = await futureWallet(near)
    const other = await futureWallet(near)
    refused(await prove({ address: evmSigner().address, sign: wallet.sign }))
    refused(await prove({ ...wallet, sign: (text) => other.wrap(wallet.owner.sign(text)) }))
    refused(
      await prove({ ...wallet, sign: (text) => wallet.wrap(wallet.owner.sign(text), evmSigner().address) }),
    )
    refused(await prove({ ...wallet, sign: (text) => wallet.wrap(evmSigner().sign(text)) }))
  })

  it('a wrapper for a wallet that is already deployed', async () => {
    // If called, the factory would accept in place of the wallet.
    const owner = evmSigner()
    const address = await ownedWallet(near, owner.address)
    const wallet = await futureWallet(near)
    refused(await prove({ address, sign: (text) => wallet.wrap(evmSigner().sign(text)) }))
  })

  it('a malformed wrapper', async () => {
    const wallet = await futureWallet(near)
    refused(await prove({ ...wallet, sign: () => `0x${mark}` }))
    refused(
      await prove({
        ...wallet,
        sign: (text) => wallet.sign(text).replace(/^0x.{128}/, `0x${'f'.repeat(128)}`),
      }),
    )
  })
})

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same signature with the other s. */
function highS(signature: string): string {
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return signature.slice(0, 66) + s.toString(16).padStart(64, '0') + v
}
