import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Progress } from '../src/commands/progress.ts'

function makeProgress() {
  const lines: string[] = []
  const clock = { ms: 5_000 }
  const progress = new Progress(
    (line) => lines.push(line),
    () => clock.ms,
  )
  return { lines, clock, progress }
}

describe('the progress of verify', () => {
  it('is one line a second: how many of how many, percent, entries a second, time left', () => {
    const { lines, clock, progress } = makeProgress()
    const step = progress.of('guild')
    for (let page = 1; page <= 30; page++) {
      clock.ms += 100
      step({ what: 'entries', done: page * 1_000, of: 100_000 })
    }
    assert.deepEqual(lines, [
      'guild: 10000 of 100000 entries, 10 %, 10000/s, 9 s left',
      'guild: 20000 of 100000 entries, 20 %, 10000/s, 8 s left',
      'guild: 30000 of 100000 entries, 30 %, 10000/s, 7 s left',
    ])
  })

  it('has a separate speed for accounts', () => {
    const { lines, clock, progress } = makeProgress()
    const step = progress.of('guild')
    clock.ms += 500
    step({ what: 'entries', done: 1_000, of: 1_000 })
    clock.ms += 500
    step({ what: 'accounts', done: 1_000, of: 5_000 })
    clock.ms += 1_000
    step({ what: 'accounts', done: 3_000, of: 5_000 })
    assert.deepEqual(lines, ['guild: 3000 of 5000 accounts, 60 %, 2000/s, 1 s left'])
  })

  it('shows 100 % only at the end, and no estimate while nothing moves', () => {
    const { lines, clock, progress } = makeProgress()
    const step = progress.of('guild')
    clock.ms += 1_000
    step({ what: 'entries', done: 0, of: 1_000 })
    clock.ms += 1_000
    step({ what: 'entries', done: 999, of: 1_000 })
    assert.deepEqual(lines, [
      'guild: 0 of 1000 entries, 0 %, 0/s, time left unknown',
      'guild: 999 of 1000 entries, 99 %, 500/s, 1 s left',
    ])
  })

  it('ends with all entries of all realms, and how fast they were', () => {
    const { clock, progress } = makeProgress()
    for (const realm of ['one', 'two']) {
      const step = progress.of(realm)
      clock.ms += 2_000
      step({ what: 'entries', done: 4_000, of: 5_000 })
      step({ what: 'entries', done: 5_000, of: 5_000 })
      step({ what: 'accounts', done: 70, of: 70 })
    }
    assert.equal(progress.summary(), '10000 entries in 4.0 s, 2500/s')
  })

  it('works when there was nothing to do', () => {
    assert.equal(makeProgress().progress.summary(), '0 entries in 0.0 s, 0/s')
  })
})
