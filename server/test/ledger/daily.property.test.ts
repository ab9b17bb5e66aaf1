import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { requestOf } from '../../src/ledger/index.ts'
import type { Outcome, PostedCommand, RehearsalOutcome } from '../../src/ledger/rules/command.ts'
import { decide } from '../../src/ledger/rules/decide.ts'
import type { Decision, RealmState } from '../../src/ledger/rules/state.ts'
import { answerOf, checkTries, commandOf, DailyTally } from './dailyCommands.ts'
import { DailyDesk } from './dailyDesk.ts'
import { DailyModel } from './dailyModel.ts'
import {
  type Batch,
  type Between,
  dailySequences,
  type Item,
  kinds,
  Scribe,
  type Sequence,
} from './dailySteps.ts'
import { frozen } from './desk.ts'

const runs = 5_000

/** Runs a sequence through decide, batch by batch, and through the model, request by request. */
class Play {
  readonly #model: DailyModel
  readonly #desk: DailyDesk
  readonly #scribe: Scribe
  readonly #tally: DailyTally
  #lastUs = 0n

  constructor({ realm }: Sequence, tally: DailyTally) {
    this.#model = new DailyModel(realm)
    this.#desk = new DailyDesk(realm)
    this.#scribe = new Scribe(this.#model)
    this.#tally = tally
  }

  batch({ steps, between }: Batch): void {
    const { nowUs } = this.#model
    const items = steps.flatMap((step) => this.#scribe.write(step))
    const posted = frozen(items.map(postedOf))
    const state = this.#desk.read(posted, nowUs)
    const decision = decide(state, posted)
    const given = decision.outcomes.map(answersOf)
    assert.deepEqual(
      given,
      items.map(({ answers }) => answers),
    )
    checkTries(items, given)
    this.#checkRows(state, decision)
    this.#checkTime(state, decision)
    this.#desk.keep(decision)
    this.#checkTables()
    for (const item of items) this.#tally.add(item)
    this.#pass(between)
  }

  #pass({ elapsedUs, nextDay, newDefault, turned }: Between): void {
    this.#model.nowUs += elapsedUs
    for (const side of [this.#model, this.#desk]) {
      if (nextDay) side.letADayPass()
      if (newDefault !== undefined) side.changeDefault(newDefault)
      if (turned !== undefined && !side.frozen.delete(turned)) side.frozen.add(turned)
    }
  }

  #checkTables(): void {
    const lines = this.#model.journal.map(({ idempotencyKey: key, ...line }) => {
      return { ...line, idempotencyKey: key === undefined ? undefined : requestOf(key) }
    })
    assert.deepEqual(
      this.#desk.journal.map((entry) => this.#desk.lineOf(entry)),
      lines,
    )
    assert.deepEqual(this.#desk.named(), this.#model.balances)
    assert.deepEqual(new Set(this.#desk.accounts.keys()), this.#model.members)
    const holds = Array.from(this.#desk.holds, ([seq, { account, id, point: number, ...held }]) => {
      assert.equal(id, this.#desk.memberOf(account))
      return { seq, member: id, point: kinds[kinds.length - number]?.id, ...held }
    })
    assert.deepEqual(holds, [...this.#model.holds.values()])
  }

  /** The rows to be written: each once, inserted only if missing, with the entry that wrote them. */
  #checkRows(state: RealmState, { balances, members, entries, nextAccount }: Decision): void {
    const keys = balances.map(({ account, point }) => `${account}:${point}`)
    assert.equal(new Set(keys).size, keys.length)
    for (const { account, point, balance, seq, replaces } of balances) {
      assert.equal(replaces, this.#desk.balances.get(`${account}:${point}`)?.seq ?? null)
      const last = entries.findLast(
        (entry) => entry.point.number === point && (entry.from === account || entry.to === account),
      )
      assert.equal(seq, last?.seq)
      assert.equal(balance, last?.from === account ? last.fromBalance : last?.toBalance)
    }
    const numbers = members.map(({ account }) => account)
    assert.deepEqual(
      numbers,
      members.map((_, index) => state.nextAccount + index),
    )
    assert.equal(nextAccount, state.nextAccount + members.length)
  }

  #checkTime(state: RealmState, { entries, atUs }: Decision): void {
    assert.equal(atUs, entries.length > 0 ? entries[0]?.atUs : state.atUs)
    assert.ok(atUs >= this.#lastUs, 'time went back')
    this.#lastUs = atUs
  }

  /** Invariants that hold independently of the model. */
  checkSums(): void {
    const { journal, holds, balances } = this.#desk
    const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
    for (const [key, { balance }] of balances) {
      assert.ok(balance >= 0n, `${key} is below 0`)
      const [account = 0, point = 0] = key.split(':').map(Number)
      if (account > 0) continue
      const open = [...holds.values()].filter((held) => held.endedBy === null && held.account === -account)
      assert.equal(balance, total(open.filter((held) => held.point === point).map(({ amount }) => amount)))
    }
    for (const { id } of kinds) {
      const moved = journal.filter(({ point }) => point.id === id)
      const issued = moved.filter(({ from }) => from === 0).map(({ amount }) => amount)
      const spent = moved.filter(({ to }) => to === 0).map(({ amount }) => amount)
      const own = [...this.#desk.named()].filter(([name]) => name.startsWith(`${id} `))
      assert.equal(total(issued) - total(spent), total(own.map(([, balance]) => balance)))
    }
    checkOnce(journal)
  }
}

/** An entry is reversed at most once, and a hold ends at most once: fully, or by a capture and its rest. */
function checkOnce(journal: DailyDesk['journal']): void {
  const undone = journal.filter(({ kind }) => kind === 'reversal').map(({ link }) => link)
  assert.equal(new Set(undone).size, undone.length)
  const holds = journal.filter(({ kind }) => kind === 'hold')
  for (const { seq, amount } of holds) {
    const ends = journal.filter((entry) => entry.link === seq && entry.kind !== 'reversal')
    const given = ends.reduce((sum, entry) => sum + entry.amount, 0n)
    assert.ok(ends.length === 0 || given === amount, `hold ${seq} gave ${given} of ${amount}`)
  }
}

function postedOf({ requests, rehearsal }: Item): PostedCommand {
  const commands = requests.map((request) => commandOf(1, request))
  const [first] = commands
  if (!first) throw new Error('an item has a request')
  if (!rehearsal) return first
  const { realm, key, requestId } = first
  const common = { realm, key, requestId, retry: undefined, details: undefined, dry: true }
  return { kind: 'rehearsal', ...common, commands }
}

const answersOf = (outcome: Outcome | RehearsalOutcome) =>
  (outcome.kind === 'rehearsed' ? outcome.outcomes : [outcome]).map(answerOf)

it(`decide agrees with the rules of daily work on ${runs} sequences, however they are split`, () => {
  const tally = new DailyTally()
  fc.assert(
    fc.property(dailySequences(1, 40), (sequence) => {
      const play = new Play(sequence, tally)
      for (const batch of sequence.batches) play.batch(batch)
      play.checkSums()
    }),
    { numRuns: runs, unbiased: true },
  )
  assert.deepEqual(tally.missing(true), [], 'outcomes that no sequence reached')
})
