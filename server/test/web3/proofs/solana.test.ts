import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, solanaSigner } from '../../../../tests/support/signers.ts'
import { ed25519Signature, solanaSigned } from '../../../src/web3/proofs/solana.ts'

const { Point } = ed25519
const order = Point.Fn.ORDER
const prime = Point.Fp.ORDER

const little = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const identity = little(1n)

/** The eight points of small order: multiples of one of order 8. */
function smallOrder(): Uint8Array[] {
  const eighth = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
  const points = [Point.ZERO]
  for (let point = eighth; !point.is0(); point = point.add(eighth)) points.push(point)
  return points.map((point) => point.toBytes())
}

/** Points whose y is not below the prime, each another form of one of small order. */
const nonCanonical = [
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  '0100000000000000000000000000000000000000000000000000000000000080',
].map((hex) => Buffer.from(hex, 'hex'))

describe('a Solana signature', () => {
  const text = 'a text to sign'
  const signer = solanaSigner()
  const made = ed25519Signature(signer.sign(text))
  assert.ok(made)

  it('is accepted in base58, base64 and hex, only of this text by this address', () => {
    assert.ok(solanaSigned(signer.address, text, made))
    assert.deepEqual(ed25519Signature(made.toString('base64')), made)
    assert.deepEqual(ed25519Signature(`0x${made.toString('hex')}`), made)
    assert.ok(!solanaSigned(signer.address, `${text}.`, made))
    assert.ok(!solanaSigned(solanaSigner().address, text, made))
    for (let place = 0; place < 64; place += 7) {
      const changed = Buffer.from(made)
      changed[place] = (changed[place] ?? 0) ^ 1
      assert.ok(!solanaSigned(signer.address, text, changed), String(place))
    }
  })

  it('that anyone can make for an address of small order is rejected', () => {
    const keys = smallOrder()
    assert.equal(keys.length, 8)
    const forged = Buffer.concat([identity, Buffer.alloc(32)])
    assert.ok(ed25519.verify(forged, Buffer.from(text), keys[0] ?? identity), 'the usual check accepts it')
    assert.ok(!solanaSigned('4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM', text, forged))
    for (const key of [...keys, ...nonCanonical])
      for (const r of [...keys, ...nonCanonical])
        assert.ok(!solanaSigned(base58(key), text, Buffer.concat([r, Buffer.alloc(32)])))
  })

  it('with an R of small order or in another form is rejected', () => {
    for (const r of [...smallOrder(), ...nonCanonical])
      assert.ok(!solanaSigned(signer.address, text, Buffer.concat([r, made.subarray(32)])))
  })

  it('with s beyond the order, a second form of one signature, is rejected', () => {
    const s = number(made.subarray(32))
    const second = Buffer.concat([made.subarray(0, 32), little(s + order)])
    assert.ok(s + order < 1n << 256n)
    assert.ok(!solanaSigned(signer.address, text, second))
  })

  it('of a key outside of the prime-order group is rejected', () => {
    const [, torsion] = smallOrder()
    const own = Point.fromBytes(ed25519.getPublicKey(ed25519.utils.randomSecretKey()))
    const mixed = own.add(Point.fromBytes(torsion ?? identity)).toBytes()
    for (const r of [made.subarray(0, 32), ed25519.getPublicKey(ed25519.utils.randomSecretKey())])
      assert.ok(!solanaSigned(base58(mixed), text, Buffer.concat([r, made.subarray(32)])))
    assert.ok(prime > order)
  })
})
