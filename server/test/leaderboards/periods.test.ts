import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openScene, type SceneOfStandings } from './scene.ts'

let scene: SceneOfStandings

before(async () => {
  scene = await openScene()
})
after(async () => {
  assert.deepEqual(scene?.faults, [])
  await scene?.close()
})

/** Far ahead of the clock: an entry's time is never before that of the head. */
const monday = '2040-01-02'
const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
const day = (date: string) => ({ period: 'range', from: date, to: dayAfter(date) }) as const

describe('a day', () => {
  it('is in the realm’s time zone: half past eleven at night UTC is tomorrow in Auckland', async () => {
    const realms = await Promise.all(['UTC', 'Pacific/Auckland'].map((zone) => scene.make(['1'], zone)))
    const [utc, auckland] = realms.map(({ number }) => number)
    assert.ok(utc !== undefined && auckland !== undefined)
    for (const realm of [utc, auckland]) {
      await scene.turnTo(realm, `${monday}T23:30:00Z`)
      await scene.add(realm, '1', 5n)
    }
    assert.deepEqual(await scene.board(utc, day(monday)), [['1', 5, 1]])
    assert.deepEqual(await scene.board(utc, day('2040-01-03')), [])
    assert.deepEqual(await scene.board(auckland, day(monday)), [])
    assert.deepEqual(await scene.board(auckland, day('2040-01-03')), [['1', 5, 1]])
  })

  it('changes with the time zone: everything is folded again', async () => {
    const { number: realm } = await scene.make(['1'])
    await scene.turnTo(realm, `${monday}T23:30:00Z`)
    await scene.add(realm, '1', 5n)
    const entries = async () => {
      const { days } = await scene.standings.statistics(realm, {})
      return days.slice(-3).map(({ entries: some }) => some.length)
    }
    assert.deepEqual(await entries(), [0, 0, 1])
    await scene.turnTo(realm, '2040-01-03T01:00:00Z')
    assert.deepEqual(await entries(), [0, 1, 0])
    await scene.changeZone(realm, 'Pacific/Auckland')
    assert.deepEqual(await entries(), [0, 0, 1])
    assert.deepEqual(await scene.board(realm, day('2040-01-03')), [['1', 5, 1]])
    assert.deepEqual(await scene.standings.check(realm), { ok: true, seq: 1n })
  })
})

describe('a week', () => {
  it('starts on Monday, and a month on its first', async () => {
    const { number: realm } = await scene.make(['1', '2', '3'])
    await scene.turnTo(realm, '2040-01-01T12:00:00Z')
    await scene.add(realm, '1', 10n)
    await scene.turnTo(realm, `${monday}T00:00:00Z`)
    await scene.add(realm, '2', 3n)
    await scene.turnTo(realm, '2040-01-08T23:59:59Z')
    await scene.add(realm, '3', 2n)
    assert.deepEqual(await scene.board(realm, { period: 'week' }), [
      ['2', 3, 1],
      ['3', 2, 2],
    ])
    assert.deepEqual(await scene.board(realm, { period: 'month' }), [
      ['1', 10, 1],
      ['2', 3, 2],
      ['3', 2, 3],
    ])
    await scene.turnTo(realm, '2040-01-09T00:00:00Z')
    assert.deepEqual(await scene.board(realm, { period: 'week' }), [])
    await scene.turnTo(realm, '2040-02-01T00:00:00Z')
    assert.deepEqual(await scene.board(realm, { period: 'month' }), [])
  })
})

