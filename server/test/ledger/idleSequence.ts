import assert from 'node:assert/strict'
import { Column } from '../../src/ledger/journal/columns.ts'
import { IdleReplay } from '../../src/ledger/journal/idleReplay.ts'
import type { EntryRow } from '../../src/ledger/journal/journalStore.ts'
import type { MergeLink } from '../../src/ledger/journal/mergeCheckStore.ts'
import { type ActivityType, floorOf, type IdleRule } from '../../src/realms/index.ts'
import { type EntryNote, IdleModel, isSame, type Known, type MergeNote, type Some } from './idleModel.ts'
import { LapseBooks } from './lapseBooks.ts'
import { localDay } from './lapseModel.ts'
import { Random } from './random.ts'

const people = ['1', '2', '3', '4'] as const
const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu']
const hourMs = 3_600_000
const bys: readonly (readonly ActivityType[])[] = [['earned'], ['spent'], ['earned', 'spent']]

/** What was reached by all sequences, so that a generator that reaches nothing is noticed. */
export const reached = new Map<string, number>()
const reach = (name: string): void => void reached.set(name, (reached.get(name) ?? 0) + 1)

/** One random history, by the server's rules and by the model. */
export class Sequence {
  readonly #random: Random
  readonly #zone: string
  readonly #books: LapseBooks
  readonly #model: IdleModel
  readonly #holds: { seq: bigint; member: string; units: number }[] = []
  readonly #promised: { seq: bigint; member: string; units: number }[] = []
  readonly #made: EntryNote[] = []
  readonly #merges: MergeNote[] = []
  readonly #links: MergeLink[] = []
  readonly #stale = new Map<string, Known>()
  #ms: number

  constructor(seed: number) {
    this.#random = new Random(seed * 6151)
    this.#zone = this.#random.pick(zones)
    this.#books = new LapseBooks(this.#zone)
    this.#model = new IdleModel(this.#zone)
    this.#ms = Date.UTC(2027, this.#random.below(12), 1 + this.#random.below(28), this.#random.below(24))
  }

  get #today(): number {
    return localDay(this.#ms, this.#zone)
  }

  /** Members that were not merged into others. */
  get #here(): readonly string[] {
    return people.filter((one) => !this.#merges.some(({ from }) => from === one))
  }

  step(): void {
    this.#ms += this.#random.below(200) * hourMs
    const chance = this.#random.below(100)
    if (chance < 18) this.#earn()
    else if (chance < 22) this.#promise()
    else if (chance < 32) this.#spend()
    else if (chance < 46) this.#transfer()
    else if (chance < 54) this.#hold()
    else if (chance < 62) this.#endHold()
    else if (chance < 72) this.#reverse()
    else if (chance < 77) this.#change()
    else if (chance < 82) this.#merge()
    else this.#sweep()
    for (const one of people) assert.equal(this.#books.balance(one), this.#model.balance(one))
  }

  #post(command: object): bigint {
    const seq = this.#books.post(this.#ms, command)
    assert.ok(
      seq,
      JSON.stringify(command, (_, value) => String(value)),
    )
    return seq
  }

