import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { ownerOf } from '../../src/ledger/rules/accounts.ts'
import type { Command, KeyLimits, Outcome } from '../../src/ledger/rules/command.ts'
import { decide } from '../../src/ledger/rules/decide.ts'
import {
  balanceKey,
  type Decision,
  emptyContext,
  type Held,
  type KeyDay,
  type PendingAward,
  type RealmState,
  type StoredBalance,
} from '../../src/ledger/rules/state.ts'
import type { RealmConfig } from '../../src/realms/realm.ts'
import { plainPoint } from './memoryTables.ts'

/** Keys with limits, in batches of any size over several days, against sums of the entries. */

const runs = 3_000
const dayUs = 86_400_000_000n
const gold = plainPoint('gold', 1)
const gems = plainPoint('gems', 2)
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
  points: new Map([
    ['gold', gold],
    ['gems', gems],
  ]),
}

/** By the number of the key. */
const limitsOf: readonly (KeyLimits | undefined)[] = [
  undefined,
  { maxPerChange: 10n, maxPerDay: 30n },
  { maxPerChange: null, maxPerDay: 30n },
  { maxPerChange: 10n, maxPerDay: null },
]

const part = fc.record({
  kind: fc.constantFrom('add', 'add', 'spend', 'transfer', 'award', 'hold', 'capture', 'release', 'cancel'),
  member: fc.constantFrom('1', '2', '3', '4'),
  tokens: fc.constantFrom(1n, 5n, 10n, 11n, 20n, 30n, 31n),
  point: fc.constantFrom(undefined, 'gems'),
  back: fc.constantFrom(1, 1, 2, 3, 5),
})
const step = fc.record({
  parts: fc.oneof(
    { weight: 4, arbitrary: fc.array(part, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(part, { minLength: 2, maxLength: 4 }) },
  ),
  key: fc.constantFrom(0, 1, 1, 2, 3),
  way: fc.constantFrom('list', 'batch'),
  dry: fc.constantFrom(false, false, false, true),
  elapsedUs: fc.constantFrom(0n, 1n, dayUs / 3n, dayUs),
  cut: fc.boolean(),
})
type Part = Readonly<typeof part extends fc.Arbitrary<infer T> ? T : never>
type Step = Readonly<typeof step extends fc.Arbitrary<infer T> ? T : never>

class Stored {
  readonly accounts = new Map<string, number>()
  readonly balances = new Map<string, StoredBalance>()
  readonly holds = new Map<bigint, Held>()
  readonly awards = new Map<bigint, PendingAward>()
  readonly keyDays = new Map<number, KeyDay>()
  seq = 0n
  atUs = 0n

  state(nowUs: bigint): RealmState {
    const { accounts, balances, holds, awards, keyDays, seq, atUs } = this
    const read = { accounts, balances, frozen: new Set<number>(), remembered: new Map() }
    const context = { ...emptyContext, holds, awards, keyDays }
    return { config, seq, atUs, nowUs, nextAccount: accounts.size + 1, ...read, context }
  }

  write(decision: Decision): void {
    for (const { id, account } of decision.members) this.accounts.set(id, account)
    for (const { account, point, balance, seq } of decision.balances)
      this.balances.set(balanceKey(account, point), { balance, seq })
    for (const { seq, held } of decision.holds) this.holds.set(seq, held)
    for (const { seq, award } of decision.awards) this.awards.set(seq, award)
    for (const { seq, endedBy } of decision.endedHolds) {
      const held = this.holds.get(seq)
      if (held) this.holds.set(seq, { ...held, endedBy })
    }
    for (const { seq, endedBy } of decision.endedAwards) {
      const award = this.awards.get(seq)
      if (award) this.awards.set(seq, { ...award, endedBy })
    }
    for (const { key, day, moved } of decision.keyDays) this.keyDays.set(key, { day, moved })
    this.seq = decision.entries.at(-1)?.seq ?? this.seq
    this.atUs = decision.atUs
  }
}

const common = { realm: 1, requestId: 'r', retry: undefined, details: undefined }

function commandOf({ kind, member, tokens, point, back }: Part, key: number, seq: bigint): Command {
  const by = { ...common, key, limits: limitsOf[key] }
  const named = { ...by, member, point }
  const recipient = member === '4' ? '1' : String(Number(member) + 1)
  const before = seq + 1n - BigInt(back)
  switch (kind) {
    case 'add':
      return { ...named, kind: 'adjust', tokens }
    case 'spend':
      return { ...named, kind: 'adjust', tokens: -tokens }
    case 'transfer':
      return { ...named, kind, recipient, tokens }
    case 'award':
      return { ...named, kind, tokens, grantUs: undefined }
    case 'hold':
      return { ...named, kind, tokens, forUs: 10n * dayUs }
    case 'capture':
      return { ...by, kind, hold: before, tokens: back % 2 === 0 ? 1n : undefined }
    case 'release':
      return { ...by, kind, hold: before }
    default:
      return { ...by, kind: back % 2 === 0 ? 'grant' : 'cancel', award: before }
  }
}

function stepCommand({ parts, key, way, dry }: Step, seq: bigint): Command {
  const own = parts.map((one) => commandOf(one, key, seq))
  const [first] = own
  if (own.length === 1 && first) return { ...first, dry }
  const by = { ...common, key, limits: limitsOf[key], dry }
  const plain = own.flatMap((one) => (one.kind === 'adjust' || one.kind === 'transfer' ? [one] : []))
  if (way === 'list' && plain.length > 0) return { ...by, kind: 'list', commands: plain }
  const changes = parts.map(({ member, tokens, point }) => ({ member, tokens, point }))
  return { ...by, kind: 'batch', changes }
}

/** The points of each change that a command asks for; undefined where only the entries show them. */
function amountsOf(command: Command): readonly bigint[] | undefined {
  if (command.kind === 'list') return command.commands.flatMap((one) => amountsOf(one) ?? [])
  if (command.kind === 'batch') return command.changes.map(({ tokens }) => tokens)
  if (!('member' in command)) return undefined
  return [command.tokens < 0n ? -command.tokens : command.tokens]
}

const isByKey = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' && (outcome.refusal.error?.code ?? outcome.refusal.code) === 'key_limit'

type Sums = Map<string, bigint>
type Told = {
  readonly commands: readonly Command[]
  readonly decision: Decision
  readonly sums: Sums
  readonly day: bigint
}

/** Adds what each command moved, and checks that it was allowed to, and that no other was refused for it. */
function check({ commands, decision, sums, day }: Told, reached: Set<string>): void {
  for (const [index, command] of commands.entries()) {
    const outcome = decision.outcomes[index]
    const { key, limits, kind } = command
    if (!outcome || outcome.kind === 'rehearsed' || outcome.kind === 'recalled') throw new Error('not posted')
    const name = `${key}:${day}`
    const before = sums.get(name) ?? 0n
    const { maxPerChange = null, maxPerDay = null } = limits ?? {}
    const exceeds = (amounts: readonly bigint[]): boolean =>
      amounts.some((one) => maxPerChange !== null && one > maxPerChange) ||
      (maxPerDay !== null && amounts.reduce((sum, one) => sum + one, before) > maxPerDay)
    if (outcome.kind === 'refused') {
      const asked = isByKey(outcome) ? amountsOf(command) : undefined
      if (asked) assert.ok(exceeds(asked), `${kind} of ${asked.join()} by key ${key} after ${before}`)
      if (isByKey(outcome)) reached.add(`refused ${kind}`)
      continue
    }
    const made = command.dry
      ? (amountsOf(command) ?? [])
      : decision.entries.filter((entry) => outcome.receipts.some(({ seq }) => seq === entry.seq))
    const counted = made.flatMap((one) =>
      typeof one === 'bigint' ? [one] : one.kind === 'release' ? [] : [one.amount],
    )
    assert.ok(!exceeds(counted), `key ${key} moved ${counted.join()} by ${kind} after ${before}`)
    reached.add(`done ${kind}`)
    if (!command.dry)
      sums.set(
        name,
        counted.reduce((sum, one) => sum + one, before),
      )
  }
}

function run(steps: readonly Step[], reached: Set<string>): void {
  const stored = new Stored()
  const sums: Sums = new Map()
  let nowUs = 10n * dayUs
  let commands: Command[] = []
  const settle = () => {
    const decision = decide(stored.state(nowUs), commands)
    check({ commands, decision, sums, day: (nowUs > stored.atUs ? nowUs : stored.atUs) / dayUs }, reached)
    stored.write(decision)
    commands = []
    for (const { key, day, moved } of decision.keyDays) {
      assert.ok(limitsOf[key]?.maxPerDay, `key ${key} has no limit per day`)
      assert.equal(moved, sums.get(`${key}:${day}`))
    }
    const moved = new Set(decision.entries.flatMap(({ from, to }) => [ownerOf(from), ownerOf(to)]))
    for (const { id, account } of decision.members) assert.ok(moved.has(account), `member ${id} has no entry`)
  }
  for (const one of steps) {
    commands.push(stepCommand(one, stored.seq))
    if (!one.cut) continue
    settle()
    nowUs += one.elapsedUs
  }
  settle()
  for (const [name, sum] of sums) {
    const [key, day] = name.split(':').map(Number)
    const last = stored.keyDays.get(key ?? 0)
    if (last?.day === day) assert.equal(last?.moved, sum)
  }
}

it(`no key passes its limits in ${runs} sequences of changes, however they are split into batches`, () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (steps) => run(steps, reached)),
    { numRuns: runs },
  )
  const kinds = ['adjust', 'transfer', 'award', 'hold', 'capture', 'grant', 'cancel', 'list', 'batch']
  const wanted = kinds.flatMap((kind) => [`done ${kind}`, `refused ${kind}`])
  assert.deepEqual(
    [...wanted, 'done release'].filter((name) => !reached.has(name)),
    [],
  )
  assert.ok(!reached.has('refused release'))
})
