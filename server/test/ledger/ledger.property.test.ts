import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import type { Queryable } from '../../src/db/session.ts'
import { problem } from '../../src/http/problem.ts'
import { type Command, claim, type Holder, type Outcome, requestOf } from '../../src/ledger/index.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { Configs } from '../../src/realms/index.ts'
import { type Books, openBooks } from './books.ts'
import { type Between, type Item, RequestWriter, type Sequence, sequences } from './commandGenerator.ts'
import { answerOf, checkAnswers, commandOf, ReachedOutcomes } from './commands.ts'
import { LedgerModel } from './model.ts'
import { type Answer, type Rule, statuses } from './requests.ts'
import { StoredTables } from './storedTables.ts'
import type { Trip } from './watched.ts'

const simpleRuns = 100
const runs = 25
const realmsPerRun = 3
/** Batches that one process posts before the other's turn, so that it decides from memory. */
const turnLength = 4
const longUs = 86_400_000_000n

let database: TestDatabase
let tables: StoredTables
/** As two processes would have them. */
let both: readonly [Books, Books]
before(async () => {
  database = await freshDatabase()
  tables = new StoredTables(database.superuserUrl)
  await tables.open()
  both = [openBooks(database.serverUrl, 2), openBooks(database.serverUrl, 2)]
})
after(async () => {
  for (const books of both ?? []) await books.close()
  await tables?.close()
  await database?.drop()
})

let reached = new ReachedOutcomes()
let claims = 0

const everyHolder = {
  name: 'test_every_holder',
  text: `select m.account, m.id::text, b.balance, b.seq, m.frozen_at is not null as frozen
    from members m join balances b on b.realm = m.realm and b.account = m.account
    join points p on p.realm = m.realm and p.number = b.point
    where m.realm = $1 and p.id = $2 order by m.account`,
}

/** Entries of one batch have one time, whatever their realm. */
const sharedBatches = 'select at_us from journal group by at_us having count(distinct realm) > 1'

type Result = { readonly item: Item; readonly outcomes: readonly Outcome[] }

/** A realm of the run: its requests, and the model's outcomes. */
class RealmRun {
  readonly #sequence: Sequence
  readonly #realm: number
  readonly #model: LedgerModel
  readonly #writer: RequestWriter
  #sent: Promise<Result>[] = []
  /** Open holds that the tables show as expired. */
  #due = new Set<bigint>()
  /** Whether the tables were changed behind the process, since its last outcome. */
  #isOutdated = false
  /** Of each rejection, by its request. */
  readonly #bodies = new Map<string, string>()

  constructor(sequence: Sequence, realm: number) {
    this.#sequence = sequence
    this.#realm = realm
    this.#model = new LedgerModel(sequence.realm)
    this.#writer = new RequestWriter(this.#model)
  }

  get isOutdated(): boolean {
    return this.#isOutdated
  }

