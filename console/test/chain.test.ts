import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { JournalEntry } from '@exchequer/sdk'
import { keptIn, verifyChain } from '../src/pages/journal/chain.ts'

const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/** Entries of docs/journal.md, hashed here by hand. */
function journal(count: number): JournalEntry[] {
  const entries: JournalEntry[] = []
  let before = sha256('exchequer 1 guild')
  for (let nth = 1; nth <= count; nth += 1) {
    const details = nth % 2 ? { salt: '00ff'.repeat(8), text: `{"reason":"ü ${nth}"}` } : null
    const detailsHash = details && sha256(Buffer.from(details.salt, 'hex'), details.text)
    const link = nth % 3 ? null : String(nth - 1)
    const atUs = String(1_770_000_000_000_000 + nth)
    const line = `${link ? 2 : 1} ${before} ${nth} ${atUs} 1 4 gold 0 7 5 - ${5 * nth} - - ${detailsHash ?? '-'}`
    before = sha256(link ? `${line} ${link}` : line)
    entries.push({
      seq: String(nth),
      atUs,
      kind: 1,
      kindName: 'adjust',
      keyId: '4',
      realmPointId: 'gold',
      from: 0,
      to: 7,
      amount: 5,
      fromBalance: null,
      toBalance: 5 * nth,
      request: null,
      fingerprint: null,
      detailsHash,
      link,
      encoding: link ? 2 : 1,
      hash: before,
      fromId: null,
      toId: '1',
      details,
    })
  }
  return entries
}

function verify(entries: readonly JournalEntry[], kept?: string, headOf = entries) {
  const last = headOf.at(-1)
  const head = { seq: last?.seq ?? '0', hash: last?.hash ?? sha256('exchequer 1 guild') }
  const read = async (after: bigint) => {
    const page = entries.filter(({ seq }) => BigInt(seq) > after).slice(0, 4)
    return { data: page, head, nextCursor: null, origin: '' }
  }
  return verifyChain({ realm: 'guild', against: kept ? keptIn(kept) : undefined, read, tell: () => {} })
}

const broken = (seq: bigint, fault: string) => ({ holds: false, seq, fault })
const changed = (seq: number, change: Partial<JournalEntry>) =>
  journal(10).map((entry) => (entry.seq === String(seq) ? { ...entry, ...change } : entry))

describe('the chain of a journal', () => {
  it('holds when every hash is what it must be, and when there is no entry', async () => {
    assert.deepEqual(await verify(journal(10)), { holds: true, seq: 10n, hash: journal(10)[9]?.hash })
    assert.equal((await verify([])).holds, true)
  })

  it('breaks at the entry that was changed, whatever of it', async () => {
    const changes: Partial<JournalEntry>[] = [
      { amount: 6 },
      { keyId: '5' },
      { toBalance: 1 },
      { atUs: '1' },
      { to: 8 },
      { realmPointId: 'gems' },
      { hash: '0'.repeat(64) },
      { detailsHash: null, details: null },
    ]
    for (const change of changes)
      assert.deepEqual(await verify(changed(5, change)), broken(5n, 'hash'), JSON.stringify(change))
    const details = { salt: '00ff'.repeat(8), text: '{"reason":"another"}' }
    assert.deepEqual(await verify(changed(5, { details })), broken(5n, 'details'))
    assert.deepEqual(await verify(changed(5, { encoding: 2 })), broken(5n, 'encoding'))
  })

  it('breaks where one is missing, in the middle or at the end', async () => {
    const all = journal(10)
    assert.deepEqual(await verify(all.toSpliced(5, 1)), broken(6n, 'missing'))
    assert.deepEqual(await verify(all.slice(0, 8), undefined, all), broken(9n, 'missing'))
  })

  it('is compared with what somebody kept', async () => {
    const all = journal(10)
    assert.equal((await verify(all, `4:${all[3]?.hash}`)).holds, true)
    assert.deepEqual(await verify(all, `4:${all[4]?.hash}`), broken(4n, 'against'))
    assert.deepEqual(await verify(all, `11:${all[4]?.hash}`), broken(11n, 'beyond'))
    assert.equal(keptIn('4:abc'), undefined)
  })
})
