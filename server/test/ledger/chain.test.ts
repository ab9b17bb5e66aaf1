import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { encode, hashDetails, hashOf, type Sealable, seal } from '../../src/ledger/rules/chain.ts'
import type { Entry } from '../../src/ledger/rules/state.ts'
import { originHash } from '../../src/realms/index.ts'
import { plainPoint } from './memoryTables.ts'

/** Computed with printf and sha256sum. A change of any of these is a new version of the encoding. */
const origin = '37561ab4a852ccfe94f751319f579b0c8ac200c5bf474f8937365bb9713ec4fd'
const saidHash = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'
const request = '0f8fad5b-d9cb-469f-a165-70867728950e'
const fingerprint = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

const first = {
  line: `1 ${origin} 7 1790000000123456 2 3 gold 12 34 250 750 1250 ${request} ${fingerprint} ${saidHash}`,
  hash: '5ec0f1b1f0e67f67a87579c3850512cbc1937060f78ef1df91279c70b7d3d677',
}
const second = {
  line:
    `1 ${first.hash} 8 1790000000123456 1 0 5f7f3c9f0c1d4e2a8b6d7e90 0 34 9007199254740991 ` +
    '- 9007199254740991 - - -',
  hash: '046b69d377bca70224c51f7765b63f884976846e832507b4e85b20a333c03920',
}

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

const salt = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const point = (id: string) => plainPoint(id, 1)

/** Member 12 transferred 250 points to member 34, with all details. */
const transfer: Entry = {
  seq: 7n,
  atUs: 1_790_000_000_123_456n,
  kind: 'transfer',
  key: 3,
  point: point('gold'),
  from: 12,
  to: 34,
  amount: 250n,
  fromBalance: 750n,
  toBalance: 1250n,
  retry: { request, fingerprint },
  details: {
    salt,
    reason: 'a',
    reference: undefined,
    metadata: undefined,
    actorId: undefined,
    hash: saidHash,
  },
  link: null,
}
/** The operator issued the maximum, without details. */
const issue: Entry = {
  ...transfer,
  seq: 8n,
  kind: 'adjust',
  key: 0,
  point: point('5f7f3c9f0c1d4e2a8b6d7e90'),
  from: 0,
  amount: 9_007_199_254_740_991n,
  fromBalance: null,
  toBalance: 9_007_199_254_740_991n,
  retry: undefined,
  details: undefined,
}
const said: Sealable = {
  ...transfer,
  kind: 2,
  point: 'gold',
  request,
  fingerprint,
  detailsHash: saidHash,
}

describe('an entry', () => {
  it('is one line of ASCII with its fields in a fixed order', () => {
    assert.equal(encode(origin, said), first.line)
  })

  it('has a dash for an empty field', () => {
    const { seq, atUs, key, from, to, amount, fromBalance, toBalance } = issue
    const moved = { seq, atUs, key, from, to, amount, fromBalance, toBalance }
    const none = { request: null, fingerprint: null, detailsHash: null, link: null }
    const line = encode(first.hash, { ...moved, kind: 1, point: issue.point.id, ...none })
    assert.equal(line, second.line)
  })

  it('is hashed as that line, without a line break', () => {
    assert.equal(hashOf(origin, said), first.hash)
    assert.equal(sha256(first.line), first.hash)
  })

  it('has another hash when any of its fields or the previous hash changes', () => {
    const others: Partial<Sealable>[] = [
      { seq: 6n },
      { atUs: 1n },
      { kind: 1 },
      { key: 4 },
      { point: 'silver' },
      { from: 13 },
      { to: 35 },
      { amount: 251n },
      { fromBalance: 751n },
      { toBalance: null },
      { request: fingerprint },
      { fingerprint: request },
      { detailsHash: null },
    ]
    const hashes = others.map((other) => hashOf(origin, { ...said, ...other }))
    assert.equal(new Set([first.hash, hashOf(first.hash, said), ...hashes]).size, others.length + 2)
  })
})

describe('a chain', () => {
  it('starts with a hash of the realm’s id', () => {
    assert.equal(originHash('realm'), origin)
    assert.equal(sha256('exchequer 1 realm'), origin)
  })

  it('includes in each entry the hash of the previous one', () => {
    const sealed = seal(origin, [transfer, issue])
    assert.deepEqual(sealed, [
      { entry: transfer, hash: first.hash },
      { entry: issue, hash: second.hash },
    ])
    assert.equal(sha256(second.line), second.hash)
  })
})

describe('details', () => {
  const check = (details: Parameters<typeof hashDetails>[1], json: string, hash: string) => {
    assert.equal(hashDetails(salt, details), hash)
    assert.equal(sha256(Buffer.concat([salt, Buffer.from(json, 'utf8')])), hash)
  }

  it('are hashed after their salt, as JSON with their fields in a fixed order', () => {
    const details = {
      actorId: '1190194345295482952',
      metadata: '{"level":3}',
      reference: 'order-7',
      reason: 'Übung "1"',
    }
    const json =
      String.raw`{"reason":"Übung \"1\"","reference":"order-7","metadata":{"level":3},` +
      '"actorId":"1190194345295482952"}'
    check(details, json, '7dbe7b7ab338d002ac436bef86dd0fc039cec3a5b0d65470dfd6190b486e8ebd')
  })

  it('omit missing fields; an empty text is not missing', () => {
    const details = { reason: undefined, reference: '', metadata: undefined, actorId: undefined }
    check(details, '{"reference":""}', 'f44e349cbdcea407b301cb0829b86726f8939f0c467f3cfb1ed5eedc61b368e8')
  })
})
