import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RealmScoped } from '../../src/db/rowSecurity.ts'
import type { Answer } from '../../src/db/session.ts'
import { gently, restAfter } from '../../src/ledger/journal/throttledReader.ts'
import { type Step, verify } from '../../src/ledger/journal/verify.ts'
import { right, withHistory, wrong } from './history.ts'

const made = withHistory()

/** A clock that advances only by work and sleep. */
function stillClock() {
  const clock = {
    workedMs: 0,
    rests: [] as number[],
    nowMs: () => clock.workedMs + clock.rests.reduce((sum, ms) => sum + ms, 0),
    async sleep(ms: number) {
      clock.rests.push(ms)
    },
  }
  return clock
}

const statement = { name: 'any', text: 'select' }

function slowDatabase(clock: { workedMs: number }, pageMs: number): RealmScoped {
  const pages = {
    async query<Row>() {
      clock.workedMs += pageMs
      return { rows: [], command: 'SELECT', count: 0 } satisfies Answer<Row>
    },
  }
  return { within: () => pages }
}

describe('a throttled reader', () => {
  it('sleeps much longer than it works, however fast the machine is', async () => {
    for (const pageMs of [3, 10, 30]) {
      const clock = stillClock()
      const reader = gently(slowDatabase(clock, pageMs), clock).within([])
      for (let page = 0; page < 50; page++) await reader.query(statement)
      assert.equal(clock.rests.length, 49)
      assert.ok((clock.workedMs - pageMs) / (clock.nowMs() - pageMs) <= 1 / 8 + 1e-9, `${pageMs} ms a page`)
    }
  })

  it('counts processing of the rows as work too', async () => {
    const clock = stillClock()
    const reader = gently(slowDatabase(clock, 1), clock).within([])
    await reader.query(statement)
    clock.workedMs += 9
    await reader.query(statement)
    assert.deepEqual(clock.rests, [restAfter(10)])
  })

  it('accumulates work that is too short to sleep after', async () => {
    const clock = stillClock()
    const reader = gently(slowDatabase(clock, 0.5), clock).within([])
    for (let page = 0; page < 9; page++) await reader.query(statement)
    assert.deepEqual(clock.rests, [restAfter(2), restAfter(2)])
  })

  it('never sleeps without limit', () => {
    assert.equal(restAfter(0), 0)
    assert.equal(restAfter(3_600_000), restAfter(60_000))
    assert.ok(restAfter(3_600_000) <= 1_000)
  })

  it('verifies like any other: a valid ledger passes, an error is found', async () => {
    const clock = stillClock()
    const busy: RealmScoped = {
      within: (realms) => ({
        query(asked, values) {
          clock.workedMs += 20
          return made.books.db.within(realms).query(asked, values)
        },
      }),
    }
    const check = () => verify(gently(busy, clock), { realm: made.realm })
    right(await check())
    assert.ok(clock.rests.length >= 3)
    const fault = () => made.planter.change('update balances set balance = balance + 1 where realm = $1')
    wrong(
      await made.planter.planted(fault, () =>
        verify(gently(made.planter.session, clock), { realm: made.realm }),
      ),
      'balance of account 1 in gold',
      /is right/,
    )
  })
})

describe('the steps of a run', () => {
  it('report every entry, then every account', async () => {
    const steps: Step[] = []
    right(await verify(made.books.db, { realm: made.realm, onStep: (step) => steps.push(step) }))
    assert.deepEqual(steps, [
      { what: 'entries', done: 8, of: 8 },
      { what: 'accounts', done: 3, of: 3 },
    ])
  })

  it('end with the last valid entry', async () => {
    const steps: Step[] = []
    const fault = () => made.planter.change('update journal set amount = 90 where realm = $1 and seq = 5')
    const check = () =>
      verify(made.planter.session, { realm: made.realm, onStep: (step) => steps.push(step) })
    wrong(await made.planter.planted(fault, check), 'entry 5', /its hash/)
    assert.deepEqual(steps, [{ what: 'entries', done: 4, of: 8 }])
  })
})
