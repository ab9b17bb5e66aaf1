import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { poor, rich } from '../../../tests/support/fixture.ts'
import { postings, reader } from '../../../tests/support/postings.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { query } from '../../../tests/support/query.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'
import { type EntryType, entryTypes } from '../../src/ledger/index.ts'
import { hashDetails, hashOf } from '../../src/ledger/rules/chain.ts'
import { originHash } from '../../src/realms/index.ts'

const post = postings()
const made = suite()
const { send, adjust, transfer } = v4(made)
const read = reader(made)

type Entry = { seq: string; atUs: string; hash: string } & Record<string, unknown>
type Feed = {
  data: Entry[]
  nextCursor: string | null
  head: { seq: string; hash: string }
  origin: string
  from: string | null
  to: string | null
}

async function feed(asked = ''): Promise<Feed> {
  const { status, json, text } = await read(`/journal${asked}`)
  assert.equal(status, 200, text)
  return json
}

describe('200', () => {
  it('an entry has everything that its hash covers, its members, and its details', async () => {
    const said = { reason: 'so', metadata: { 10: 1, 9: 2 }, actorId: rich }
    const headers = { 'idempotency-key': 'feed-1' }
    const { json } = await transfer(rich, { recipientId: poor, tokens: 4, ...said }, { headers })
    const before = String(BigInt(json.transactionId) - 1n)
    const { data: entries, nextCursor, head, origin } = await feed(`?cursor=${before}`)
    assert.equal(entries.length, 1)
    const { hash, atUs, request, fingerprint, detailsHash, details, ...rest } = entries[0] ?? ({} as Entry)
    assert.deepEqual(rest, {
      seq: json.transactionId,
      type: 'transfer',
      keyId: '1',
      realmPointId: made.fixture.realm.pointId,
      fromAccount: 1,
      toAccount: 2,
      tokens: 4,
      fromBalance: 99_996,
      toBalance: 9,
      link: null,
      encoding: 1,
      fromId: rich,
      toId: poor,
    })
    assert.match(String(atUs), /^\d{16}$/)
    for (const half of [request, fingerprint]) assert.match(String(half), /^[0-9a-f-]{36}$/)
    const { salt, text } = details as { salt: string; text: string }
    assert.deepEqual(JSON.parse(text), said)
    const given = { reason: 'so', reference: undefined, metadata: '{"10":1,"9":2}', actorId: rich }
    assert.equal(hashDetails(Buffer.from(salt, 'hex'), given), detailsHash)
    assert.deepEqual([nextCursor, head], [null, { seq: json.transactionId, hash }])
    assert.equal(origin, originHash(made.fixture.realm.id))
  })

  it('it can be read from any point, page by page, without a gap', async () => {
    for (let tokens = 1; tokens <= 5; tokens++) await adjust(rich, { tokens })
    const whole = await feed('?limit=1000')
    assert.deepEqual(
      whole.data.map(({ seq }) => seq),
      whole.data.map((_, index) => String(index + 1)),
    )
    const paged: Entry[] = []
    for (let after = '0'; after !== whole.head.seq; ) {
      const { data: entries, nextCursor } = await feed(`?cursor=${after}&limit=3`)
      assert.ok(entries.length > 0 && entries.length <= 3)
      paged.push(...entries)
      after = entries.at(-1)?.seq ?? after
      assert.equal(nextCursor, after === whole.head.seq ? null : after)
    }
    assert.deepEqual(paged, whole.data)
  })

  it('every type of entry is chained, with its link if it has one', async () => {
    const changes = [rich, poor].map((member) => ({ member, tokens: 2n, point: undefined }))
    await post(made, { kind: 'batch', changes, reason: 'both' })
    const [hold] = await post(made, {
      kind: 'hold',
      member: rich,
      tokens: 5n,
      point: undefined,
      forUs: 60_000_000n,
    })
    const [captured] = await post(made, { kind: 'capture', hold: BigInt(hold ?? 0), tokens: 2n })
    await post(made, { kind: 'reverse', entry: BigInt(captured ?? 0) })
    const { data: entries, origin, head } = await feed('?limit=1000')
    let previous = origin
    for (const entry of entries) {
      const { seq, atUs, keyId, realmPointId: point, fromAccount: from, toAccount: to, link } = entry
      const { fromBalance, toBalance, request, fingerprint, detailsHash, encoding } = entry
      const kind = entryTypes[entry['type'] as EntryType].number
      const sides = { from, to, amount: entry['tokens'], fromBalance, toBalance }
      const values = { seq, atUs, kind, key: keyId, point, ...sides }
      const row = { ...values, request, fingerprint, detailsHash, link }
      assert.equal(hashOf(previous, row as never), entry.hash, `entry ${seq}`)
      assert.equal(encoding, link === null ? 1 : 2)
      previous = entry.hash
    }
    assert.equal(previous, head.hash)
    const last = entries.slice(-4)
    assert.deepEqual(
      last.map(({ type, link, fromAccount: from, toAccount: to, fromId, toId }) => [
        type,
        link,
        from,
        to,
        fromId,
        toId,
      ]),
      [
        ['hold', null, 1, -1, rich, rich],
        ['capture', hold, -1, 0, rich, null],
        ['release', hold, -1, 1, rich, rich],
        ['reversal', captured, 0, 1, null, rich],
      ],
    )
  })

  it('at the end a page is empty, and later reads continue from there', async () => {
    const { head } = await feed('?limit=1')
    const end = await feed(`?cursor=${head.seq}`)
    assert.deepEqual([end.data, end.nextCursor, end.head], [[], null, head])
    await adjust(rich, { tokens: 1 })
    assert.equal((await feed(`?cursor=${head.seq}`)).data.length, 1)
  })

  it('it starts at a time and ends before one, to the microsecond', async () => {
    await adjust(rich, { tokens: 1 })
    await adjust(rich, { tokens: 1 })
    const { data: entries, head } = await feed('?limit=1000')
    const [earlier, later] = entries.slice(-2)
    const at = (us: bigint) => {
      const toTheMillisecond = new Date(Number(us / 1000n)).toISOString().slice(0, -1)
      return `from=${toTheMillisecond}${String(us % 1000n).padStart(3, '0')}Z`
    }
    const us = BigInt(later?.atUs ?? 0)
    const seqs = async (asked: string) => (await feed(`?${asked}`)).data.map(({ seq }) => seq)
    const before = (moment: bigint) => at(moment).replace('from', 'to')
    assert.deepEqual(await seqs(at(us)), [later?.seq])
    assert.deepEqual(await seqs(`${at(us)}&cursor=${head.seq}`), [])
    assert.deepEqual(await seqs(at(BigInt(earlier?.atUs ?? 0))), [earlier?.seq, later?.seq])
    const end = await feed(`?${at(us + 1_000_000n)}`)
    assert.deepEqual([end.data, end.nextCursor], [[], null])
    assert.deepEqual((await seqs(`${before(us)}&limit=1000`)).at(-1), earlier?.seq)
    const both = await feed(`?${at(BigInt(earlier?.atUs ?? 0))}&${before(us)}`)
    assert.deepEqual([both.data.map(({ seq }) => seq), both.nextCursor], [[earlier?.seq], null])
    assert.deepEqual([both.head, both.to], [head, before(us).slice('to='.length)])
    assert.deepEqual(await seqs(`${before(us)}&cursor=${head.seq}`), [])
    const [first] = (await feed(`?${before(us)}&limit=1`)).data
    assert.equal((await feed(`?${before(us)}&limit=1`)).nextCursor, first?.seq)
  })

  it('during writes no page has a gap, and none goes past the head that it names', async () => {
    let writing = true
    const writes = (async () => {
      while (writing) await Promise.all(Array.from({ length: 20 }, () => adjust(rich, { tokens: 1 })))
    })()
    try {
      let last = (await feed('?limit=1')).head.seq
      for (let round = 0; round < 60; round++) {
        const { data: entries, head, nextCursor } = await feed(`?cursor=${last}&limit=50`)
        const due = entries.map((_, index) => String(BigInt(last) + BigInt(index) + 1n))
        assert.deepEqual(
          entries.map(({ seq }) => seq),
          due,
        )
        last = entries.at(-1)?.seq ?? last
        assert.ok(BigInt(last) <= BigInt(head.seq))
        assert.equal(nextCursor, last === head.seq ? null : last)
        if (last === head.seq && entries.length > 0) assert.equal(entries.at(-1)?.hash, head.hash)
      }
    } finally {
      writing = false
      await writes
    }
  })

  it('erased details are omitted, and the chain still verifies', async () => {
    const { json } = await adjust(poor, { tokens: 1, reason: 'private' })
    const realm = '(select realm from realms where id = $1)'
    const { id } = made.fixture.realm
    await query(made.database, `delete from details where realm = ${realm} and seq = $2`, [
      id,
      json.transactionId,
    ])
    await query(made.database, `delete from members where realm = ${realm} and id = $2`, [id, poor])
    const [entry] = (await feed(`?cursor=${BigInt(json.transactionId) - 1n}`)).data
    assert.equal(entry?.['details'], null)
    assert.match(String(entry?.['detailsHash']), /^[0-9a-f]{64}$/)
    assert.deepEqual([entry?.['toAccount'], entry?.['toId']], [2, null])
  })

  it('a realm without an entry has its origin as its head', async () => {
    const { json } = await reader(made, ({ fixture }) => fixture.other)('/journal')
    const origin = originHash(made.fixture.other.id)
    const ever = { from: null, to: null }
    assert.deepEqual(json, { data: [], nextCursor: null, head: { seq: '0', hash: origin }, origin, ...ever })
  })
})

describe('400', () => {
  it('invalid parameters', async () => {
    for (const cursor of ['-1', 'x', '', '9223372036854775808'])
      assertInvalid(await read(`/journal?cursor=${cursor}`), 'query:cursor')
    for (const limit of ['0', '1001']) assertInvalid(await read(`/journal?limit=${limit}`), 'query:limit')
    assertInvalid(await read('/journal?from=yesterday'), 'query:from')
  })
})

describe('403', () => {
  it('a key without journal:read', async () =>
    assertProblem(await send('GET', '/journal'), 403, 'insufficient_scope'))
})
