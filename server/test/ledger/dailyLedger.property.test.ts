import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import type { Queryable } from '../../src/db/session.ts'
import { type Command, claim, type Holder, type Outcome, requestOf } from '../../src/ledger/index.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { Configs } from '../../src/realms/index.ts'
import { type Books, openBooks } from './books.ts'
import { answerOf, checkTries, commandOf, DailyTally } from './dailyCommands.ts'
import { DailyModel } from './dailyModel.ts'
import { type Answer, statuses } from './dailyRequests.ts'
import {
  type Batch,
  type Between,
  dailySequences,
  type Item,
  kinds,
  Scribe,
  type Sequence,
} from './dailySteps.ts'
import { DailyTables, type HoldRow } from './dailyTables.ts'

const runs = 60
/** Batches that one process posts before the other's turn, so that it decides from memory. */
const turnLength = 4
const longUs = 86_400_000_000n

let database: TestDatabase
let tables: DailyTables
/** As two processes would have them. */
let both: readonly [Books, Books]
before(async () => {
  database = await freshDatabase()
  tables = new DailyTables(database.superuserUrl)
  await tables.open()
  both = [openBooks(database.serverUrl), openBooks(database.serverUrl)]
})
after(async () => {
  for (const books of both ?? []) await books.close()
  await tables?.close()
  await database?.drop()
})

let claims = 0

const everyHolder = {
  name: 'test_every_holder',
  text: `select m.account, m.id::text, b.balance, b.seq, m.frozen_at is not null as frozen
    from members m join balances b on b.realm = m.realm and b.account = m.account
    join points p on p.realm = m.realm and p.number = b.point
    where m.realm = $1 and p.id = $2 order by m.account`,
}

/** A realm of the run: its requests, and the model's outcomes. */
class Play {
  readonly #realm: number
  readonly #model: DailyModel
  readonly #scribe: Scribe
  readonly #bodies = new Map<string, string>()

  constructor({ realm: made }: Sequence, realm: number) {
    this.#realm = realm
    this.#model = new DailyModel(made)
    this.#scribe = new Scribe(this.#model)
  }

