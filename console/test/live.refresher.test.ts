import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { Coalescer } from '../src/live/coalescer.ts'
import type { Changes, LiveEntry } from '../src/live/entry.ts'
import { passes } from '../src/live/filter.ts'
import { isConcerned, Refresher } from '../src/live/refresher.ts'

const entry: LiveEntry = { seq: '9', type: 'transfer', keyId: '4', link: '3', members: ['7', '8'] }
const one: Changes = { entries: [entry], everything: false }
const key = (...rest: readonly unknown[]) => ['realm', 'guild', ...rest]

describe('a new entry', () => {
  it('concerns statistics, leaderboards, its members, the entry it refers to, and lists it is in', () => {
    for (const concerned of [
      key('statistics', '30d'),
      key('leaderboard', { period: 'all' }),
      key('leaderboard', 'top', {}),
      key('leaderboard', 'rank', '7', 'gold'),
      key('member', '8'),
      key('member', '8', 'history', 'gold'),
      key('entry', '3'),
      key('journal', {}),
      key('journal', { type: 'transfer', member: '7', key: '4' }),
    ])
      assert.ok(isConcerned(concerned, one), JSON.stringify(concerned))
  })

  it('concerns nothing else', () => {
    for (const other of [
      key('access'),
      key('data'),
      key('names', '7'),
      key('members', {}),
      key('statistics', 'count'),
      key('leaderboard', 'rank', '5', 'gold'),
      key('member', '5'),
      key('member', '7', 'wallets'),
      key('entry', '9'),
      key('undo', '9'),
      key('journal', { type: 'hold' }),
      key('journal', { member: '5' }),
      key('journal', { key: '1' }),
      key('journal', { to: '2020-01-01' }),
    ])
      assert.ok(!isConcerned(other, one), JSON.stringify(other))
  })

  it('that begins or ends a hold, or an award, concerns the list of them', () => {
    const concerns = (type: LiveEntry['type'], of: string) =>
      isConcerned(key('reserved', of), { entries: [{ ...entry, type }], everything: false })
    assert.ok(concerns('expiry', 'holds') && !concerns('expiry', 'awards'))
    assert.ok(concerns('grant', 'awards') && !concerns('grant', 'holds'))
    assert.ok(!concerns('adjust', 'holds') && !concerns('adjust', 'awards'))
  })

  it('is in a list that ends today', () => {
    const now = new Date('2026-03-29T18:00:00')
    assert.ok(passes(entry, { to: '2026-03-29' }, now))
    assert.ok(!passes(entry, { to: '2026-03-28' }, now))
  })
})

describe('changes', () => {
  it('are passed on at once, then once a second together', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const applied: number[] = []
    const coalescer = new Coalescer(({ entries }) => {
      applied.push(entries.length)
      return false
    })
    for (let ms = 0; ms < 3_000; ms += 10) {
      coalescer.add(one)
      t.mock.timers.tick(10)
    }
    t.mock.timers.tick(5_000)
    assert.deepEqual(applied, [1, 99, 100, 100])
    coalescer.stop()
  })

  it('are applied again without new ones as long as there is more to load', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let times = 0
    const coalescer = new Coalescer(() => {
      times += 1
      return times < 3
    })
    coalescer.add(one)
    t.mock.timers.tick(1_000)
    t.mock.timers.tick(1_000)
    t.mock.timers.tick(9_000)
    assert.equal(times, 3)
  })
})

const twoPages = { pages: ['top', 'below'], pageParams: [undefined, 50] }

/** A query that is shown, and answers when the test lets it. */
function shown(queryKey: readonly unknown[]) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const answers: ((data: unknown) => void)[] = []
  const queryFn = () => new Promise<unknown>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(queries, { queryKey, queryFn })
  const close = observer.subscribe(() => {})
  const answer = async (data: unknown) => {
    answers.at(-1)?.(data)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    refresher: new Refresher({ queries, realm: 'guild' }),
    requests: () => answers.length,
    data: () => queries.getQueryData(queryKey),
    answer,
    close,
  }
}

describe('data that is shown', () => {
  it('is loaded again, and once more if it was loading when an entry arrived', async () => {
    const { refresher, requests, answer, close } = shown(key('member', '7'))
    await answer('first')
    assert.equal(refresher.apply(one), false)
    assert.equal(requests(), 2)
    assert.equal(refresher.apply(one), true, 'still loading')
    assert.equal(requests(), 2, 'a request in progress is not aborted')
    await answer('second')
    assert.equal(refresher.apply({ entries: [], everything: false }), false)
    assert.equal(requests(), 3)
    await answer('third')
    assert.equal(refresher.apply({ entries: [], everything: false }), false)
    assert.equal(requests(), 3)
    close()
  })

  it('of a journal stays while its reader is not at the top, and then is loaded from there', async () => {
    const { refresher, requests, answer, data, close } = shown(key('journal', {}))
    await answer(twoPages)
    const release = refresher.hold(key('journal', {}))
    refresher.apply(one)
    assert.equal(requests(), 1)
    assert.deepEqual(data(), twoPages)
    release()
    refresher.apply(one)
    assert.equal(requests(), 2)
    assert.deepEqual(data(), { pages: ['top'], pageParams: [undefined] })
    close()
  })

  it('of a filtered journal keeps its pages, which may all be in sight', async () => {
    const { refresher, requests, answer, data, close } = shown(key('journal', { type: 'transfer' }))
    await answer(twoPages)
    refresher.apply(one)
    assert.equal(requests(), 2)
    assert.deepEqual(data(), twoPages)
    close()
  })
})
