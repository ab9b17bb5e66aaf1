import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { type EntryRow, readHead } from '../../src/ledger/journal/journalStore.ts'
import { rounds, sliceEnd } from '../../src/ledger/journal/slices.ts'
import type { Verified, VerifiedState } from '../../src/ledger/journal/verifiedStore.ts'
import type { Verdict } from '../../src/ledger/journal/verify.ts'
import { type RunResult, verifyNew, verifyWhole } from '../../src/ledger/journal/verifyNew.ts'
import { type Books, openBooks } from './books.ts'
import { Planter } from './plant.ts'
import { RandomHistory } from './randomHistory.ts'

const members = ['1', '2', '3', '4', '5', '6']
const seed = 20_261_118
/** The history is short: a slice may have a single entry or account. */
export const least = 1n

/** A random history of all types of entries, verified, and then continued. */
export type SlicedHistory = {
  books: Books
  planter: Planter
  realm: number
  entries: readonly EntryRow[]
  /** The last entry that was verified. */
  checkpoint: bigint
  headSeq: bigint
  /** What 30 runs stored one after the other, when no entry was new. */
  states: readonly VerifiedState[]
}

export function withSlicedHistory(): SlicedHistory {
  const made = {} as SlicedHistory
  let database: TestDatabase
  before(async () => {
    database = await freshDatabase()
    made.books = openBooks(database.serverUrl)
    made.realm = await made.books.make({ open: false, points: ['gold', 'silver'], members })
    const history = new RandomHistory(made.books.ledger, {
      realm: made.realm,
      members,
      quiet: '6',
      seed,
    })
    await history.write(90)
    const { next } = passed(await verifyWhole(made.books.db, { realm: made.realm, least }))
    made.checkpoint = next.seq
    made.states = await roundOf(made, next)
    await history.write(60)
    made.planter = await Planter.open(database.superuserUrl, made.realm)
    made.entries = await made.planter.entries()
    made.headSeq = (await readHead(made.books.db.within([made.realm]), made.realm)).seq
  })
  after(async () => {
    await made.planter?.close()
    await made.books?.close()
    await database?.drop()
  })
  return made
}

export function passed(result: RunResult): RunResult & { readonly next: VerifiedState } {
  const { verdict, next } = result
  if (!verdict.ok) assert.fail(`${verdict.where}: ${verdict.why}`)
  assert.ok(next)
  return { ...result, next }
}

/** The states of a round, each the result of the run before. */
async function roundOf(made: SlicedHistory, first: VerifiedState): Promise<VerifiedState[]> {
  const states = [first]
  for (let last = first; states.length < rounds; states.push(last)) {
    const verified = storedOf(made, last)
    last = passed(await verifyNew(made.books.db, { realm: made.realm, verified, least })).next
  }
  return states
}

/** As the next run reads it. */
export const storedOf = ({ realm, headSeq }: SlicedHistory, state: VerifiedState): Verified => ({
  ...state,
  realm,
  verifiedAt: new Date(0),
  isWrong: false,
  isSame: false,
  headSeq,
  nextAccount: members.length + 1,
})

/** The run after this state, on the planter's session, which sees the planted errors. */
export async function runFrom(made: SlicedHistory, state: VerifiedState): Promise<Verdict> {
  const { realm, planter } = made
  return (await verifyNew(planter.session, { realm, verified: storedOf(made, state), least })).verdict
}

export const endOf = ({ slice, entry: done, seq: of }: VerifiedState): bigint =>
  sliceEnd({ slice, done, of, least })

export const covers = (state: VerifiedState, seq: bigint): boolean => state.entry < seq && seq <= endOf(state)

export function stateWith(
  { states }: SlicedHistory,
  isWanted: (state: VerifiedState) => boolean,
): VerifiedState {
  const state = states.find(isWanted)
  assert.ok(state)
  return state
}

/** Plants an error, checks that the full run finds it, and looks. */
export function whilePlanted<T>(
  { planter }: SlicedHistory,
  changes: readonly string[],
  look: () => Promise<T>,
): Promise<T> {
  const plant = async () => {
    for (const change of changes) await planter.change(change)
  }
  return planter.planted(plant, async () => {
    assert.equal((await planter.verify()).ok, false, `the full run did not find ${changes.join('; ')}`)
    return look()
  })
}
