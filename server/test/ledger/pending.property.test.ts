import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { pendingOf } from '../../src/ledger/rules/accounts.ts'
import type { Command } from '../../src/ledger/rules/command.ts'
import { decide } from '../../src/ledger/rules/decide.ts'
import {
  balanceKey,
  type Decision,
  emptyContext,
  type PendingAward,
  type RealmState,
  type StoredBalance,
} from '../../src/ledger/rules/state.ts'
import type { RealmConfig } from '../../src/realms/realm.ts'
import { plainPoint } from './memoryTables.ts'

/**
 * Awards, grants and cancels in any order, decided in batches of any size, against a model of a few lines.
 */

const runs = 3_000
const most = 20n
const gold = { ...plainPoint('gold', 1), maxBalance: most }
const config: RealmConfig = {
  id: 'realm',
  name: 'Realm',
  version: 1,
  logo: null,
  colours: null,
  timeZone: 'UTC',
  publicBoard: false,
  hasMerges: false,
  suspended: null,
  unknownMembers: 'create',
  defaultPoint: gold,
  points: new Map([['gold', gold]]),
}

const step = fc.record({
  kind: fc.constantFrom('award', 'award', 'award', 'grant', 'grant', 'cancel', 'due', 'due', 'spend'),
  member: fc.constantFrom('1', '2', '3'),
  tokens: fc.constantFrom(1n, 5n, 9n, 20n, 25n),
  /** When an award is due, from now; null for never. */
  afterUs: fc.constantFrom(null, 0n, 5n, 50n),
  /** The award to end, counted from the last entry. */
  back: fc.constantFrom(1, 1, 2, 3, 5, 8),
  elapsedUs: fc.constantFrom(0n, 1n, 10n, 5_000_000n),
  cut: fc.boolean(),
})
type Step = Readonly<typeof step extends fc.Arbitrary<infer T> ? T : never>

type Promised = {
  readonly member: string
  readonly tokens: bigint
  readonly grantUs: bigint | null
  ended: boolean
}

class Model {
  readonly balances = new Map<string, bigint>()
  readonly awards = new Map<bigint, Promised>()
  seq = 0n

  /** `done`, or the code of the refusal. */
  post(one: Step, award: bigint, nowUs: bigint): string {
    const { kind, member, tokens, afterUs } = one
    if (kind === 'award') {
      this.seq += 1n
      const grantUs = afterUs === null ? null : nowUs + afterUs
      this.awards.set(this.seq, { member, tokens, grantUs, ended: false })
      return 'done'
    }
    if (kind === 'spend') return this.#move(member, -tokens)
    const found = this.awards.get(award)
    if (!found) return 'award_not_found'
    if (found.ended) return 'award_ended'
    if (kind === 'due' && (found.grantUs === null || nowUs < found.grantUs)) return 'award_ended'
    const result = this.#move(found.member, kind === 'cancel' ? 0n : found.tokens)
    if (result === 'done') found.ended = true
    return result
  }

  #move(member: string, by: bigint): string {
    const after = (this.balances.get(member) ?? 0n) + by
    if (after < 0n) return 'insufficient_points'
    if (by > 0n && after > most) return 'balance_limit'
    if (by !== 0n) this.balances.set(member, after)
    this.seq += 1n
    return 'done'
  }

  pendingOf(member: string): bigint {
    const open = [...this.awards.values()].filter((one) => one.member === member && !one.ended)
    return open.reduce((sum, { tokens }) => sum + tokens, 0n)
  }
}

/** What is stored, as far as a decision reads it. */
class Stored {
  readonly accounts = new Map<string, number>()
  readonly balances = new Map<string, StoredBalance>()
  readonly awards = new Map<bigint, PendingAward>()
  seq = 0n
  atUs = 0n

  state(nowUs: bigint): RealmState {
    const { accounts, balances, awards, seq, atUs } = this
    const read = { accounts, balances, frozen: new Set<number>(), remembered: new Map() }
    const context = { ...emptyContext, awards }
    return { config, seq, atUs, nowUs, nextAccount: accounts.size + 1, ...read, context }
  }

  write({ entries, members, balances, awards, endedAwards, deferredAwards, atUs }: Decision): void {
    for (const { id, account } of members) this.accounts.set(id, account)
    for (const { account, point, balance, seq } of balances)
      this.balances.set(balanceKey(account, point), { balance, seq })
    for (const { seq, award } of awards) this.awards.set(seq, award)
    for (const { seq, endedBy } of endedAwards) {
      const award = this.awards.get(seq)
      assert.equal(award?.endedBy, null, `award ${seq} ends twice`)
      this.awards.set(seq, { ...award, endedBy })
    }
    for (const { seq, retryUs } of deferredAwards) assert.ok(retryUs > (this.awards.get(seq)?.grantUs ?? 0n))
    this.seq = entries.at(-1)?.seq ?? this.seq
    this.atUs = atUs
  }

  at(account: number): bigint {
    return this.balances.get(balanceKey(account, 1))?.balance ?? 0n
  }
}

function commandOf({ kind, member, tokens, afterUs }: Step, award: bigint, nowUs: bigint): Command {
  const common = { realm: 1, key: 1, requestId: 'r', retry: undefined, details: undefined, point: undefined }
  if (kind === 'award') {
    return { ...common, kind, member, tokens, grantUs: afterUs === null ? undefined : nowUs + afterUs }
  }
  if (kind === 'spend') return { ...common, kind: 'adjust', member, tokens: -tokens }
  return { ...common, kind, award }
}

function run(steps: readonly Step[], reached: Set<string>): void {
  const [model, stored] = [new Model(), new Stored()]
  let nowUs = 1_000n
  let batch: { readonly command: Command; readonly expected: string }[] = []
  const settle = () => {
    const decision = decide(
      stored.state(nowUs),
      batch.map(({ command }) => command),
    )
    const codes = decision.outcomes.map((one) => (one.kind === 'refused' ? one.refusal.code : one.kind))
    assert.deepEqual(
      codes,
      batch.map(({ expected }) => expected),
    )
    stored.write(decision)
    batch = []
    for (const [id, account] of stored.accounts) {
      assert.equal(stored.at(account), model.balances.get(id) ?? 0n)
      assert.equal(stored.at(pendingOf(account)), model.pendingOf(id))
    }
  }
  for (const one of steps) {
    const award = model.seq + 1n - BigInt(one.back)
    const command = commandOf(one, award, nowUs)
    const expected = model.post(one, award, nowUs)
    reached.add(`${one.kind} ${expected}`)
    batch.push({ command, expected })
    if (!one.cut) continue
    settle()
    nowUs += one.elapsedUs
  }
  settle()
}

it(`decide agrees with the model on ${runs} sequences of awards, however they are split into batches`, () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => run(steps, reached)),
    { numRuns: runs },
  )
  const ends = ['grant', 'cancel', 'due'].flatMap((kind) =>
    ['done', 'award_not_found', 'award_ended'].map((code) => `${kind} ${code}`),
  )
  const some = ['award done', 'grant balance_limit', 'due balance_limit', 'spend insufficient_points']
  assert.deepEqual(
    [...ends, ...some].filter((name) => !reached.has(name)),
    [],
  )
})
