import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { JournalEntry } from '../src/index.ts'
import { type ChainFault, parseCheckpoint, verifyChain } from '../src/verify.ts'

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

const range = { from: null, to: null }

/** The hash of an entry, computed independently by docs/journal.md. */
function hashOf(before: string, entry: JournalEntry): string {
  const { encoding, seq, atUs, type, keyId, realmPointId, fromAccount, toAccount, tokens } = entry
  const number = type === 'adjust' ? 1 : 2
  const moved = `${fromAccount} ${toAccount} ${tokens} ${entry.fromBalance ?? '-'} ${entry.toBalance ?? '-'}`
  const line = `${encoding} ${before} ${seq} ${atUs} ${number} ${keyId} ${realmPointId} ${moved}`
  return sha256(`${line} - - ${entry.detailsHash ?? '-'}${entry.link === null ? '' : ` ${entry.link}`}`)
}

/** Entries that add 5 to account 7 each; a change of one is sealed with it. */
function journal(count: number, change: (nth: number) => Partial<JournalEntry> = () => ({})): JournalEntry[] {
  const entries: JournalEntry[] = []
  let before = sha256('exchequer 1 guild')
  for (let nth = 1; nth <= count; nth += 1) {
    const details = nth % 2 ? { salt: '00ff'.repeat(8), text: `{"reason":"ü ${nth}"}` } : null
    const link = nth % 3 ? null : String(nth - 1)
    const entry = {
      seq: String(nth),
      atUs: String(1_770_000_000_000_000 + nth),
      type: 'adjust' as const,
      keyId: '4',
      realmPointId: 'gold',
      fromAccount: 0,
      toAccount: 7,
      tokens: 5,
      fromBalance: null,
      toBalance: 5 * nth,
      request: null,
      fingerprint: null,
      detailsHash: details && sha256(Buffer.from(details.salt, 'hex'), details.text),
      link,
      encoding: link ? 2 : 1,
      hash: '',
      fromId: null,
      toId: '1',
      details,
      ...change(nth),
    }
    before = hashOf(before, entry)
    entries.push({ ...entry, hash: before })
  }
  return entries
}

function verify(entries: readonly JournalEntry[], kept?: string, headOf = entries) {
  const last = headOf.at(-1)
  const head = { seq: last?.seq ?? '0', hash: last?.hash ?? sha256('exchequer 1 guild') }
  const read = async (after: bigint) => {
    const page = entries.filter(({ seq }) => BigInt(seq) > after).slice(0, 4)
    return { data: page, head, nextCursor: null, origin: '', ...range }
  }
  const against = kept === undefined ? undefined : parseCheckpoint(kept)
  return verifyChain({ realmId: 'guild', against, read: (cursor) => read(BigInt(cursor)) })
}

const breaks = (entries: readonly JournalEntry[], seq: bigint, fault: ChainFault) =>
  assert.rejects(verify(entries), { name: 'ChainError', seq, fault })
const changed = (seq: number, change: Partial<JournalEntry>) =>
  journal(10).map((entry) => (entry.seq === String(seq) ? { ...entry, ...change } : entry))
const sealedWith = (seq: number, change: Partial<JournalEntry>) =>
  journal(10, (nth) => (nth === seq ? change : {}))

describe('the chain of a journal is valid', () => {
  it('when every hash is right, and when there is no entry', async () => {
    const hash = journal(10)[9]?.hash
    assert.deepEqual(await verify(journal(10)), { seq: 10n, hash, erased: 0 })
    assert.equal((await verify([])).seq, 0n)
  })

  it('when details were erased, and counts those entries', async () => {
    assert.equal((await verify(changed(5, { details: null }))).erased, 1)
  })

  it('with the runtime’s hash function', async () => {
    const read = async () => ({
      data: journal(3),
      head: journal(3)[2] as JournalEntry,
      nextCursor: null,
      origin: '',
      ...range,
    })
    const own = (bytes: Uint8Array) => sha256(Buffer.from(bytes))
    const { hash } = await verifyChain({ realmId: 'guild', sha256: own, read })
    assert.equal(hash, journal(3)[2]?.hash)
  })
})

describe('the chain of a journal', () => {
  it('breaks at a changed entry, whichever field was changed', async () => {
    const changes: Partial<JournalEntry>[] = [
      { tokens: 6 },
      { type: 'transfer' },
      { keyId: '5' },
      { toBalance: 1 },
      { fromBalance: 1 },
      { atUs: '1' },
      { fromAccount: 1 },
      { toAccount: 8 },
      { realmPointId: 'gems' },
      { request: 'x' },
      { fingerprint: 'x' },
      { hash: '0'.repeat(64) },
      { detailsHash: null, details: null },
    ]
    for (const change of changes) await breaks(changed(5, change), 5n, 'hash')
    const details = { salt: '00ff'.repeat(8), text: '{"reason":"another"}' }
    await breaks(changed(5, { details }), 5n, 'details')
    await breaks(changed(5, { encoding: 2 }), 5n, 'encoding')
    await breaks(changed(5, { type: 'gift' as 'adjust' }), 5n, 'type')
  })

  it('breaks at an impossible entry, even if its hash is right', async () => {
    await breaks(sealedWith(5, { atUs: '1' }), 5n, 'time')
    await breaks(sealedWith(5, { toBalance: 26 }), 5n, 'balance')
    await breaks(sealedWith(5, { toBalance: null }), 5n, 'balance')
    await breaks(sealedWith(5, { tokens: 0, toBalance: 20 }), 5n, 'balance')
    await breaks(
      sealedWith(5, { fromAccount: 7, toAccount: 7, fromBalance: 20, toBalance: 20 }),
      5n,
      'balance',
    )
    // Points that account 9 does not have.
    await breaks(sealedWith(5, { fromAccount: 9, fromBalance: -5 }), 5n, 'balance')
  })

  it('breaks where an entry is missing, in the middle or at the end', async () => {
    const all = journal(10)
    await breaks(all.toSpliced(5, 1), 6n, 'missing')
    await assert.rejects(verify(all.slice(0, 8), undefined, all), { seq: 9n, fault: 'missing' })
  })

  it('breaks where the server reports another head', async () => {
    const all = journal(10)
    await assert.rejects(verify(all, undefined, changed(10, { hash: '0'.repeat(64) })), {
      seq: 10n,
      fault: 'head',
    })
    await assert.rejects(verify([], undefined, [{ seq: '0', hash: 'x' } as JournalEntry]), { fault: 'head' })
  })

  it('is checked up to its head at the first read, though more entries are added meanwhile', async () => {
    const read = async (cursor: string) => {
      const all = journal(8 + Number(cursor))
      const data = all.slice(Number(cursor), Number(cursor) + 4)
      return { data, head: all.at(-1) as JournalEntry, nextCursor: null, origin: '', ...range }
    }
    assert.equal((await verifyChain({ realmId: 'guild', read })).seq, 8n)
  })

  it('is compared with a saved seal', async () => {
    const all = journal(10)
    const against = (kept: string, seq: bigint, fault: ChainFault) =>
      assert.rejects(verify(all, kept), { seq, fault })
    assert.equal((await verify(all, `4:${all[3]?.hash}`)).seq, 10n)
    assert.equal((await verify(all, ` 0:${sha256('exchequer 1 guild')}\n`)).seq, 10n)
    await against(`4:${all[4]?.hash}`, 4n, 'against')
    await against(`0:${all[4]?.hash}`, 0n, 'against')
    await against(`11:${all[4]?.hash}`, 11n, 'beyond')
    assert.equal(parseCheckpoint('4:abc'), undefined)
  })
})
