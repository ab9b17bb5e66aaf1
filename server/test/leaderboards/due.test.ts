import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Due } from '../../src/leaderboards/due.ts'

const minuteMs = 60_000

function scene() {
  let nowMs = 0
  const due = new Due(() => nowMs)
  return {
    due,
    wait: (ms: number) => {
      nowMs += ms
    },
    taken: () => [...due.take().keys()],
  }
}

describe('realms to be folded', () => {
  it('are due at once when they were requested in the last hour', () => {
    const { due, wait, taken } = scene()
    due.asked(1)
    due.written(1)
    assert.equal(due.nextInMs, 0)
    wait(400)
    assert.equal(due.lagMs, 400)
    assert.deepEqual(taken(), [1])
    assert.deepEqual([due.size, due.nextInMs, due.lagMs], [0, undefined, 0])
    wait(60 * minuteMs)
    due.written(1)
    assert.deepEqual(taken(), [])
  })

  it('would be noticed once they were requested and are 1.5 s behind', () => {
    const { due, wait } = scene()
    due.asked(1)
    wait(2_000)
    assert.deepEqual(
      [due.isNoticed(1, 0), due.isNoticed(1, 500), due.isNoticed(1), due.isNoticed(2, 0)],
      [true, false, false, false],
    )
  })

  it('are due after a minute otherwise, and not behind until then', () => {
    const { due, wait, taken } = scene()
    due.written(1)
    wait(minuteMs / 2)
    due.written(2)
    assert.deepEqual([due.size, due.nextInMs, due.lagMs], [2, minuteMs / 2, 0])
    assert.deepEqual(taken(), [])
    wait(minuteMs / 2)
    assert.deepEqual(taken(), [1])
    assert.deepEqual([due.size, due.nextInMs], [1, minuteMs / 2])
  })

  it('are due at once after 64 writes', () => {
    const { due, taken } = scene()
    for (let write = 0; write < 63; write++) due.written(1)
    assert.deepEqual(taken(), [])
    due.written(1)
    assert.deepEqual(taken(), [1])
  })

  it('are at most 50,000', () => {
    const { due } = scene()
    for (let realm = 0; realm < 50_001; realm++) due.written(realm)
    assert.equal(due.size, 50_000)
  })

  it('stay due since the first time', () => {
    const { due, wait } = scene()
    due.add(1)
    wait(100)
    due.add(1)
    due.written(1)
    assert.deepEqual([due.size, due.lagMs], [1, 100])
  })
})
