import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventsOf } from '../../src/events/webhooks/entryEvents.ts'
import type { FeedEntry } from '../../src/ledger/index.ts'
import { type EntryType, entryTypes } from '../../src/ledger/rules/entryTypes.ts'

/** The events of a pending award: account 1 is member 42, its pending points are on account -2^30 - 1. */
const pending = -1_073_741_825

function entryOf(kindName: EntryType, [from, to]: readonly [number, number], link: bigint | null): FeedEntry {
  const sides = { from_account: from, to_account: to, from_balance: null, to_balance: 25n }
  const own = { seq: 7n, at_us: 1n, key: 1, point: 1, amount: 25n, encoding: 1, link, hash: 'ab'.repeat(32) }
  const unsaid = {
    request: null,
    fingerprint: null,
    details_hash: null,
    said: null,
    batchSaid: null,
    lots: null,
  }
  const ids = { fromId: from === 0 ? null : '42', toId: to === 0 ? null : '42', pointId: 'gold' }
  return { ...own, ...sides, ...unsaid, ...ids, kindName, kind: entryTypes[kindName].number }
}

const threshold = { number: 1, pointId: 'gold', tokens: 10n, fromSeq: 0n, toSeq: null }
const context = { realmId: 'demo', includeDetails: false, thresholds: [threshold] }

it('an award, its grant and its cancellation have events of their own, which name the award', () => {
  const events = [
    entryOf('award', [0, pending], null),
    entryOf('grant', [pending, 1], 3n),
    entryOf('cancel', [pending, 0], 3n),
  ].map((entry) => eventsOf(entry, undefined, context))
  assert.deepEqual(
    events.map((some) => some.map(({ type, data }) => [type, data['awardId'], data['holdId']])),
    [
      [['award.created', '7', null]],
      [
        ['award.granted', '3', null],
        // Only points that can be spent cross a threshold.
        ['balance.crossed', undefined, undefined],
      ],
      [['award.cancelled', '3', null]],
    ],
  )
})
