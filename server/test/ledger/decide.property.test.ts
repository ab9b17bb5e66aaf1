import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { requestOf } from '../../src/ledger/index.ts'
import type { Command, Outcome, PostedCommand, RehearsalOutcome } from '../../src/ledger/rules/command.ts'
import { decide } from '../../src/ledger/rules/decide.ts'
import type { Decision, Entry, RealmState } from '../../src/ledger/rules/state.ts'
import {
  type Batch,
  type Between,
  type Item,
  pointTypes,
  RequestWriter,
  type Sequence,
  sequences,
} from './commandGenerator.ts'
import { answerOf, checkAnswers, commandOf, ReachedOutcomes } from './commands.ts'
import { frozen, MemoryTables } from './memoryTables.ts'
import { LedgerModel } from './model.ts'

const runs = 15_000

/** Runs a sequence through decide, batch by batch, and through the model, request by request. */
class SequenceRun {
  readonly #model: LedgerModel
  readonly #tables: MemoryTables
  readonly #writer: RequestWriter
  readonly #reached: ReachedOutcomes
  #lastUs = 0n

  constructor({ realm }: Sequence, reached: ReachedOutcomes) {
    this.#model = new LedgerModel(realm)
    this.#tables = new MemoryTables(realm)
    this.#writer = new RequestWriter(this.#model)
    this.#reached = reached
  }

  batch({ steps, between }: Batch): void {
    const { nowUs } = this.#model
    const items = steps.flatMap((step) => this.#writer.write(step))
    const posted = frozen(items.map(postedOf))
    const state = this.#tables.read(posted, nowUs)
    const decision = decide(state, posted)
    checkAnswers(items, decision.outcomes.map(answersOf))
    checkOrigins(posted, decision)
    this.#checkRows(state, decision)
    this.#checkTime(state, decision)
    const known = this.#tables.journal.length
    this.#tables.write(decision)
    this.#checkTables(known)
    for (const item of items) this.#reached.add(item)
    this.#pass(between)
  }

  #pass({ elapsedUs, nextDay, newDefault, toggled }: Between): void {
    this.#model.nowUs += elapsedUs
    for (const side of [this.#model, this.#tables]) {
      if (nextDay) side.forgetRefusals()
      if (newDefault !== undefined) side.changeDefault(newDefault)
      if (toggled !== undefined && !side.frozen.delete(toggled)) side.frozen.add(toggled)
    }
  }

  #checkTables(known: number): void {
    this.#checkJournal(known)
    assert.deepEqual(this.#tables.namedBalances(), this.#model.balances)
    assert.deepEqual(new Set(this.#tables.accounts.keys()), this.#model.members)
    const holds = Array.from(this.#tables.holds, ([seq, { account, id, point: number, ...held }]) => {
      assert.equal(id, this.#tables.memberOf(account))
      return { seq, member: id, point: pointTypes[pointTypes.length - number]?.id, ...held }
    })
    assert.deepEqual(holds, [...this.#model.holds.values()])
  }

  #checkJournal(from: number): void {
    const lines = this.#model.journal.slice(from).map(({ idempotencyKey: key, ...line }) => {
      return { ...line, idempotencyKey: key === undefined ? undefined : requestOf(key) }
    })
    assert.deepEqual(
      this.#tables.journal.slice(from).map((entry) => this.#tables.lineOf(entry)),
      lines,
    )
  }

  /** The rows to be written: each once, inserted only if missing, with the entry that wrote them. */
  #checkRows(state: RealmState, { balances, members, entries, nextAccount }: Decision): void {
    const keys = balances.map(({ account, point }) => `${account}:${point}`)
    assert.equal(new Set(keys).size, keys.length)
    for (const { account, point, balance, seq, replaces } of balances) {
      assert.equal(replaces, this.#tables.balances.get(`${account}:${point}`)?.seq ?? null)
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
  checkEnd(): void {
    this.#checkJournal(0)
    const { journal, holds, balances } = this.#tables
    for (const [key, { balance }] of balances) {
      assert.ok(balance >= 0n, `${key} is below 0`)
      const [account = 0, point = 0] = key.split(':').map(Number)
      if (account > 0) continue
      const open = [...holds.values()].filter((held) => held.endedBy === null && held.account === -account)
      assert.equal(balance, total(open.filter((held) => held.point === point)))
    }
    for (const { id } of pointTypes) {
      const moved = journal.filter(({ point }) => point.id === id)
      const [issued, spent] = [moved.filter(({ from }) => from === 0), moved.filter(({ to }) => to === 0)]
      const own = [...this.#tables.namedBalances()].filter(([name]) => name.startsWith(`${id} `))
      assert.equal(total(issued) - total(spent), total(own.map(([, amount]) => ({ amount }))))
    }
    checkOnce(journal)
  }
}

const total = (some: readonly { readonly amount: bigint }[]): bigint =>
  some.reduce((sum, { amount }) => sum + amount, 0n)

/** An entry is reversed at most once, and a hold ends at most once: fully, or by a capture and its rest. */
function checkOnce(journal: readonly Entry[]): void {
  const reversed = journal.filter(({ kind }) => kind === 'reversal').map(({ link }) => link)
  assert.equal(new Set(reversed).size, reversed.length)
  for (const { seq, amount } of journal.filter(({ kind }) => kind === 'hold')) {
    const ends = journal.filter((entry) => entry.link === seq && entry.kind !== 'reversal')
    assert.ok(ends.length === 0 || total(ends) === amount, `hold ${seq} gave ${total(ends)} of ${amount}`)
  }
}

/** Entries have the API key of their command, and the first of them its Idempotency-Key and details. */
function checkOrigins(posted: readonly PostedCommand[], { outcomes, entries }: Decision): void {
  const expected = posted.flatMap(({ key, retry, details, dry }, index) => {
    const outcome = outcomes[index]
    if (outcome?.kind !== 'done' || outcome.replayed || dry) return []
    const origin = (_: unknown, place: number) =>
      place === 0 ? { key, retry, details } : { key, retry: undefined, details: undefined }
    return outcome.receipts.map(origin)
  })
  assert.deepEqual(
    entries.map(({ key, retry, details }) => ({ key, retry, details })),
    expected,
  )
}

/** Each with another API key. */
function postedOf({ requests, rehearsal }: Item, index: number): PostedCommand {
  const commands = requests.map((request): Command => ({ ...commandOf(1, request), key: index + 1 }))
  const [first] = commands
  if (!first) throw new Error('an item has a request')
  if (!rehearsal) return first
  const { realm, key, requestId } = first
  const common = { realm, key, requestId, retry: undefined, details: undefined, dry: true }
  return { kind: 'rehearsal', ...common, commands }
}

const answersOf = (outcome: Outcome | RehearsalOutcome) =>
  (outcome.kind === 'rehearsed' ? outcome.outcomes : [outcome]).map(answerOf)

it(`decide agrees with the model on ${runs} sequences, however they are split into batches`, () => {
  const reached = new ReachedOutcomes()
  fc.assert(
    fc.property(sequences({ minLength: 1, maxLength: 40 }), (sequence) => {
      const run = new SequenceRun(sequence, reached)
      for (const batch of sequence.batches) run.batch(batch)
      run.checkEnd()
    }),
    { numRuns: runs, unbiased: true },
  )
  assert.deepEqual(reached.missingThoroughly(), [], 'outcomes that no sequence reached')
})
