import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import type { Answer, Queryable, Statement } from '../../src/db/session.ts'
import { type Limit, Limits } from '../../src/limits/index.ts'

/** Many processes on one database, with a simulated clock: the table `rates` is a map. */

type Row = { realm: number; key: number; process: string; atMs: number } & Record<string, number | string>

class Table implements Queryable {
  nowMs = 0
  rows = 0
  readonly #rows = new Map<string, Map<string, Row>>()

  async query<Found>({ name }: Statement, values: readonly unknown[] = []): Promise<Answer<Found>> {
    const found = name === 'limits_beat' ? this.#beat(values) : this.#exchange(values)
    this.rows += found.length
    return { rows: found as Found[] } as Answer<Found>
  }

  #put(row: Row): Row[] {
    const place = `${row.realm}:${row.key}`
    const rows = this.#rows.get(place) ?? new Map<string, Row>()
    this.#rows.set(place, rows.set(row.process, row))
    return [...rows.values()].filter(({ process }) => process !== row.process)
  }

  #beat([process]: readonly unknown[]): unknown[] {
    const others = this.#put({ realm: 0, key: 0, process: String(process), atMs: this.nowMs })
    const live = others.filter(({ atMs }) => this.nowMs - atMs < 30_000)
    return [{ live: live.length, gone: 0 }]
  }

  #exchange([process, ...columns]: readonly unknown[]): unknown[] {
    const [realms = [], keys = [], spent = [], asked = [], level = []] = columns as number[][]
    return realms.flatMap((realm, index) => {
      const usage = { spent: spent[index] ?? 0, asked: asked[index] ?? 0, level: level[index] ?? 0 }
      const mine = { realm, key: keys[index] ?? 0, process: String(process), atMs: this.nowMs, ...usage }
      return this.#put(mine).map((row) => ({ ...row, age_ms: this.nowMs - row.atMs }))
    })
  }
}

const limit: Limit = { rate: 1_000, burst: 1_000 }
const stepMs = 20

before(() => mock.timers.enable({ apis: ['setTimeout'] }))
after(() => mock.timers.reset())

type Played = {
  /** The share of what the limit allows in half a minute from the first request on. */
  readonly part: number
  readonly rowsPerS: number
  /** How many each process had let through at the beginning of each second. */
  readonly passedBy: readonly (readonly number[])[]
}

/** What this many processes let through, each receiving `askedOf(index, second)` requests a second. */
async function play(count: number, askedOf: (index: number, second: number) => number): Promise<Played> {
  const seconds = 30
  const foundSeconds = 15
  const table = new Table()
  const nowMs = () => table.nowMs
  const fleet = Array.from(
    { length: count },
    () => new Limits({ db: table, realm: limit, key: undefined, nowMs }),
  )
  const caller = { realm: 1, key: 1, limits: { realm: 'default', key: 'default', readAtMs: 0 } } as const
  const due = fleet.map((_, index) => (index % 100) / 100)
  const passed = fleet.map(() => 0)
  const passedBy: number[][] = []
  for (table.nowMs = 0; table.nowMs < seconds * 1000; table.nowMs += stepMs) {
    // In the first seconds processes do not know their number.
    if (table.nowMs === foundSeconds * 1000) table.rows = 0
    const second = Math.floor(table.nowMs / 1000)
    passedBy[second] ??= [...passed]
    fleet.forEach((limits, index) => {
      due[index] = (due[index] ?? 0) + (askedOf(index, second) * stepMs) / 1000
      for (; (due[index] ?? 0) >= 1; due[index] = (due[index] ?? 0) - 1)
        if (limits.pass(caller).waitMs === 0) passed[index] = (passed[index] ?? 0) + 1
    })
    mock.timers.tick(stepMs)
    await new Promise(setImmediate)
  }
  await Promise.all(fleet.map((limits) => limits.close()))
  return {
    part: passed.reduce((sum, one) => sum + one, 0) / (seconds * limit.rate + limit.burst),
    rowsPerS: table.rows / (seconds - foundSeconds),
    passedBy,
  }
}

const assertWithin = ({ part }: Played, [least, most]: readonly [number, number]) =>
  assert.ok(part >= least && part <= most, `${part.toFixed(3)} of what the limit allows`)

describe('a limit that many processes share', () => {
  it('is enforced by 400 that each receive less than half of a hundredth of it', async () =>
    assertWithin(await play(400, () => 4.5), [0.8, 1.25]))

  it('is enforced by 200 that are all flooded', async () =>
    assertWithin(await play(200, () => 50), [0.8, 1.25]))

  it('is enforced by 40, half of which receive little', async () =>
    assertWithin(await play(40, (index) => (index % 2 ? 100 : 8)), [0.8, 1.25]))

  it('is fully available to the only one of 200 that receives requests', async () =>
    assertWithin(await play(200, (index) => (index === 7 ? 3_000 : 0.2)), [0.8, 1.25]))

  it('does not limit clients of 200 processes below the rate', async () =>
    assertWithin(await play(200, () => 4.5), [0.87, 0.88]))

  it('is fully available to a client that moves between two of them every second', async () =>
    assertWithin(await play(2, (index, second) => (second % 2 === index ? 2_500 : 0)), [0.9, 1.1]))

  it('is available again to a small client when the flood of another process is over', async () => {
    const flood = (second: number) => (second < 10 ? 20_000 : 0)
    const little = (second: number) => (second < 5 ? 20 : 2)
    const { passedBy } = await play(2, (index, second) => (index === 0 ? flood(second) : little(second)))
    const passed = (passedBy[28]?.[1] ?? 0) - (passedBy[18]?.[1] ?? 0)
    assert.ok(passed >= 19, `${passed} of 20`)
  })

  it('costs rows in proportion to the processes, not to their square', async () => {
    const few = await play(20, () => 100)
    const many = await play(200, () => 10)
    assert.ok(many.rowsPerS < 12 * few.rowsPerS, `${many.rowsPerS} rows a second, ${few.rowsPerS} with 20`)
  })
})
