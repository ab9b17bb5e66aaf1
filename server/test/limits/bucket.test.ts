import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Bucket, type Other } from '../../src/limits/bucket.ts'
import { exchangeEveryMs } from '../../src/limits/pace.ts'

/** A simulated process: it reports and reads through a shared table, like the real one. */
type Process = { readonly name: string; readonly bucket: Bucket; readonly offsetMs: number; passed: number }
type Row = Omit<Other, 'ageMs'> & { readonly atMs: number }

/** How many requests a second each process receives at a time. */
type Load = (atMs: number) => readonly number[]

const limit = { rate: 200, burst: 200 }

function exchangeAt(atMs: number, process: Process, table: Map<string, Row>): void {
  const usage = process.bucket.report(atMs)
  table.set(process.name, { process: process.name, ...usage, atMs })
  const others = [...table.values()].filter((row) => row.process !== process.name)
  process.bucket.hear(
    others.map((row) => ({ ...row, ageMs: atMs - row.atMs })),
    usage,
    atMs,
  )
}

/** How much passed, in total and in each process, in this many seconds. */
function play(load: Load, { seconds = 30, deaf = false, limit: of = limit } = {}) {
  const count = load(0).length
  const processes: Process[] = Array.from({ length: count }, (_, index) => ({
    name: `p${index}`,
    bucket: new Bucket(of, 0),
    offsetMs: Math.floor((index * exchangeEveryMs) / count),
    passed: 0,
  }))
  const due = processes.map(() => 0)
  const table = new Map<string, Row>()
  for (let atMs = 0; atMs < seconds * 1000; atMs++) {
    const rates = load(atMs)
    processes.forEach((process, index) => {
      due[index] = (due[index] ?? 0) + (rates[index] ?? 0) / 1000
      for (; (due[index] ?? 0) >= 1; due[index] = (due[index] ?? 0) - 1) {
        if (process.bucket.ask(atMs) > 0) continue
        process.bucket.take()
        process.passed += 1
      }
      if (!deaf && (atMs + process.offsetMs) % exchangeEveryMs === 0) exchangeAt(atMs, process, table)
    })
  }
  const passed = processes.map((process) => process.passed)
  return { passed, total: passed.reduce((sum, one) => sum + one, 0) }
}

function assertNear(total: number, expected: number, what: string): void {
  const part = total / expected
  assert.ok(part > 0.9 && part < 1.1, `${what}: ${total} of ${expected}, ${part.toFixed(3)}`)
}

const allowed = 30 * limit.rate + limit.burst

describe('a limit that processes share', () => {
  const loads: Readonly<Record<string, Load>> = {
    'all on one': () => [600, 0],
    'half and half': () => [300, 300],
    'nine to one': () => [540, 60],
    'just above': () => [110, 110],
    'one that moves every five seconds': (atMs) => (Math.floor(atMs / 5000) % 2 ? [0, 600] : [600, 0]),
    'one that moves every second': (atMs) => (Math.floor(atMs / 1000) % 2 ? [0, 600] : [600, 0]),
    'a flood and one ten times as large': () => [2_000, 20_000],
    'one that joins late': (atMs) => [400, atMs < 15_000 ? 0 : 400],
    four: () => [300, 300, 50, 600],
    'ten, each a quarter of it': () => Array.from({ length: 10 }, () => 50),
  }
  for (const [name, load] of Object.entries(loads)) {
    it(`lets through its rate, within a tenth: ${name}`, () => assertNear(play(load).total, allowed, name))
  }

  it('would let through twice as much if the processes did not communicate', () =>
    assert.ok(play(() => [600, 600], { deaf: true }).total > 1.9 * allowed))

  it('does not limit clients below the rate', () => {
    const { total } = play(() => [90, 90])
    assert.ok(total >= 30 * 180 - 2, String(total))
  })

  it('does not limit clients below the rate, with a small burst', () => {
    const { total } = play(() => [90, 90], { limit: { rate: 200, burst: 20 } })
    assert.ok(total >= 30 * 180 * 0.99, String(total))
  })

  it('gives each process its share by its demand', () => {
    const [much = 0, little = 0] = play(() => [900, 100], { seconds: 120 }).passed
    assertNear(little / (much + little), 0.1, 'the smaller part')
  })

  it('works for any duration, and no burst is granted twice', () => {
    const load: Load = (atMs) => (atMs % 10_000 < 5_000 ? [1_000, 1_000] : [0, 0])
    // Three times five seconds of rate and three bursts; what accrues in pauses beyond a burst is lost.
    assertNear(play(load).total, 3 * (5 * limit.rate + limit.burst), 'three rushes')
  })
})

describe('a bucket', () => {
  it('gives its burst at once and then its rate', () => {
    const bucket = new Bucket({ rate: 10, burst: 5 }, 0)
    const takeAll = (atMs: number) => {
      let taken = 0
      for (; bucket.ask(atMs) === 0; taken++) bucket.take()
      return taken
    }
    assert.equal(takeAll(0), 5)
    assert.equal(takeAll(50), 0)
    assert.equal(takeAll(100), 1)
    assert.equal(takeAll(1_100), 5)
  })

  it('says how long until there is a token', () => {
    const bucket = new Bucket({ rate: 10, burst: 1 }, 0)
    assert.equal(bucket.ask(0), 0)
    bucket.take()
    assert.equal(bucket.ask(0), 100)
    assert.equal(bucket.ask(60), 40)
    assert.equal(bucket.ask(100), 0)
  })

  it('applies to one process alone when no other reports any more', () => {
    const bucket = new Bucket({ rate: 10, burst: 1 }, 0)
    bucket.hear([{ process: 'other', spent: 0, asked: 90, level: 1, ageMs: 0 }], { spent: 0, asked: 10 }, 0)
    bucket.take()
    assert.ok(bucket.ask(0) > 900)
    bucket.beAlone(0)
    assert.equal(bucket.ask(0), 100)
  })
})
