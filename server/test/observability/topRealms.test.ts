import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TaskTimes } from '../../src/observability/taskTimes.ts'
import { TopRealms } from '../../src/observability/topRealms.ts'

const clock = () => {
  const at = { ms: 0 }
  return { at, nowMs: () => at.ms }
}
const ok = { status: 200, tookMs: 1 }

describe('the top realms', () => {
  it('are the 10 with most requests, rejections and time in the last full minute', () => {
    const { at, nowMs } = clock()
    const top = new TopRealms(nowMs)
    for (let realm = 1; realm <= 50; realm++) for (let n = 0; n < realm * 6; n++) top.count(`r${realm}`, ok)
    for (let n = 0; n < 60; n++) top.count('noisy', { status: 429, tookMs: 1 })
    for (let n = 0; n < 10; n++) top.count('slow', { status: 200, tookMs: 500 })
    for (let n = 0; n < 9; n++) top.count('rare', { status: 200, tookMs: 9_000 })
    assert.deepEqual(top.busiest(), [])
    at.ms = 60_000
    const busiest = top.busiest()
    assert.equal(busiest.length, 10)
    assert.deepEqual(busiest[0], ['r50', 5])
    assert.deepEqual(busiest[9], ['r41', 4.1])
    assert.deepEqual(top.mostRejected(), [['noisy', 1]])
    assert.deepEqual(top.slowest()[0], ['slow', 0.5])
    assert.ok(!top.slowest().some(([realm]) => realm === 'rare'))
  })

  it('are forgotten after a minute without requests', () => {
    const { at, nowMs } = clock()
    const top = new TopRealms(nowMs)
    top.count('one', ok)
    at.ms = 119_000
    assert.equal(top.busiest().length, 1)
    at.ms = 120_000
    assert.deepEqual(top.busiest(), [])
  })

  it('are counted for a bounded number of realms', () => {
    const { at, nowMs } = clock()
    const top = new TopRealms(nowMs, 5)
    for (let realm = 0; realm < 100; realm++) top.count(`r${realm}`, ok)
    top.count('r4', ok)
    at.ms = 60_000
    assert.deepEqual(
      top.busiest().map(([realm]) => realm),
      ['r4', 'r0', 'r1', 'r2', 'r3'],
    )
  })
})

describe('the times of tasks', () => {
  it('begin with the start of the process, and follow each success', () => {
    const { at, nowMs } = clock()
    const tasks = new TaskTimes(nowMs)
    at.ms = 1_000
    const done = tasks.add('tidy', 60)
    at.ms = 9_000
    assert.deepEqual(tasks.lastSuccesses(), [['tidy', 1]])
    done()
    assert.deepEqual(tasks.lastSuccesses(), [['tidy', 9]])
    assert.deepEqual(tasks.intervals(), [['tidy', 60]])
  })
})
