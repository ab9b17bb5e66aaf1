import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { checkpointKeysIn, createCheckpointKey, keyIdOf } from '../../../src/events/checkpoints/keys.ts'
import { originOf, signNote, textOf } from '../../../src/events/checkpoints/note.ts'

/** The example of golang.org/x/mod/sumdb/note, the first implementation of the format. */
const example = {
  signer: 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz',
  verifier: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text:
    'If you think cryptography is the answer to your problem,\n' +
    "then you don't know what your problem is.\n",
  signature: 'x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
}

const seed = Buffer.alloc(32, 7)
const made = createCheckpointKey('points.example.com', seed)

function keysOf(text: string) {
  const keys = checkpointKeysIn(text)
  assert.ok('signer' in keys, `key ${'wrong' in keys ? keys.wrong : ''} is invalid`)
  return keys
}

const facts = {
  origin: originOf('points.example.com', 'guild'),
  seq: 1110n,
  hash: 'ab'.repeat(32),
  signedAt: new Date('2026-01-15T09:30:00Z'),
}
const text = `points.example.com/realms/guild/journal
1110
q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=
exchequer-hash-chain 1
signed-at 2026-01-15T09:30:00.000Z
`

describe('a note', () => {
  it('is the same to the byte as that of the first implementation of the format', () => {
    const { signer, verifiers } = keysOf(example.signer)
    const note = signNote(example.text, signer)
    assert.equal(note, `${example.text}\n— PeterNeumann ${example.signature}\n`)
    assert.equal(verifiers.length, 1)
    assert.equal(
      createCheckpointKey(
        'PeterNeumann',
        Buffer.from('gQoUAtUUbI2E8kQzMPVAgOv5juF9nHT2JS/F1ccoMXM=', 'base64'),
      )?.verifier,
      example.verifier,
    )
  })

  it('has the lines of a checkpoint: origin, seq, hash, the type of its hash, and the time', () => {
    assert.equal(textOf(facts), text)
  })

  it('is signed as the specification says', () => {
    const { signer } = keysOf(made?.signer ?? '')
    const note = signNote(textOf(facts), signer)
    // Read again from the specification alone.
    const at = note.lastIndexOf('\n\n')
    const signed = Buffer.from(note.slice(0, at + 1))
    const [, name = '', base64 = ''] = /^— (\S+) (\S+)\n$/.exec(note.slice(at + 2)) ?? []
    const bytes = Buffer.from(base64, 'base64')
    const [keyName = '', , key = ''] =
      /^(.+?)\+([0-9a-f]{8})\+(.+)$/.exec(made?.verifier ?? '')?.slice(1) ?? []
    const data = Buffer.from(key, 'base64')
    const id = createHash('sha256').update(`${keyName}\n`).update(data).digest().subarray(0, 4)
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), data.subarray(1)])
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    assert.equal(name, keyName)
    assert.deepEqual(bytes.subarray(0, 4), id)
    assert.equal(signed.toString(), text)
    assert.ok(verify(null, signed, publicKey, bytes.subarray(4)))
    assert.equal(bytes.length, 68)
  })
})

describe('the list of keys', () => {
  const other = createCheckpointKey('old.example.com', Buffer.alloc(32, 8))

  it('signs with the first, and publishes older ones, private or public', () => {
    const keys = keysOf(`${made?.signer}, ${other?.verifier},${example.signer}`)
    assert.equal(keys.signer.name, 'points.example.com')
    assert.deepEqual(
      keys.verifiers.map(({ name }) => name),
      ['points.example.com', 'old.example.com', 'PeterNeumann'],
    )
  })

  it('is rejected with the position of the invalid key', () => {
    const wrongId = (made?.signer ?? '').replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    for (const [list, wrong] of [
      ['', 1],
      [made?.verifier, 1],
      [wrongId, 1],
      [`${made?.signer},`, 2],
      [`${made?.signer},${other?.verifier}x`, 2],
      [`${made?.signer},${other?.verifier},PRIVATE+KEY+a+b`, 3],
      [`${made?.signer},${(other?.verifier ?? '').replace('old.', 'new.')}`, 2],
    ] as const)
      assert.deepEqual(checkpointKeysIn(list ?? ''), { wrong }, list)
  })

  it('has no key with a name that the format or the list excludes', () => {
    for (const name of ['', 'a b', 'a+b', 'a,b', 'a\nb', 'é', 'x'.repeat(201)])
      assert.equal(createCheckpointKey(name), undefined, name)
  })

  it('has keys whose id depends on the name', () => {
    assert.notEqual(keyIdOf('a', seed), keyIdOf('b', seed))
  })
})
