import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import type { Command } from '../../src/ledger/rules/command.ts'
import { decide } from '../../src/ledger/rules/decide.ts'
import type { Decision, Entry, RealmState } from '../../src/ledger/rules/state.ts'
import { answerOf, commandOf, Desk, frozen } from './desk.ts'
import { type Line, Model } from './model.ts'
import { type Batch, points, type Sequence, sequences, Tally } from './sequences.ts'

const runs = 10_000

/** Runs a sequence through decide, batch by batch, and through the model, request by request. */
class Play {
  readonly #model: Model
  readonly #desk: Desk
  readonly #lines: Line[] = []
  readonly #tally: Tally
  #nowUs = 1_000_000_000n
  #lastUs = 0n

  constructor({ realm }: Sequence, tally: Tally) {
    this.#model = new Model(realm)
    this.#desk = new Desk(realm)
    this.#tally = tally
  }

  batch({ requests, elapsedUs, nextDay, newDefault }: Batch): void {
    const commands = frozen(requests.map(commandOf))
    const state = this.#desk.read(commands, this.#nowUs)
    const decision = decide(state, commands)
    const answers = requests.map((request) => this.#model.post(request))
    assert.deepEqual(decision.outcomes.map(answerOf), answers)
    checkOrigins(commands, decision)
    this.#checkRows(state, decision)
    this.#checkTime(state, decision)
    this.#desk.keep(decision)
    this.#read(decision)
    assert.deepEqual(this.#lines, this.#model.journal)
    assert.deepEqual(this.#desk.named(), this.#model.balances)
    assert.deepEqual(new Set(this.#desk.accounts.keys()), this.#model.members)
    for (const answer of answers) this.#tally.add(answer)
    this.#nowUs += elapsedUs
    for (const side of [this.#model, this.#desk]) {
      if (nextDay) side.letADayPass()
      if (newDefault !== undefined) side.changeDefault(newDefault)
    }
  }

  /** The rows to be written: each once, inserted only if missing, with the entry that wrote them. */
  #checkRows(state: RealmState, { balances, members, entries, nextAccount }: Decision): void {
    const keys = balances.map(({ account, point }) => `${account}:${point}`)
    assert.equal(new Set(keys).size, keys.length)
    for (const { account, point, balance, seq, replaces } of balances) {
      const key = `${account}:${point}`
      assert.equal(replaces, this.#desk.seqs.get(key) ?? null)
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
    let due = state.atUs
    if (state.nowUs > due) due = state.nowUs
    for (const entry of entries) assert.equal(entry.atUs, due)
    assert.equal(atUs, entries.length > 0 ? due : state.atUs)
    assert.ok(atUs >= this.#lastUs, 'time went back')
    this.#lastUs = atUs
  }

  /** The entries with members and points by their public ids. */
  #read({ entries }: Decision): void {
    for (const { seq, kind, from, to, point, amount } of entries) {
      const [giver, receiver] = [this.#desk.memberOf(from), this.#desk.memberOf(to)]
      assert.ok(kind === 'adjust' || kind === 'transfer')
      this.#lines.push({ seq, kind, giver, receiver, point: point.id, amount })
    }
  }

  /** Issued less spent equals the sum of balances, for each point type. */
  checkSums(): void {
    for (const point of points) {
      const lines = this.#lines.filter((line) => line.point === point)
      const sum = (some: readonly Line[]) => some.reduce((total, line) => total + line.amount, 0n)
      const issued = sum(lines.filter((line) => line.giver === null))
      const spent = sum(lines.filter((line) => line.receiver === null))
      const held = [...this.#desk.named()].filter(([name]) => name.startsWith(`${point} `))
      assert.equal(
        issued - spent,
        held.reduce((total, [, balance]) => total + balance, 0n),
      )
    }
  }
}

/** An entry carries the key, the Idempotency-Key and the details of its command. */
function checkOrigins(commands: readonly Command[], { outcomes, entries }: Decision): void {
  const made = commands.filter((_, index) => {
    const outcome = outcomes[index]
    return outcome?.kind === 'done' && !outcome.replayed
  })
  const parts = ({ key, kind, retry, details }: Command | Entry) => ({ key, kind, retry, details })
  assert.deepEqual(entries.map(parts), made.map(parts))
}

it(`decide agrees with the contract on ${runs} sequences, however they are split into batches`, () => {
  const tally = new Tally()
  fc.assert(
    fc.property(sequences(40), (sequence) => {
      const play = new Play(sequence, tally)
      for (const batch of sequence.batches) play.batch(batch)
      play.checkSums()
    }),
    { numRuns: runs },
  )
  assert.deepEqual(tally.missing(), [], 'outcomes that no sequence reached')
})