  #note(member: string, seq: bigint, what: 'earned' | 'spent' | 'restored' | 'came'): void {
    this.#model.note(member, { seq, ms: this.#ms, what })
  }

  #came({ member, units }: Some, seq: bigint, what: 'earned' | 'restored' | 'came' = 'came'): void {
    this.#model.change(member, units)
    this.#note(member, seq, what)
  }

  #some(): Some | undefined {
    const [member, units] = [this.#random.pick(this.#here), 1 + this.#random.below(12)]
    return this.#model.balance(member) < units ? undefined : { member, units }
  }

  #earn(): void {
    const [member, units] = [this.#random.pick(this.#here), 1 + this.#random.below(12)]
    const kind = this.#random.pick(['adjust', 'adjust', 'opening'])
    const seq = this.#post({ kind, member, tokens: BigInt(units) })
    this.#came({ member, units }, seq, 'earned')
    this.#made.push({ seq, type: 'earned', member, units })
  }

  #promise(): void {
    const at = this.#promised.findIndex(({ member }) => this.#here.includes(member))
    const [award] = at < 0 ? [] : this.#promised.splice(at, this.#random.below(2))
    if (!award) {
      const [member, units] = [this.#random.pick(this.#here), 1 + this.#random.below(12)]
      const seq = this.#post({ kind: 'award', member, tokens: BigInt(units), grantUs: undefined })
      this.#promised.push({ seq, member, units })
    } else if (this.#random.below(3) === 0) this.#post({ kind: 'cancel', award: award.seq })
    else {
      const seq = this.#post({ kind: 'grant', award: award.seq })
      this.#came(award, seq, 'earned')
    }
  }

  #spend(): void {
    const some = this.#some()
    if (!some) return
    const { member, units } = some
    const seq = this.#post({ kind: 'adjust', member, tokens: BigInt(-units) })
    this.#model.change(member, -units)
    this.#note(member, seq, 'spent')
    this.#made.push({ seq, type: 'spent', member, units })
  }

  #transfer(): void {
    const [some, recipient] = [this.#some(), this.#random.pick(this.#here)]
    if (!some || some.member === recipient) return
    const { member, units } = some
    const seq = this.#post({ kind: 'transfer', member, recipient, tokens: BigInt(units) })
    this.#model.change(member, -units)
    this.#came({ member: recipient, units }, seq)
    this.#made.push({ seq, type: 'transfer', member, recipient, units })
  }

  #hold(): void {
    const some = this.#some()
    if (!some) return
    const { member, units } = some
    const seq = this.#post({ kind: 'hold', member, tokens: BigInt(units), forUs: 10n ** 18n })
    this.#model.change(member, -units)
    this.#holds.push({ seq, member, units })
  }

  #endHold(): void {
    const [hold] = this.#holds.splice(this.#random.below(this.#holds.length || 1), 1)
    if (!hold) return
    if (this.#random.below(2) === 0) {
      this.#came(hold, this.#post({ kind: 'release', hold: hold.seq }))
      return
    }
    const units = 1 + this.#random.below(hold.units)
    const seq = this.#post({ kind: 'capture', hold: hold.seq, tokens: BigInt(units) })
    this.#note(hold.member, seq, 'spent')
    if (units < hold.units) this.#came({ ...hold, units: hold.units - units }, seq + 1n)
    reach('a capture')
  }

  #reverse(): void {
    const at = this.#random.below(this.#made.length || 1)
    const made = this.#made[at]
    if (!made) return
    const { type, member, recipient = member, units } = made
    if (![member, recipient].every((one) => this.#here.includes(one))) return
    const giver = type === 'earned' ? member : type === 'transfer' ? recipient : undefined
    if (giver !== undefined && this.#model.balance(giver) < units) return
    this.#made.splice(at, 1)
    const seq = this.#post({ kind: 'reverse', entry: made.seq, isAdmin: true })
    if (giver !== undefined) this.#model.change(giver, -units)
    if (type !== 'earned') this.#came({ member, units }, seq, type === 'lapse' ? 'restored' : 'came')
    reach(`a reversal of ${type}`)
  }

  /** No member loses points sooner than by the rule before. */
  #change(): void {
    const isFirst = this.#books.steps.length === 0
    const isRemoved = !isFirst && this.#random.below(4) === 0
    const idle = { months: 1 + this.#random.below(4), by: this.#random.pick(bys) }
    const rule: IdleRule | null = isRemoved ? null : { idle }
    const notBefore = this.#random.below(5) === 0 ? this.#today + this.#random.below(60) : 0
    const before = this.#model.hasRule ? people.map((one) => this.#model.day(one)) : []
    const { steps } = this.#books
    const floors = [steps.at(-1)?.notBefore ?? 0, notBefore, floorOf(steps, rule, this.#today)]
    this.#books.setRule(rule, { baseDay: this.#today, notBefore: Math.max(...floors) })
    this.#model.setRule(rule?.idle ?? null, { today: this.#today, notBefore })
    assert.equal(this.#books.steps.at(-1)?.notBefore, this.#model.floor)
    if (rule) for (const [at, day] of before.entries()) this.#isNoSooner(people[at] ?? '', day)
    reach(rule ? 'a rule' : 'a rule removed')
  }

  #isNoSooner(member: string, day: number | undefined): void {
    const now = this.#model.day(member)
    if (day !== undefined && now !== undefined) assert.ok(now >= day, `${member}: ${now}, not ${day}`)
  }

  #merge(): void {
    const [from, to] = [this.#random.pick(this.#here), this.#random.pick(this.#here)]
    const undone = this.#random.below(3) > 0 ? this.#merges.at(-1) : undefined
    const number = this.#links.length + 1
    const link = (of: { from: string; to: string }, undoes: number | null) =>
      this.#links.push({
        number,
        from_account: Number(of.from),
        to_account: Number(of.to),
        after_seq: BigInt(this.#books.entries.length),
        undoes,
      })
    if (undone && this.#model.balance(undone.to) >= undone.units) {
      this.#merges.pop()
      if (undone.units > 0)
        this.#books.merge(this.#ms, { from: undone.from, to: undone.to, undoes: undone.seq })
      const seq = BigInt(this.#books.entries.length)
      this.#model.unmerge(undone)
      if (undone.units > 0) this.#note(undone.from, seq, 'came')
      link(undone, undone.number)
      reach('a merge undone')
    } else if (from !== to && ![...this.#holds, ...this.#promised].some(({ member }) => member === from)) {
      const units = this.#model.balance(from)
      const had = this.#model.inherited(from)
      const seq = this.#books.merge(this.#ms, { from, to }) ?? 0n
      this.#model.merge(from, to)
      link({ from, to }, null)
      this.#merges.push({ number, from, to, had, seq, units })
    }
  }

  /** After it was found: a capture, which changes only what is held, or another rule. */
  #moveMeanwhile(member: string): void {
    const at = this.#holds.findIndex((hold) => hold.member === member)
    const [hold] = at < 0 ? [] : this.#holds.splice(at, 1)
    reach(hold ? 'a capture meanwhile' : 'a rule meanwhile')
    if (hold) this.#note(member, this.#post({ kind: 'capture', hold: hold.seq, tokens: undefined }), 'spent')
    else this.#change()
  }

  /** A second sweep writes nothing, and none one that found the member before it moved points. */
  #sweep(): void {
    for (const member of this.#here) {
      const last = this.#model.last(member)
      if (!last) continue
      const own = this.#books.lastOf(member)
      const step = this.#books.steps.length
      const idle = { ...own, step, last: { seq: last.seq, atUs: BigInt(last.ms) * 1000n } }
      const old = this.#stale.get(member)
      this.#stale.set(member, idle)
      const command = { kind: 'lapse', member, tokens: 0n, config: 1 }
      if (old && !isSame(old, idle)) {
        assert.equal(this.#books.post(this.#ms, { ...command, idle: old }), undefined)
        reach('a stale one')
      }
      const units = this.#model.balance(member)
      const isDue = this.#model.isDue(member, this.#ms)
      if (isDue && this.#random.below(3) === 0) {
        this.#moveMeanwhile(member)
        assert.equal(this.#books.post(this.#ms, { ...command, idle }), undefined)
        continue
      }
      const seq = this.#books.post(this.#ms, { ...command, idle })
      assert.equal(seq !== undefined, isDue, `${member} at entry ${this.#books.entries.length}`)
      if (seq === undefined) continue
      const { amount, link } = this.#books.entries.at(-1) ?? {}
      assert.deepEqual([amount, link], [BigInt(units), last.seq])
      this.#model.change(member, -units)
      if (this.#random.below(2) === 0) this.#made.push({ seq, type: 'lapse', member, units })
      assert.equal(this.#books.post(this.#ms, { ...command, idle }), undefined)
      reach('a lapse')
    }
  }

  /** Verify accepts the journal, and finds a lapse that names another entry, is early, or leaves some. */
  async verify(): Promise<void> {
    const rows = this.#books.rows()
    await this.#replay(rows, 0)
    await this.#replay(rows, this.#random.below(rows.length || 1))
    const lapses = rows.filter(({ kind }) => kind === 10)
    if (lapses.length === 0) return
    const planted = this.#random.pick(lapses)
    const named = rows.find(({ seq }) => seq === planted.link)
    const other = 1n + BigInt(this.#random.below(Number(planted.seq) - 1))
    for (const change of [
      { link: other === planted.link ? null : other },
      { at_us: named?.at_us ?? 0n },
      { from_balance: 1n },
    ]) {
      const changed = rows.map((row) => (row.seq === planted.seq ? { ...row, ...change } : row))
      await assert.rejects(this.#replay(changed, 0), /active|lapsed before|whole balance/)
    }
    reach('planted faults')
  }

  /** From an entry on, as verify does. */
  async #replay(rows: readonly EntryRow[], from: number): Promise<void> {
    const steps = new Map(this.#books.steps.length > 0 ? [[1, this.#books.steps]] : [])
    const newColumn = () => new Column()
    const replay = new IdleReplay({ steps, merges: this.#links, isWhole: from === 0, newColumn })
    await replay.load({ query: async () => ({ rows }) } as never, 1, rows.slice(from))
    for (const row of rows.slice(from)) replay.add(row)
  }
}
