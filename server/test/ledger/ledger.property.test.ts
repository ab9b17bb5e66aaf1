import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { problem } from '../../src/http/problem.ts'
import type { Outcome } from '../../src/ledger/index.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { type Books, commandOf, openBooks } from './books.ts'
import { answerOf } from './desk.ts'
import { type Answer, type Line, Model, statuses } from './model.ts'
import { type Sequence, sequences, Tally } from './sequences.ts'

const runs = 100
const realmsPerRun = 3

let database: TestDatabase
let books: Books
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl, 2)
})
after(async () => {
  await books?.close()
  await database?.drop()
})

const statements = {
  expire: {
    name: 'test_expire',
    text: `update refusals set until = now() - interval '1 second' where realm = $1`,
  },
  balances: {
    name: 'test_balances',
    text: `select p.id || ' ' || m.id as name, b.balance from balances b
      left join members m on m.realm = b.realm and m.account = b.account
      left join points p on p.realm = b.realm and p.number = b.point where b.realm = $1`,
  },
  members: { name: 'test_members', text: 'select id::text from members where realm = $1' },
  journal: {
    name: 'test_journal',
    text: `select j.seq, case j.kind when 1 then 'adjust' when 2 then 'transfer' end as kind,
        g.id::text as giver, r.id::text as receiver, p.id as point, j.amount
      from bound_journal j left join points p on p.realm = j.realm and p.number = j.point
      left join members g on g.realm = j.realm and g.account = j.from_account
      left join members r on r.realm = j.realm and r.account = j.to_account
      where j.realm = $1 order by j.seq`,
  },
} as const

/** Entries of one batch have one time, whatever their realm. */
const sharedBatches = 'select at_us from journal group by at_us having count(distinct realm) > 1'

type Answered = { readonly outcome: Outcome; readonly answer: Answer }

/** A realm of the run: its requests, and the model's outcomes. */
class Play {
  readonly #sequence: Sequence
  readonly #realm: number
  readonly #model: Model
  readonly #answers: Promise<Answered>[] = []

  constructor(sequence: Sequence, realm: number) {
    this.#sequence = sequence
    this.#realm = realm
    this.#model = new Model(sequence.realm)
  }

  post(batch: number): void {
    for (const request of this.#sequence.batches[batch]?.requests ?? []) {
      const answer = this.#model.post(request)
      const outcome = books.ledger.post(commandOf(this.#realm, request))
      this.#answers.push(outcome.then((given) => ({ outcome: given, answer })))
    }
  }

  async pass(batch: number): Promise<void> {
    const { nextDay = false, newDefault } = this.#sequence.batches[batch] ?? {}
    if (!nextDay && newDefault === undefined) return
    await Promise.all(this.#answers)
    if (nextDay) {
      await books.db.within([this.#realm]).query(statements.expire, [this.#realm])
      this.#model.letADayPass()
    }
    if (newDefault === undefined) return
    await books.changeDefault(this.#realm, newDefault)
    this.#model.changeDefault(newDefault)
  }

  async check(tally: Tally): Promise<void> {
    const answered = await Promise.all(this.#answers)
    assert.deepEqual(
      answered.map(({ outcome }) => answerOf(outcome)),
      answered.map(({ answer }) => answer),
    )
    for (const { answer } of answered) tally.add(answer)
    checkBodies(answered.map(({ outcome }) => outcome))
    await this.#checkTables()
    const verdict = await verify(books.db, { realm: this.#realm })
    assert.ok(
      verdict.ok,
      JSON.stringify(verdict, (_, value) => String(value)),
    )
    assert.equal(verdict.seq, BigInt(this.#model.journal.length))
  }

  async #checkTables(): Promise<void> {
    const asked = [this.#realm]
    const db = books.db.within(asked)
    const balances = await db.query<{ name: string; balance: bigint }>(statements.balances, asked)
    assert.deepEqual(new Map(balances.rows.map((row) => [row.name, row.balance])), this.#model.balances)
    const journal = await db.query<Line>(statements.journal, asked)
    assert.deepEqual(
      journal.rows.map((row) => ({ ...row })),
      this.#model.journal,
    )
    const members = await db.query<{ id: string }>(statements.members, asked)
    assert.deepEqual(new Set(members.rows.map((row) => row.id)), this.#model.members)
  }
}

/** A remembered rejection is replayed with its status, byte for byte. */
function checkBodies(outcomes: readonly Outcome[]): void {
  const first = new Map<string, string>()
  for (const outcome of outcomes) {
    if (outcome.kind === 'refused' && !outcome.replayed) {
      const { requestId, refusal } = outcome
      first.set(requestId, problem(refusal, requestId).body)
    }
    if (outcome.kind !== 'recalled') continue
    const { code, requestId } = JSON.parse(outcome.body) as { code: keyof typeof statuses; requestId: string }
    assert.equal(outcome.body, first.get(requestId))
    assert.equal(outcome.status, statuses[code])
  }
}

/** Posts batch after batch of all realms without waiting, so that lanes split them differently. */
async function play(all: readonly Sequence[], tally: Tally): Promise<void> {
  const realms = await Promise.all(all.map(({ realm }) => books.make(realm)))
  const plays = all.map((sequence, index) => new Play(sequence, realms[index] ?? 0))
  const longest = Math.max(...all.map(({ batches }) => batches.length))
  for (let batch = 0; batch < longest; batch += 1) {
    for (const one of plays) one.post(batch)
    await turn()
    await Promise.all(plays.map((one) => one.pass(batch)))
  }
  await Promise.all(plays.map((one) => one.check(tally)))
}

const count = runs * realmsPerRun

it(`${count} sequences on ${realmsPerRun} realms at once leave the contract’s balances`, async () => {
  const tally = new Tally()
  const some = fc.array(sequences(40), { minLength: realmsPerRun, maxLength: realmsPerRun })
  await fc.assert(
    fc.asyncProperty(some, (all) => play(all, tally)),
    { numRuns: runs },
  )
  assert.deepEqual(books.faults, [])
  assert.deepEqual(tally.missing(), [], 'outcomes that no sequence reached')
  const shared = await rowsOf(database.superuserUrl, sharedBatches)
  assert.ok(shared.length > runs / 4, `only ${shared.length} batches contained several realms`)
})
