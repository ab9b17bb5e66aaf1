import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkpointKeysIn, createCheckpointKey } from '../../server/src/events/checkpoints/index.ts'
import { signNote, textOf } from '../../server/src/events/checkpoints/note.ts'
import { NoteError, openNote } from '../src/note.ts'

/** Notes as the server signs them, verified by the client’s own implementation. */

const name = 'points.example.com'
const keyOf = (seed: number, of = name) => {
  const made = createCheckpointKey(of, Buffer.alloc(32, seed))
  const keys = checkpointKeysIn(made?.signer ?? '')
  assert.ok(made && 'signer' in keys)
  return { signer: keys.signer, verifier: made.verifier }
}
const ours = keyOf(1)
const other = keyOf(2)
const facts = { seq: 12n, hash: 'c0'.repeat(32), signedAt: new Date('2026-01-15T09:30:00Z') }
const signed = (origin: string, { signer } = ours) => signNote(textOf({ ...facts, origin }), signer)
const note = signed(`${name}/realms/guild/journal`)

const open = (text: string, keys = [ours.verifier], realmId = 'guild') => openNote(text, { realmId, keys })
const rejects = (opened: Promise<unknown>, why: RegExp) =>
  assert.rejects(opened, (error) => error instanceof NoteError && why.test(error.message))

describe('a note', () => {
  it('is opened with the key that signed it', async () => {
    assert.deepEqual(await open(note), {
      realmId: 'guild',
      origin: `${name}/realms/guild/journal`,
      seq: 12n,
      hash: 'c0'.repeat(32),
      signedAt: '2026-01-15T09:30:00.000Z',
      key: ours.verifier,
    })
  })

  it('is opened by any of several keys, after rotation, and with other signatures beside it', async () => {
    assert.equal((await open(note, [other.verifier, `${ours.verifier}\n`])).key, ours.verifier)
    const [text = ''] = note.split('\n\n')
    const cosigned = signNote(`${text}\n`, other.signer) + note.slice(note.lastIndexOf('—'))
    assert.equal((await open(cosigned)).seq, 12n)
  })

  it('is opened as mail and editors leave it: with CRLF, or without its last line end', async () => {
    assert.equal((await open(note.replaceAll('\n', '\r\n'))).seq, 12n)
    assert.equal((await open(note.trimEnd())).seq, 12n)
  })

  it('is not opened when any byte of its text or its signature differs', async () => {
    const bytes = Buffer.from(note)
    for (let at = 0; at < bytes.length - 1; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      await assert.rejects(open(changed.toString()), NoteError, `byte ${at}`)
    }
  })

  it('is not opened by another key, though it has the same name', async () => {
    await rejects(open(note, [other.verifier]), /no given key has signed it/)
    await rejects(open(note, []), /no given key/)
  })

  it('is not opened for another realm, or of a server whose key it is not', async () => {
    await rejects(open(note, [ours.verifier], 'club'), /it is of the realm guild, not of club/)
    const foreign = signed('elsewhere.example/realms/guild/journal')
    await rejects(open(foreign), /its origin is elsewhere\.example/)
  })

  it('is not opened when it is a checkpoint of another type', async () => {
    const tree = 'example.com/log\n12\nwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMA=\n'
    const otherType = textOf({ ...facts, origin: `${name}/realms/guild/journal` }).replace(
      '-chain 1',
      '-chain 2',
    )
    for (const text of [tree, otherType])
      await rejects(open(signNote(text, ours.signer)), /not a signed checkpoint of Exchequer/)
    for (const text of ['', '12:c0', note.split('\n\n')[0] ?? '']) await rejects(open(text), /not a signed/)
  })

  it('is not opened by a text that is not a verifier key', async () => {
    const wrongId = ours.verifier.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    const renamed = ours.verifier.replace('points.', 'gold.')
    for (const key of ['', 'x', wrongId, renamed, ours.verifier.slice(0, -1)])
      await rejects(open(note, [key]), /is not a verifier key/)
  })
})
