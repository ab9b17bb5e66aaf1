import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseLots, printLots } from '../../src/ledger/rules/lots.ts'
import type { DatedRule } from '../../src/realms/index.ts'
import { LapseBooks } from './lapseBooks.ts'
import { LapseModel, localDay } from './lapseModel.ts'
import { Random } from './random.ts'

/** 10,000 in the long form: LAPSE_SEQUENCES=10000 npm test -- lapse.property */
const sequences = Number(process.env['LAPSE_SEQUENCES'] ?? 300)

const people = ['1', '2', '3', '4'] as const
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu']
const hourMs = 3_600_000

const rules: readonly DatedRule[] = [
  { after: { days: 1 } },
  { after: { days: 40 } },
  { after: { months: 1, roundTo: 'day' } },
  { after: { months: 2, roundTo: 'month' } },
  { after: { months: 1, roundTo: 'quarter' } },
  { after: { months: 3, roundTo: 'year' } },
  { on: ['06-30', '12-31'] },
  { on: ['02-29'] },
]

/** What was reached by all sequences, so that a generator that reaches nothing is noticed. */
const reached = new Map<string, number>()
const reach = (name: string): void => void reached.set(name, (reached.get(name) ?? 0) + 1)

/** One random history, by the server's rules and by the model. */
class Sequence {
  readonly #random: Random
  readonly #zone: string
  readonly books: LapseBooks
  readonly model = new LapseModel()
  readonly #open: { seq: bigint; tokens: number }[] = []
  readonly #promised: { seq: bigint; member: string; units: number }[] = []
  readonly #merges: { from: string; to: string; undoes: bigint }[] = []
  readonly #undoable: bigint[] = []
  #ms: number

  constructor(seed: number) {
    this.#random = new Random(seed * 7919)
    this.#zone = this.#random.pick(zones)
    this.books = new LapseBooks(this.#zone)
    this.#ms = Date.UTC(2027, this.#random.below(12), 1 + this.#random.below(28), this.#random.below(24))
  }

  get today(): number {
    return localDay(this.#ms, this.#zone)
  }

  step(): void {
    this.#ms += this.#random.below(60) * hourMs
    const chance = this.#random.below(100)
    if (chance < 26) this.#credit()
    else if (chance < 30) this.#promise()
    else if (chance < 44) this.#debit()
    else if (chance < 58) this.#transfer()
    else if (chance < 66) this.#hold()
    else if (chance < 70) this.#release()
    else if (chance < 75) this.#capture()
    else if (chance < 84) this.#reverse()
    else if (chance < 88) this.#change()
    else if (chance < 92) this.#merge()
    else this.#sweep()
    this.#compare()
  }

  #post(command: object): bigint {
    const seq = this.books.post(this.#ms, command)
    assert.ok(
      seq,
      JSON.stringify(command, (_, value) => String(value)),
    )
    return seq
  }

  #credit(): void {
    const [member, units] = [this.#random.pick(people), 1 + this.#random.below(12)]
    const seq = this.#post({ kind: 'adjust', member, tokens: BigInt(units) })
    this.model.credit(seq, member, { units, today: this.today })
    this.#undoable.push(seq)
  }

  #some(): { member: string; units: number } | undefined {
    const [member, units] = [this.#random.pick(people), 1 + this.#random.below(12)]
    return this.model.balance(member) < units ? undefined : { member, units }
  }

  #debit(): void {
    const some = this.#some()
    if (!some) return
    const seq = this.#post({ kind: 'adjust', member: some.member, tokens: BigInt(-some.units) })
    this.model.debit(seq, some.member, some.units)
    this.#undoable.push(seq)
  }

  #transfer(): void {
    const [some, recipient] = [this.#some(), this.#random.pick(people)]
    if (!some || some.member === recipient) return
    const tokens = BigInt(some.units)
    const seq = this.#post({ kind: 'transfer', member: some.member, recipient, tokens })
    this.model.transfer(seq, some.member, { recipient, units: some.units })
    this.#undoable.push(seq)
  }

  /** An award, or the end of one: half of them are cancelled. */
  #promise(): void {
    const [award] = this.#promised.splice(0, this.#random.below(2))
    if (!award) {
      const [member, units] = [this.#random.pick(people), 1 + this.#random.below(12)]
      const seq = this.#post({ kind: 'award', member, tokens: BigInt(units), grantUs: undefined })
      this.#promised.push({ seq, member, units })
    } else if (this.#random.below(2) === 0) this.#post({ kind: 'cancel', award: award.seq })
    else {
      const seq = this.#post({ kind: 'grant', award: award.seq })
      this.model.credit(seq, award.member, { units: award.units, today: this.today })
      this.#undoable.push(seq)
    }
  }

  /** All points of a member to another one; or back, if they are still there. */
  #merge(): void {
    const [from, to] = [this.#random.pick(people), this.#random.pick(people)]
    const merged = this.#random.below(2) === 0 ? this.#merges.shift() : undefined
    if (merged && this.model.canReverse(merged.undoes)) {
      assert.ok(this.books.merge(this.#ms, merged))
      this.model.reverse(merged.undoes, this.today)
      reach('a merge undone')
    } else if (from !== to && this.model.balance(from) > 0) {
      const units = this.model.balance(from)
      const seq = this.books.merge(this.#ms, { from, to })
      assert.ok(seq)
      this.model.transfer(seq, from, { recipient: to, units })
      this.#merges.push({ from, to, undoes: seq })
    }
  }

  #hold(): void {
    const some = this.#some()
    if (!some) return
    const seq = this.#post({
      kind: 'hold',
      member: some.member,
      tokens: BigInt(some.units),
      forUs: 10n ** 18n,
    })
    this.model.hold(seq, some.member, some.units)
    this.#open.push({ seq, tokens: some.units })
  }

  #release(): void {
    const [hold] = this.#open.splice(0, 1)
    if (!hold) return
    this.#post({ kind: 'release', hold: hold.seq })
    this.model.release(hold.seq, this.today)
  }

  #capture(): void {
    const [hold] = this.#open.splice(this.#random.below(this.#open.length || 1), 1)
    if (!hold) return
    const units = 1 + this.#random.below(hold.tokens)
    const seq = this.#post({ kind: 'capture', hold: hold.seq, tokens: BigInt(units) })
    this.model.capture(seq, hold.seq, { units, today: this.today })
    this.#undoable.push(seq)
    if (units < hold.tokens) reach('a partial capture')
  }

