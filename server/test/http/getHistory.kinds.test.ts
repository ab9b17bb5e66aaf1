import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { postings, reader } from '../../../tests/support/postings.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'

const post = postings()
const made = suite()
const { adjust } = v4(made)
const read = reader(made)

/** How holds, reversals, batches and openings look in a member's history. */

type Shown = Record<string, unknown> & { transactionId: string; at: string; tokens: number }

const history = async (member: string, asked = ''): Promise<{ data: Shown[]; nextCursor: string | null }> => {
  const { status, json, text } = await read(`/members/${member}/history${asked}`)
  assert.equal(status, 200, text)
  return json
}
const newest = async (member: string): Promise<Shown> => {
  const [entry] = (await history(member, '?limit=1')).data
  assert.ok(entry)
  return entry
}

/** A new member for a test. */
let count = 5000
async function someone(tokens?: number): Promise<string> {
  const id = String(++count)
  const path = `/realms/${made.fixture.realm.id}/members`
  await asManager(made, 'POST', { path, body: { members: [{ id }] } })
  if (tokens !== undefined) await adjust(id, { tokens })
  return id
}

describe('200', () => {
  const effect = ({ type, tokens, newBalance, heldTokens, newHeld, holdId }: Shown) => [
    type,
    tokens,
    newBalance,
    heldTokens,
    newHeld,
    holdId,
  ]
  const forUs = 60_000_000n

  it('a hold, its partial capture, and the released rest', async () => {
    const member = await someone(100)
    const [hold = ''] = await post(made, { kind: 'hold', member, tokens: 30n, point: undefined, forUs })
    await post(made, { kind: 'capture', hold: BigInt(hold), tokens: 20n, reason: 'shipped' })
    const { data: entries } = await history(member)
    assert.deepEqual(entries.map(effect), [
      ['release', 10, 80, -10, 0, hold],
      ['capture', 0, null, -20, 10, hold],
      ['hold', -30, 70, 30, 30, hold],
      ['adjust', 100, 100, 0, null, null],
    ])
    assert.deepEqual(
      entries.map(({ counterpartyId }) => counterpartyId),
      [null, null, null, null],
    )
    assert.equal(entries[1]?.['reason'], 'shipped')
    assert.equal(entries[1]?.['keyId'], null)
    const kinds = async (asked: string) =>
      (await history(member, asked)).data.map(({ type }) => type as string)
    assert.deepEqual(await kinds('?direction=in'), ['release', 'adjust'])
    assert.deepEqual(await kinds('?direction=out'), ['hold'])
    for (let at = 0, before = ''; at < entries.length; at++) {
      const page = await history(member, `?limit=1${before}`)
      assert.deepEqual(page.data, entries.slice(at, at + 1))
      before = `&cursor=${page.nextCursor}`
    }
  })

  it('a hold that is released, and one that expires', async () => {
    const member = await someone(9)
    const [first = ''] = await post(made, { kind: 'hold', member, tokens: 4n, point: undefined, forUs })
    await post(made, { kind: 'release', hold: BigInt(first) })
    const [second = ''] = await post(made, { kind: 'hold', member, tokens: 5n, point: undefined, forUs: 0n })
    // Either this request or the ledger itself ends it, whichever finds it expired first.
    await post(made, { kind: 'expire', hold: BigInt(second) }).catch(() => {})
    const { data: entries } = await history(member)
    assert.deepEqual(entries.map(effect).slice(0, 4), [
      ['expiry', 5, 9, -5, 0, second],
      ['hold', -5, 4, 5, 5, second],
      ['release', 4, 9, -4, 0, first],
      ['hold', -4, 5, 4, 4, first],
    ])
  })

  it('a reversal and the reversed entry refer to each other', async () => {
    const member = await someone(40)
    const original = await newest(member)
    const [undone] = await post(made, { kind: 'reverse', entry: BigInt(original.transactionId) })
    const [reversal, reversed] = (await history(member)).data
    assert.deepEqual(
      [reversal?.['type'], reversal?.tokens, reversal?.['newBalance'], reversal?.['reverses']],
      ['reversal', -40, 0, original.transactionId],
    )
    assert.deepEqual([reversed?.['reverses'], reversed?.['reversedBy']], [null, undone])
  })

  it('details of a batch are returned with each of its entries', async () => {
    const [one, other] = [await someone(), await someone()]
    const changes = [one, other].map((member) => ({ member, tokens: 3n, point: undefined }))
    const [first, second] = await post(made, { kind: 'batch', changes, reason: 'prizes' })
    for (const [member, id] of [
      [one, first],
      [other, second],
    ] as const) {
      const { transactionId, type, tokens, reason, batchId } = await newest(member)
      assert.deepEqual([transactionId, type, tokens, reason, batchId], [id, 'adjust', 3, 'prizes', first])
    }
  })

  it('an imported balance is its opening entry', async () => {
    const member = await someone()
    await post(made, { kind: 'opening', member, tokens: 12n, point: undefined })
    const { type, tokens, newBalance } = await newest(member)
    assert.deepEqual([type, tokens, newBalance], ['opening', 12, 12])
  })
})