describe('a gain', () => {
  it('counts credits, not openings, transfers, debits or holds', async () => {
    const { number: realm } = await scene.make(['1', '2'])
    await scene.turnTo(realm, `${monday}T12:00:00Z`)
    await scene.post({ kind: 'opening', realm, member: '1', tokens: 100n })
    await scene.add(realm, '1', 20n)
    await scene.add(realm, '1', -15n)
    await scene.post({ kind: 'transfer', realm, member: '1', recipient: '2', tokens: 50n })
    const hold = await scene.post({ kind: 'hold', realm, member: '1', tokens: 30n, forUs: 1_000_000n })
    await scene.post({ kind: 'release', realm, hold })
    await scene.post({ kind: 'batch', realm, changes: [{ member: '2', tokens: 4n, point: undefined }] })
    assert.deepEqual(await scene.board(realm, day(monday)), [
      ['1', 20, 1],
      ['2', 4, 2],
    ])
    assert.deepEqual(await scene.board(realm), [
      ['1', 55, 1],
      ['2', 54, 2],
    ])
  })

  it('is reduced by reversals, on the day of the reversed entry, on cached and new boards', async () => {
    const { number: realm } = await scene.make(['1', '2'])
    await scene.turnTo(realm, `${monday}T12:00:00Z`)
    const given = await scene.add(realm, '1', 20n)
    await scene.add(realm, '2', 7n)
    assert.deepEqual(await scene.board(realm, day(monday)), [
      ['1', 20, 1],
      ['2', 7, 2],
    ])
    await scene.turnTo(realm, '2040-01-05T12:00:00Z')
    await scene.add(realm, '1', 1n)
    await scene.post({ kind: 'reverse', realm, entry: given })
    const expected = async (of: typeof scene.standings) => {
      const ask = async (asked: object) => {
        const whole = { point: undefined, from: undefined, to: undefined, exclude: [], ...asked }
        const { members } = await of.top(realm, whole as never, { after: undefined, limit: 10 })
        return members.map(({ id, score }) => [id, score])
      }
      assert.deepEqual(await ask(day(monday)), [['2', 7]])
      assert.deepEqual(await ask(day('2040-01-05')), [['1', 1]])
      assert.deepEqual(await ask({ period: 'week' }), [
        ['2', 7],
        ['1', 1],
      ])
    }
    await expected(scene.standings)
    // From the tables alone, and from a partial fold.
    await scene.standings.statistics(realm, {})
    const cold = scene.open(0)
    await expected(cold)
    await cold.close()
    assert.deepEqual(await scene.standings.check(realm), { ok: true, seq: 4n })
  })
})

describe('supply', () => {
  it('is issued less spent and held, and a reversal undoes its entry', async () => {
    const { number: realm } = await scene.make(['1', '2'])
    const supply = async () => (await scene.standings.statistics(realm, {})).supply[0]
    await scene.add(realm, '1', 100n)
    const spending = await scene.add(realm, '1', -30n)
    const hold = await scene.post({ kind: 'hold', realm, member: '1', tokens: 20n, forUs: 3_600_000_000n })
    const sums = (issued: number, spent: number, held: number) => ({
      point: 'gold',
      issued: String(issued),
      spent: String(spent),
      held: String(held),
      claimed: '0',
      lapsed: '0',
      circulation: String(issued - spent - held),
    })
    assert.deepEqual(await supply(), sums(100, 30, 20))
    await scene.post({ kind: 'reverse', realm, entry: spending })
    assert.deepEqual(await supply(), sums(100, 0, 20))
    await scene.post({ kind: 'capture', realm, hold, tokens: 5n })
    assert.deepEqual(await supply(), sums(100, 5, 0))
    const { balances } = { balances: await scene.board(realm) }
    assert.deepEqual(balances, [['1', 95, 1]])
  })
})

describe('active members', () => {
  it('are counted once a day, and once in any number of days', async () => {
    const { number: realm } = await scene.make(['1', '2', '3'])
    const activity = async () => {
      const { active, days, members } = await scene.standings.statistics(realm, {})
      return { ...active, members, days: days.slice(-3).map((one) => one.active) }
    }
    await scene.turnTo(realm, `${monday}T01:00:00Z`)
    for (const member of ['1', '2', '1']) await scene.add(realm, member, 5n)
    assert.deepEqual(await activity(), { today: 2, week: 2, month: 2, members: 3, days: [0, 0, 2] })
    await scene.turnTo(realm, '2040-01-03T01:00:00Z')
    await scene.post({ kind: 'transfer', realm, member: '1', recipient: '3', tokens: 1n })
    assert.deepEqual(await activity(), { today: 2, week: 3, month: 3, members: 3, days: [0, 2, 2] })
    await scene.turnTo(realm, '2040-01-09T01:00:00Z')
    assert.deepEqual(await activity(), { today: 0, week: 2, month: 3, members: 3, days: [0, 0, 0] })
  })
})
