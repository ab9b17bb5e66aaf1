import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { type Clock, ticks } from '../../../tests/security/ticks.ts'

const timeLimit = new URL('../../../tests/support/timeLimit.ts', import.meta.url).href

/** A clock that advances by sleeping, with a start for which `start + 10000 - start` is below 10000. */
function makeClock(startMs: number): Clock & { slept: number } {
  let nowMs = startMs
  return {
    slept: 0,
    nowMs: () => nowMs,
    async sleep(ms) {
      nowMs += ms
      this.slept += 1
    },
  }
}

describe('a check of the checks', () => {
  it('ends its time span though the difference of two times is rounded down', async () => {
    const startMs = 10_000.1
    assert.ok(startMs + 10_000 - startMs < 10_000, 'this start is rounded down')
    const clock = makeClock(startMs)
    let last = 0
    for await (const { part } of ticks(10, 10, clock)) {
      last = part
      assert.ok(clock.slept <= 1_001, 'the span is over')
    }
    assert.equal(last, 1)
  })

  it('covers the span exactly, however late a tick is', async () => {
    const clock = makeClock(0)
    const late: Clock = { nowMs: clock.nowMs, sleep: (ms) => clock.sleep(ms * 3.7) }
    let sumMs = 0
    for await (const { sinceMs } of ticks(1, 10, late)) sumMs += sinceMs
    assert.equal(Math.round(sumMs), 1_000)
  })

  it('fails, says why and kills its child processes at its time limit', async () => {
    const program = `
      import { spawn } from 'node:child_process'
      import { limitTime } from '${timeLimit}'
      limitTime({ minutes: 0.02, what: 'a check that hangs' })
      const child = spawn('sleep', ['60'], { stdio: 'ignore' })
      console.log(child.pid)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program])
    const out: string[] = []
    const err: string[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(String(chunk)))
    child.stderr.on('data', (chunk: Buffer) => err.push(String(chunk)))
    const [code] = await once(child, 'close')
    assert.equal(code, 1)
    assert.match(err.join(''), /TIME LIMIT: a check that hangs did not end within 0\.02 minutes\./)
    await assert.rejects(async () => {
      for (let tries = 0; tries < 100; tries++) {
        process.kill(Number(out.join('')), 0)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }, /ESRCH/)
  })
})