  #reverse(): void {
    const at = this.#random.below(this.#undoable.length || 1)
    const seq = this.#undoable[at]
    if (seq === undefined || !this.model.canReverse(seq)) return
    this.#undoable.splice(at, 1)
    reach(`a reversal of ${this.books.entries[Number(seq) - 1]?.kind}`)
    this.#post({ kind: 'reverse', entry: seq, isAdmin: true })
    this.model.reverse(seq, this.today)
  }

  #change(): void {
    const isFirst = this.books.steps.length === 0
    const rule = !isFirst && this.#random.below(4) === 0 ? null : this.#random.pick(rules)
    const notBefore = this.#random.below(5) === 0 ? this.today + this.#random.below(60) : 0
    const notice = 30 + this.#random.below(90)
    this.books.setRule(rule, this.model.setRule(rule, { today: this.today, notice, notBefore }))
    reach(rule ? 'a rule' : 'a rule removed')
  }

  /** Each member's points that are due; a second sweep at the same time writes nothing. */
  #sweep(): void {
    for (const member of people) {
      const due = this.model.due(member, this.today)
      const command = { kind: 'lapse', member, tokens: 0n, config: 1 }
      const seq = this.books.post(this.#ms, command)
      assert.equal(seq !== undefined, due > 0)
      if (seq === undefined) continue
      assert.equal(this.books.entries.at(-1)?.amount, BigInt(due))
      this.model.lapse(seq, member, this.today)
      reach('a lapse')
      if (this.#random.below(2) === 0) this.#undoable.push(seq)
      assert.equal(this.books.post(this.#ms, command), undefined)
    }
  }

  #compare(): void {
    for (const member of people) {
      assert.equal(this.books.balance(member), this.model.balance(member))
      assert.equal(this.books.lots(member), this.model.lots(member))
    }
    const { issued, spent, lapsed } = this.model.sums
    const has = people.reduce((sum, member) => sum + this.books.balance(member), 0)
    assert.equal(has + this.books.held(), issued - spent - lapsed)
  }

  /** Verify accepts the journal, and finds a lot that was moved by a day. */
  async verify(): Promise<void> {
    const rows = this.books.rows()
    const replay = await this.books.replay(rows)
    for (const [at, member] of people.entries()) {
      const last = rows.findLast((row) => row.from_account === at + 1 || row.to_account === at + 1)
      if (!last || last.lots === null) continue
      assert.equal(replay.textOf(at + 1, 1, last.seq), this.books.storedLots(member))
    }
    const dated = rows.filter(({ lots }) => lots !== null)
    if (dated.length === 0) return
    const planted = this.#random.pick(dated)
    const [first, ...rest] = parseLots(planted.lots ?? '')
    if (!first || first.day === rest[0]?.day) return
    const lots = printLots([{ ...first, day: first.day - 1 }, ...rest])
    const changed = rows.map((row) => (row.seq === planted.seq ? { ...row, lots } : row))
    await assert.rejects(() => this.books.replay(changed), /lot|lapsed|day/)
    reach('a planted fault')
  }
}

describe('points that lapse', () => {
  it(`are those of a model that follows each point, in ${sequences} random histories`, async () => {
    for (let seed = 1; seed <= sequences; seed += 1) {
      const sequence = new Sequence(seed)
      try {
        for (let step = 0; step < 80; step += 1) sequence.step()
        await sequence.verify()
      } catch (error) {
        throw new Error(`sequence ${seed}`, { cause: error })
      }
    }
    for (const name of [
      'a lapse',
      'a rule removed',
      'a partial capture',
      'a planted fault',
      'a merge undone',
      ...['adjust', 'transfer', 'capture', 'lapse', 'grant'].map((kind) => `a reversal of ${kind}`),
    ])
      assert.ok((reached.get(name) ?? 0) > 3, `${name}: ${reached.get(name) ?? 0}`)
  })
})