  /** Sends a batch, and does not wait for its outcomes. */
  post(batch: number, { ledger }: Books): void {
    const { steps = [] } = this.#sequence.batches[batch] ?? {}
    for (const item of steps.flatMap((step) => this.#writer.write(step))) {
      const { requests, rehearsal } = item
      const [first, ...rest] = requests.map((request) => lasting(commandOf(this.#realm, request)))
      if (!first) throw new Error('an item has a request')
      const outcomes = rehearsal ? ledger.rehearse([first, ...rest]) : ledger.post(first).then((one) => [one])
      this.#sent.push(outcomes.then((given) => ({ item, outcomes: given })))
    }
  }

  /** Waits for all outcomes, and compares them and the tables with the model. */
  async settle(): Promise<void> {
    if (this.#sent.length === 0) return
    const results = await Promise.all(this.#sent)
    this.#sent = []
    this.#isOutdated = false
    const items = results.map(({ item }) => ({ ...item, answers: item.answers.map(untimed) }))
    checkAnswers(
      items,
      results.map(({ outcomes }) => outcomes.map((outcome) => untimed(answerOf(outcome)))),
    )
    for (const item of items) reached.add(item)
    for (const result of results) this.#checkBodies(result)
    await this.#checkTables()
  }

  /** A remembered rejection is replayed with its status, byte for byte. */
  #checkBodies({ item, outcomes }: Result): void {
    const isReal = !item.rehearsal && !item.requests[0]?.dry
    for (const outcome of outcomes) {
      if (isReal && outcome.kind === 'refused' && !outcome.replayed) {
        const { requestId, refusal } = outcome
        this.#bodies.set(requestId, problem(refusal, requestId).body)
      }
      if (outcome.kind !== 'recalled') continue
      const { code, requestId } = JSON.parse(outcome.body) as { code: Rule; requestId: string }
      assert.equal(outcome.body, this.#bodies.get(requestId))
      assert.equal(outcome.status, statuses[code])
    }
  }

  /** Waits only if the tables have to change, so that lanes split the requests in other ways too. */
  async pass(batch: number, books: Books): Promise<void> {
    const { between } = this.#sequence.batches[batch] ?? {}
    if (!between) return
    const { elapsedUs, nextDay, newDefault, toggled, claimed } = between
    this.#model.nowUs += elapsedUs
    const { nowUs, openHolds } = this.#model
    const isDueNow = openHolds.some(({ seq, expiresUs }) => expiresUs <= nowUs !== this.#due.has(seq))
    if (!isDueNow && !nextDay && newDefault === undefined && toggled === undefined && claimed === undefined)
      return
    await this.settle()
    this.#isOutdated = true
    await this.#change(between, books)
    this.#due = new Set(openHolds.filter(({ expiresUs }) => expiresUs <= nowUs).map(({ seq }) => seq))
    await tables.setDue(this.#realm, [...this.#due])
  }

  async #change({ nextDay, newDefault, toggled, claimed }: Between, books: Books): Promise<void> {
    if (nextDay) {
      await tables.forgetRefusals(this.#realm)
      this.#model.forgetRefusals()
    }
    if (newDefault !== undefined) {
      await both[0].changeDefault(this.#realm, newDefault)
      this.#model.changeDefault(newDefault)
    }
    if (toggled !== undefined) {
      await tables.toggle(this.#realm, toggled)
      if (!this.#model.frozen.delete(toggled)) this.#model.frozen.add(toggled)
    }
    if (claimed !== undefined) await this.#claim(claimed, books)
  }

  /** A process with the realm in memory detects by itself that its points are gone. */
  async #claim(point: string, { db }: Books): Promise<void> {
    const realm = this.#realm
    const before = this.#model.journal.length
    this.#model.claim(point)
    const common = { realm, key: 0, requestId: 'claim', point, details: undefined }
    const holders = async (tx: Queryable) => (await tx.query<Holder>(everyHolder, [realm, point])).rows
    const tools = { db, configs: new Configs(), feed: false }
    const made = await claim({ ...common, holders, keep: async () => {} }, tools)
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
    assert.deepEqual(
      holds.map((hold) => ({ ...hold, expiresUs: 0n })),
      [...this.#model.holds.values()].map((hold) => ({ ...hold, expiresUs: 0n })),
    )
    assert.deepEqual(refusals, new Set(this.#model.refusedKeys.map(key)))
    for (const [name, balance] of balances) {
      assert.ok(balance >= 0n, `${name} is below 0`)
      const [point, what, member] = name.split(' ')
      if (what !== 'held') continue
      const own = holds.filter((hold) => hold.member === member && hold.point === point && !hold.endedBy)
      const amounts: readonly bigint[] = own.map(({ amount }) => amount)
      assert.equal(
        balance,
        amounts.reduce((sum, amount) => sum + amount, 0n),
      )
    }
  }

  async verify(): Promise<void> {
    const verdict = await verify(both[0].db, { realm: this.#realm })
    assert.ok(
      verdict.ok,
      JSON.stringify(verdict, (_, value) => String(value)),
    )
    assert.equal(verdict.seq, BigInt(this.#model.journal.length))
  }
}

/** The time of an entry is PostgreSQL's. */
function untimed(answer: Answer): Answer {
  if (answer.code !== 'done') return answer
  return { ...answer, receipts: answer.receipts.map((receipt) => ({ ...receipt, atUs: 0n })) }
}

/** Longer than the test, which itself decides when a hold expires. */
const lasting = (command: Command): Command =>
  command.kind === 'hold' ? { ...command, forUs: command.forUs + longUs } : command

async function open(sequence: Sequence): Promise<RealmRun> {
  const { open: isOpen, members, points } = sequence.realm
  const realm = await both[0].make({ open: isOpen, members, points: points.map(({ id }) => id) })
  await tables.setRules(realm, points)
  return new RealmRun(sequence, realm)
}

/** The processes post batches in turn, each to all realms. */
async function run(all: readonly Sequence[], processes: readonly Books[]): Promise<void> {
  const realms: RealmRun[] = []
  for (const sequence of all) realms.push(await open(sequence))
  const longest = Math.max(...all.map(({ batches }) => batches.length))
  for (let batch = 0; batch < longest; batch += 1) {
    const books = processes[Math.floor(batch / turnLength) % processes.length] ?? both[0]
    for (const one of realms) one.post(batch, books)
    await turn()
    // A batch whose realm was changed elsewhere may be decided after the next one, if that is sent meanwhile.
    for (const one of realms) if (processes.length > 1 || one.isOutdated) await one.settle()
    for (const one of realms) await one.pass(batch, books)
  }
  for (const one of realms) {
    await one.settle()
    await one.verify()
  }
}

async function runAll(
  sequence: fc.Arbitrary<Sequence>,
  runs: number,
  processes: readonly Books[],
): Promise<void> {
  reached = new ReachedOutcomes()
  const some = fc.array(sequence, { minLength: realmsPerRun, maxLength: realmsPerRun })
  await fc.assert(
    fc.asyncProperty(some, (all) => run(all, processes)),
    { numRuns: runs, unbiased: true, endOnFailure: true },
  )
  for (const { faults, trips } of processes) {
    assert.deepEqual(faults, [])
    const isOptimistic = (trip: Trip) => trip.includes('ledger_begin') && trip.includes('ledger_move_heads')
    const optimistic = trips.filter(isOptimistic)
    assert.ok(optimistic.length > runs / 4, `only ${optimistic.length} batches were decided from memory`)
  }
}

it(`simple sequences, ${realmsPerRun} at once, ${simpleRuns} times, leave the model’s ledger`, async () => {
  await runAll(sequences({ minLength: 20, maxLength: 60, simple: true }), simpleRuns, [both[0]])
  assert.deepEqual(reached.missingSimple(), [], 'outcomes that no sequence reached')
  const shared = await rowsOf(database.superuserUrl, sharedBatches)
  assert.ok(shared.length > simpleRuns / 4, `only ${shared.length} batches contained several realms`)
})

it(`${runs * realmsPerRun} sequences by two processes in turn leave the model’s ledger`, async () => {
  await runAll(sequences({ minLength: 20, maxLength: 70 }), runs, both)
  assert.deepEqual(reached.missing(), [], 'outcomes that no sequence reached')
  assert.ok(claims > runs / 4, `only ${claims} entries were claims`)
})