  async batch({ steps, between }: Batch, books: Books, tally: DailyTally): Promise<void> {
    const { nowUs } = this.#model
    const open = [...this.#model.holds.values()].filter(({ endedBy }) => endedBy === null)
    const due = open.filter(({ expiresUs }) => expiresUs <= nowUs).map(({ seq }) => seq)
    await tables.setDue(this.#realm, due)
    const items = steps.flatMap((step) => this.#scribe.write(step))
    const outcomes = await Promise.all(items.map((item) => this.#send(books, item)))
    const given = outcomes.map((some) => some.map((one) => untimed(answerOf(one))))
    assert.deepEqual(
      given,
      items.map(({ answers }) => answers.map(untimed)),
    )
    checkTries(items, given)
    for (const some of outcomes) for (const one of some) this.#checkBody(one)
    for (const item of items) tally.add(item)
    await this.#checkTables()
    await this.#pass(between, books)
  }

  async #send({ ledger }: Books, { requests, rehearsal }: Item): Promise<readonly Outcome[]> {
    const [first, ...rest] = requests.map((request) => lasting(commandOf(this.#realm, request)))
    if (!first) throw new Error('an item has a request')
    return rehearsal ? ledger.rehearse([first, ...rest]) : [await ledger.post(first)]
  }

  /** A remembered rejection is replayed with its status. */
  #checkBody(outcome: Outcome): void {
    if (outcome.kind !== 'recalled') return
    const { code, requestId } = JSON.parse(outcome.body) as { code: keyof typeof statuses; requestId: string }
    assert.equal(outcome.status, statuses[code])
    assert.equal(outcome.body, this.#bodies.get(requestId) ?? outcome.body)
    this.#bodies.set(requestId, outcome.body)
  }

  async #pass({ elapsedUs, nextDay, newDefault, turned, claimed }: Between, books: Books): Promise<void> {
    this.#model.nowUs += elapsedUs
    if (nextDay) {
      await tables.forgetRefusals(this.#realm)
      this.#model.letADayPass()
    }
    if (newDefault !== undefined) {
      await both[0].changeDefault(this.#realm, newDefault)
      this.#model.changeDefault(newDefault)
    }
    if (turned !== undefined) {
      await tables.turn(this.#realm, turned)
      if (!this.#model.frozen.delete(turned)) this.#model.frozen.add(turned)
    }
    if (claimed !== undefined) await this.#claim(claimed, books)
  }

  /** A process with the realm in memory detects by itself that its points are gone. */
  async #claim(point: string, { db }: Books): Promise<void> {
    const realm = this.#realm
    const before = this.#model.journal.length
    this.#model.claim(point)
    const said = { realm, key: 0, requestId: 'claim', point, details: undefined }
    const holders = async (tx: Queryable) => (await tx.query<Holder>(everyHolder, [realm, point])).rows
    const made = await claim({ ...said, holders, keep: async () => {} }, { db, configs: new Configs() })
    const lines = this.#model.journal.slice(before)
    assert.deepEqual([made?.firstSeq, made?.seq], [lines[0]?.seq, lines.at(-1)?.seq])
    assert.equal(made?.amounts.size ?? 0, lines.length)
    claims += lines.length
    await this.#checkTables()
  }

  async #checkTables(): Promise<void> {
    const { balances, journal, members, holds, refusals } = await tables.read(this.#realm)
    const key = (named: string | undefined) => (named === undefined ? null : requestOf(named))
    const lines = this.#model.journal.map(({ idempotencyKey, reason = null, ...line }) => {
      return { ...line, atUs: 0n, reason, request: key(idempotencyKey) }
    })
    assert.deepEqual(
      journal.map((row) => ({ ...row, atUs: 0n })),
      lines,
    )
    assert.deepEqual(balances, this.#model.balances)
    assert.deepEqual(members, this.#model.members)
    const expected = [...this.#model.holds.values()].map((hold) => ({ ...hold, expiresUs: 0n }))
    assert.deepEqual(
      holds.map((hold) => ({ ...hold, expiresUs: 0n })),
      expected,
    )
    assert.deepEqual(refusals, new Set(this.#model.refusedKeys.map(key)))
    for (const [name, balance] of balances) {
      assert.ok(balance >= 0n, `${name} is below 0`)
      const [point, what, member] = name.split(' ')
      if (what !== 'held') continue
      const own: readonly HoldRow[] = holds.filter(
        (hold) => hold.member === member && hold.point === point && !hold.endedBy,
      )
      assert.equal(balance, total(own))
    }
  }

  async verify(): Promise<void> {
    const verdict = await verify(both[0].db, { realm: this.#realm })
    const said = JSON.stringify(verdict, (_, value) => (typeof value === 'bigint' ? String(value) : value))
    assert.ok(verdict.ok, said)
    assert.equal(verdict.seq, BigInt(this.#model.journal.length))
  }
}

const total = (some: readonly { readonly amount: bigint }[]): bigint =>
  some.reduce((sum, { amount }) => sum + amount, 0n)

/** The time of an entry is PostgreSQL's. */
function untimed(answer: Answer): Answer {
  if (answer.code !== 'done') return answer
  return { ...answer, receipts: answer.receipts.map((receipt) => ({ ...receipt, atUs: 0n })) }
}

/** Longer than the test, which itself decides when a hold expires. */
const lasting = (command: Command): Command =>
  command.kind === 'hold' ? { ...command, forUs: command.forUs + longUs } : command

async function play(sequence: Sequence, tally: DailyTally): Promise<void> {
  const { open, members } = sequence.realm
  const realm = await both[0].make({ open, members, points: kinds.map(({ id }) => id) })
  await tables.setRules(realm, kinds)
  const one = new Play(sequence, realm)
  const [first, second] = both
  for (const [index, batch] of sequence.batches.entries()) {
    const isSecond = Math.floor(index / turnLength) % 2 === 1
    await one.batch(batch, isSecond ? second : first, tally)
  }
  await one.verify()
}

it(`${runs} sequences of daily work, posted by two processes in turn, leave the same ledger`, async () => {
  const tally = new DailyTally()
  await fc.assert(
    fc.asyncProperty(dailySequences(20, 70), (sequence) => play(sequence, tally)),
    { numRuns: runs, unbiased: true, endOnFailure: true },
  )
  for (const { faults, trips } of both) {
    assert.deepEqual(faults, [])
    const ahead = trips.filter((trip) => trip.includes('ledger_begin') && trip.includes('ledger_move_heads'))
    assert.ok(ahead.length > runs / 10, `only ${ahead.length} batches were decided from memory`)
  }
  assert.deepEqual(tally.missing(false), [], 'outcomes that no sequence reached')
  assert.ok(claims > runs / 4, `only ${claims} entries were claims`)
})
