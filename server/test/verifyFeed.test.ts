import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { poor, rich } from '../../tests/support/fixture.ts'
import { postings } from '../../tests/support/postings.ts'
import { suite } from '../../tests/support/suite.ts'
import { asOperator, v4 } from '../../tests/support/v4.ts'
import { checkpointKeysIn, createCheckpointKey } from '../src/events/checkpoints/index.ts'
import { originOf, signNote, textOf } from '../src/events/checkpoints/note.ts'

/** examples/verify-feed.mjs, on an unchanged feed and on tampered feeds. */

const post = postings()
const checkpointKey = createCheckpointKey('points.example.com')
const made = suite()
const { adjust, transfer } = v4(made)
const script = fileURLToPath(new URL('../../examples/verify-feed.mjs', import.meta.url))

type Ran = { readonly code: number; readonly out: string; readonly err: string }

async function verifyFeed(url: string, extra: Record<string, string> = {}): Promise<Ran> {
  const { id } = made.fixture.realm
  const body = { name: 'verifier', scopes: ['journal:read'] }
  const { key } = await asOperator(made, 'POST', { path: `/realms/${id}/keys`, body })
  const env = { ...process.env, URL: url, REALM: id, KEY: key, ...extra }
  return new Promise((resolve) => {
    execFile(process.execPath, [script], { env, timeout: 20_000 }, (error, out, err) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
}

type Feed = {
  data: Record<string, unknown>[]
  head: { seq: string; hash: string }
}

/** A proxy that changes what it forwards. */
async function tampered(change: (feed: Feed) => void): Promise<Ran> {
  const between = createServer((request, response) => {
    void (async () => {
      const headers = { authorization: request.headers.authorization ?? '' }
      const feed = (await (await fetch(made.app.url + request.url, { headers })).json()) as Feed
      change(feed)
      response.end(JSON.stringify(feed))
    })()
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  try {
    return await verifyFeed(`http://127.0.0.1:${(between.address() as AddressInfo).port}`)
  } finally {
    between.close()
    between.closeAllConnections()
  }
}

/** Changes something of the fifth entry. */
const fifth = (change: (entry: Record<string, unknown>) => void) => (feed: Feed) => {
  const entry = feed.data.find(({ seq }) => seq === '5')
  if (entry) change(entry)
}

/** Entries of all types: the fifth is a transfer with details. */
async function fill(): Promise<void> {
  await adjust(rich, { tokens: 1 }, { headers: { 'idempotency-key': 'feed' } })
  await adjust(rich, { tokens: 1, metadata: { 10: 1, 9: [12345678901234567890n.toString()] } })
  await transfer(rich, { recipientId: poor, tokens: 2, reason: 'für dich' })
  const changes = [rich, poor].map((member) => ({ member, tokens: 2n, point: undefined }))
  await post(made, { kind: 'batch', changes })
  const [hold] = await post(made, {
    kind: 'hold',
    member: rich,
    tokens: 3n,
    point: undefined,
    forUs: 60_000_000n,
  })
  await post(made, { kind: 'capture', hold: BigInt(hold ?? 0), tokens: 1n })
  await Promise.all(Array.from({ length: 1_100 }, () => adjust(rich, { tokens: 1 })))
}

describe('verify-feed', () => {
  it('reports a valid chain of more than a page', async () => {
    await fill()
    const { code, out, err } = await verifyFeed(made.app.url)
    assert.equal(err, '')
    assert.match(out, /^1110 entries, the chain holds, last 1110:[0-9a-f]{64}\n$/)
    assert.equal(code, 0)
    assert.equal((await tampered(() => {})).out, out)
  })

  for (const [what, change, said] of [
    ['an amount', fifth((entry) => (entry['tokens'] = 3)), /^Entry 5 is not what its hash says/],
    ['who gave', fifth((entry) => (entry['fromAccount'] = 2)), /^Entry 5 is not/],
    ['its type', fifth((entry) => (entry['type'] = 'adjust')), /^Entry 5 is not/],
    ['its type to none', fifth((entry) => (entry['type'] = 'gift')), /^Entry 5 is of a type/],
    ['the time', fifth((entry) => (entry['atUs'] = '1')), /^Entry 5 is not/],
    ['a link', fifth((entry) => (entry['link'] = '1')), /^Entry 5 is/],
    ['what was said', fifth((entry) => (entry['details'] = { salt: '', text: '{}' })), /^What was said of/],
    ['an entry that is left out', (feed) => feed.data.splice(4, 1), /^Entry 5 is missing/],
    ['the end that is left out', (feed) => feed.data.splice(0), /^Entry 1 is missing: there are 1110/],
    ['the head', (feed) => (feed.head.hash = 'f'.repeat(64)), /^The last hash/],
  ] as [string, (feed: Feed) => void, RegExp][]) {
    it(`detects a change of ${what}`, async () => {
      const { code, out, err } = await tampered(change)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, said)
    })
  }

  /** As the server signs it, for any entry and hash. */
  function noteOf(seq: bigint, hash: string): string {
    const keys = checkpointKeysIn(checkpointKey?.signer ?? '')
    assert.ok('signer' in keys)
    const origin = originOf(keys.signer.name, made.fixture.realm.id)
    return signNote(textOf({ origin, seq, hash, signedAt: new Date() }), keys.signer)
  }

  it('compares the history with a signed checkpoint, if one is given', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'exchequer-note-'))
    try {
      const { out } = await verifyFeed(made.app.url)
      const [, hash = ''] = /:([0-9a-f]{64})/.exec(out) ?? []
      const NOTE = join(folder, 'note.txt')
      const withNote = (note: string, VERIFIER = checkpointKey?.verifier ?? '') => {
        writeFileSync(NOTE, note)
        return verifyFeed(made.app.url, { NOTE, VERIFIER })
      }
      assert.equal((await withNote(noteOf(1110n, hash))).out, out)
      const other = createCheckpointKey('points.example.com')?.verifier
      for (const [ran, said] of [
        [await withNote(noteOf(5n, hash)), /^History was rewritten: entry 5 is not the one/],
        [await withNote(noteOf(1111n, hash)), /^Entry 1111 was signed, but it is missing/],
        [await withNote(noteOf(1110n, hash).replace('\n1110\n', '\n1109\n')), /^The note is not signed by/],
        [await withNote(noteOf(1110n, hash), other), /^The note is not signed by this key/],
        [
          await withNote(noteOf(1110n, hash).replace('/realms/', '/realms/x')),
          /^The note is not a checkpoint/,
        ],
      ] as const) {
        assert.deepEqual([ran.code, ran.out], [1, ''])
        assert.match(ran.err, said)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('prints the feed’s response when it is an error', async () => {
    const { code, err } = await verifyFeed(`${made.app.url}/nowhere`)
    assert.equal(code, 1)
    assert.match(err, /^The feed answered 404/)
  })
})
