import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { Pacing } from '../../src/events/webhooks/pacing.ts'

const windowMs = 100
const tickMs = 20

describe('deliveries beside changes', () => {
  /** In each tick. */
  let rate = 0
  let changes = 0
  let work = 0
  let pacing: Pacing

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] })
    ;[rate, changes, work] = [0, 0, 0]
    pacing = new Pacing({ changes: () => (changes += rate), work: () => work })
    pacing.enter()
  })
  afterEach(() => {
    pacing.leave()
    mock.timers.reset()
  })

  /** The turns that are given in a time, with so many asking. */
  const turnsIn = async (ms: number, asking: number) => {
    let given = 0
    for (let n = 0; n < asking; n++) void pacing.turn()?.then(() => given++)
    mock.timers.tick(ms)
    await Promise.resolve()
    return given
  }

  it('begin at once without changes, however busy the thread is', () => {
    work = 1
    mock.timers.tick(windowMs)
    assert.equal(pacing.turn(), undefined)
  })

  it('begin at once while changes wait for a slow disk and the thread has time', () => {
    rate = 50
    mock.timers.tick(windowMs)
    assert.equal(pacing.turn(), undefined)
  })

  it('rest within a tick when many changes begin at once, and within the window when few do', () => {
    ;[rate, work] = [50, 0.9]
    mock.timers.tick(tickMs)
    assert.equal(pacing.isTight, true)
    pacing.release()
    rate = 1
    mock.timers.tick(tickMs)
    assert.equal(pacing.isTight, false)
    mock.timers.tick(windowMs)
    assert.equal(pacing.isTight, true)
  })

  it('begin 50 times a second while changes use the process up', async () => {
    ;[rate, work] = [50, 0.9]
    mock.timers.tick(windowMs)
    assert.equal(await turnsIn(1_000, 200), 50)
  })

  it('still rest when the thread has a little less to do', async () => {
    ;[rate, work] = [50, 0.9]
    mock.timers.tick(windowMs)
    work = 0.3
    assert.equal(await turnsIn(1_000, 200), 50)
  })

  it('all begin once the changes are done', async () => {
    ;[rate, work] = [50, 0.9]
    mock.timers.tick(windowMs)
    rate = 0
    assert.equal(await turnsIn(windowMs, 200), 200)
    assert.equal(pacing.turn(), undefined)
  })

  it('all begin when the process stops', async () => {
    ;[rate, work] = [50, 0.9]
    mock.timers.tick(windowMs)
    const turn = pacing.turn()
    pacing.release()
    await turn
  })
})
