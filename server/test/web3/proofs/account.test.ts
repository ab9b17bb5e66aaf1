import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { evmSigner } from '../../../../tests/support/signers.ts'
import { encode } from '../../../src/web3/chains/abi.ts'
import { signerOf, textHash } from '../../../src/web3/proofs/account.ts'
import { partsOf } from '../../../src/web3/proofs/contract.ts'

const { ORDER: order } = secp256k1.Point.Fn
const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')

describe('an account’s signature', () => {
  const text = 'a text to sign'
  const hash = textHash(text)
  const signer = evmSigner()
  const made = bytes(signer.sign(text))
  const own = signer.address.toLowerCase()

  it('recovers the account, for this text only', () => {
    assert.equal(signerOf(hash, made), own)
    assert.notEqual(signerOf(textHash('another'), made), own)
  })

  it('equals that of other tools: the vector of ERC-191’s usual library', () => {
    // web3.eth.accounts.sign('Some data', '0x4c08…2318') of web3.js’s documentation.
    const known = bytes(
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd' +
        '6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
    )
    assert.equal(signerOf(textHash('Some data'), known), '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23')
  })

  it('with s in the upper half, a second form of one signature, is rejected', () => {
    const s = BigInt(`0x${made.toString('hex', 32, 64)}`)
    const high = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')
    const v = made[64] === 27 ? 28 : 27
    assert.equal(signerOf(hash, Buffer.concat([made.subarray(0, 32), high, Buffer.from([v])])), undefined)
  })

  it('of another length, with another v, or out of range is rejected', () => {
    assert.equal(signerOf(hash, made.subarray(0, 64)), undefined)
    assert.equal(signerOf(hash, Buffer.concat([made, Buffer.alloc(1)])), undefined)
    for (const v of [2, 26, 29, 35, 255]) {
      assert.equal(signerOf(hash, Buffer.concat([made.subarray(0, 64), Buffer.from([v])])), undefined)
    }
    assert.equal(signerOf(hash, Buffer.alloc(65)), undefined)
    assert.equal(signerOf(hash, Buffer.concat([Buffer.alloc(64, 0xff), Buffer.from([27])])), undefined)
  })
})

describe('a wrapper of ERC-6492', () => {
  const mark = Buffer.from('6492'.repeat(16), 'hex')

  it('is decoded', () => {
    const wrapped = Buffer.concat([encode([7n, Buffer.from('prepare'), Buffer.from('sign')]), mark])
    const { factory, preparation, signature } = partsOf(wrapped) ?? {}
    assert.deepEqual([factory, String(preparation), String(signature)], [7n, 'prepare', 'sign'])
  })

  it('that points outside of itself, or names no factory, is rejected', () => {
    const good = encode([7n, Buffer.from('prepare'), Buffer.from('sign')])
    assert.equal(partsOf(mark), undefined)
    assert.equal(partsOf(Buffer.concat([encode([0n, Buffer.alloc(1), Buffer.alloc(1)]), mark])), undefined)
    assert.equal(
      partsOf(Buffer.concat([encode([1n << 160n, Buffer.alloc(1), Buffer.alloc(1)]), mark])),
      undefined,
    )
    for (const place of [32, 64, 96, 160]) {
      const bent = Buffer.from(good)
      bent.fill(0xff, place, place + 32)
      assert.equal(partsOf(Buffer.concat([bent, mark])), undefined, String(place))
    }
    assert.equal(partsOf(Buffer.concat([good.subarray(0, 130), mark])), undefined)
  })
})
