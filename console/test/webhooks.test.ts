import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { JournalEntry, Realm, WebhookData } from '../../sdk/src/index.ts'
import { eventTypes as known } from '../../server/src/events/webhooks/index.ts'
import { draftOf, emptyDraft, eventTypes, faultsOf, settingsOf } from '../src/pages/webhooks/draft.ts'
import { rangeByDay, rangeByEntry } from '../src/pages/webhooks/range.ts'
import { readDeliveries } from '../src/pages/webhooks/readDeliveries.ts'
import { entryOf, healthOf, reasonOf, reasons, troubleOf } from '../src/pages/webhooks/state.ts'

const fine = { state: 'active', blockedEventId: null, failures: 0, parked: 0 } as const

describe('a webhook', () => {
  it('can select every event type of the server, and only those', () => {
    assert.deepEqual([...eventTypes].sort(), [...known].sort())
  })

  it('is explained by what keeps it from sending', () => {
    assert.equal(troubleOf(fine), undefined)
    assert.equal(troubleOf({ ...fine, parked: 1 }), 'retrying')
    assert.equal(troubleOf({ ...fine, failures: 3 }), 'retrying')
    assert.equal(troubleOf({ ...fine, state: 'waiting', failures: 20 }), 'waiting')
    assert.equal(troubleOf({ ...fine, failures: 1, blockedEventId: 'evt_1_0' }), 'blocked')
    assert.equal(troubleOf({ ...fine, state: 'disabled', blockedEventId: 'evt_1_0' }), 'disabled')
    assert.deepEqual(
      [healthOf(fine), healthOf({ ...fine, blockedEventId: 'evt_1_0' })],
      ['healthy', 'waiting'],
    )
  })

  it('that is disabled has a reason that the server gives, and others are shown as they are', () => {
    const sources = ['endpoints.ts', 'leasedEndpoint.ts'].map((file) =>
      readFileSync(new URL(`../../server/src/events/webhooks/${file}`, import.meta.url), 'utf8'),
    )
    for (const reason of Object.keys(reasons))
      assert.ok(
        sources.some((text) => text.includes(`'${reason}'`)),
        reason,
      )
    assert.equal(reasonOf('The receiver responded 410.'), 'gone')
    assert.equal(reasonOf('toString'), undefined)
  })

  it('names the entry of its events', () => {
    assert.equal(entryOf('evt_1042_0123456789abcdef'), '1042')
    assert.equal(entryOf('evt_test_0123456789abcdef'), undefined)
    assert.equal(entryOf('evt_n7_0123456789abcdef'), undefined)
  })
})

describe('the form of a webhook', () => {
  const draft = { ...emptyDraft, url: ' https://shop.example.com/events ' }

  it('sends what was chosen, and every type as none in particular', () => {
    assert.deepEqual(faultsOf(draft), [])
    assert.deepEqual(settingsOf(draft), {
      url: 'https://shop.example.com/events',
      description: null,
      types: null,
      thresholds: [],
      ordered: false,
      includeDetails: false,
    })
    const thresholds = [{ realmPointId: 'gold', tokens: ' 100 ' }]
    const some = { ...draft, every: false, thresholds, description: ' the shop ' }
    assert.deepEqual(settingsOf({ ...some, types: ['hold.expired', 'points.adjusted'] }), {
      ...settingsOf(draft),
      description: 'the shop',
      types: ['points.adjusted', 'hold.expired'],
    })
    assert.deepEqual(settingsOf({ ...some, types: ['balance.crossed'] }).thresholds, [
      { realmPointId: 'gold', tokens: 100 },
    ])
  })

  it('is the same after it was saved and opened again', () => {
    const sent = settingsOf({ ...draft, every: false, types: ['points.claimed'], ordered: true })
    assert.deepEqual(settingsOf(draftOf(sent as unknown as WebhookData)), sent)
  })

  it('rejects an address without a scheme, no event at all, and balances that are not amounts', () => {
    for (const url of ['', 'shop.example.com', 'ftp://shop.example.com', 'https://'])
      assert.deepEqual(faultsOf({ ...draft, url }), ['url'], url)
    assert.deepEqual(faultsOf({ ...draft, every: false, types: [] }), ['types'])
    for (const tokens of ['', '0', '-1', '1.5', '9007199254740992'])
      assert.deepEqual(
        faultsOf({ ...draft, thresholds: [{ realmPointId: 'gold', tokens }] }),
        ['thresholds'],
        tokens,
      )
  })
})

describe('entries to send again', () => {
  it('are chosen by number, up to the last one', () => {
    const range = (firstEntry: string, lastEntry: string) => rangeByEntry({ firstEntry, lastEntry }, 10n)
    assert.deepEqual(range('3', ' 5 '), { first: 3n, last: 5n })
    assert.deepEqual(range('3', '99'), { first: 3n, last: 10n })
    for (const [first, last] of [
      ['11', '99'],
      ['5', '3'],
      ['0', '3'],
      ['', '3'],
      ['x', '3'],
    ] as const)
      assert.equal(range(first, last), undefined, `${first} to ${last}`)
  })

  it('are chosen by day, both ends included', async () => {
    const days = ['2026-01-01', '2026-01-01', '2026-01-03', '2026-01-04']
    const journal = ({ from }: { from: string }) => ({
      page: async () => {
        const at = days.findIndex((day) => day >= from)
        return { data: at < 0 ? [] : [{ seq: String(at + 1) } as JournalEntry] }
      },
    })
    const range = (firstDay: string, lastDay: string) =>
      rangeByDay({ journal } as unknown as Pick<Realm, 'journal'>, { firstDay, lastDay }, 4n)
    assert.deepEqual(await range('2026-01-01', '2026-01-03'), { first: 1n, last: 3n })
    assert.deepEqual(await range('2026-01-02', '2026-02-01'), { first: 3n, last: 4n })
    assert.equal(await range('2026-01-02', '2026-01-02'), undefined)
    assert.equal(await range('2026-02-01', '2026-02-02'), undefined)
    assert.equal(await range('2026-01-03', '2026-01-01'), undefined)
  })
})

describe('failed deliveries', () => {
  it('are searched in all pages, until there are enough', async () => {
    const all = Array.from({ length: 900 }, (_, nth) => ({
      id: String(nth),
      status: nth % 10 === 9 ? 500 : 200,
    }))
    const asked: number[] = []
    const deliveries = (_: string, { limit }: { limit: number }) => ({
      page: async ({ cursor = '0' }) => {
        asked.push(Number(cursor))
        const end = Number(cursor) + limit
        return { data: all.slice(Number(cursor), end), nextCursor: end < all.length ? String(end) : null }
      },
    })
    const client = { webhooks: { deliveries } } as unknown as Pick<Realm, 'webhooks'>
    const { signal } = new AbortController()
    const query = { webhook: '1', onlyFailed: true, cursor: undefined, signal }
    const first = await readDeliveries(client, query)
    assert.deepEqual([first.found.length, first.looked, first.next], [60, 600, '600'])
    const rest = await readDeliveries(client, { ...query, cursor: first.next })
    assert.deepEqual([rest.found.length, rest.next], [30, undefined])
    assert.deepEqual(asked, [0, 200, 400, 600, 800])
    assert.equal((await readDeliveries(client, { ...query, onlyFailed: false })).found.length, 50)
  })
})
