import type { EntryRow } from '../../src/ledger/journal/journalStore.ts'
import { LotsReplay } from '../../src/ledger/journal/lotsReplay.ts'
import { isPending } from '../../src/ledger/rules/accounts.ts'
import type { Command } from '../../src/ledger/rules/command.ts'
import { lotsBy } from '../../src/ledger/rules/dating.ts'
import { decide, decideMerge } from '../../src/ledger/rules/decide.ts'
import { entryTypes } from '../../src/ledger/rules/entryTypes.ts'
import { printLots } from '../../src/ledger/rules/lots.ts'
import {
  balanceKey,
  type Decision,
  type Entry,
  emptyContext,
  type Held,
  type PendingAward,
  type StoredBalance,
} from '../../src/ledger/rules/state.ts'
import { Days, type LapseRule, type LapseStep } from '../../src/realms/index.ts'
import type { Point } from '../../src/realms/realm.ts'

const people = ['1', '2', '3', '4']

const calendars = new Map<string, Days>()

/** A realm's ledger in memory, decided by the server's rules at chosen times. */
export class LapseBooks {
  readonly #days: Days
  readonly #accounts = new Map(people.map((id, at) => [id, at + 1]))
  readonly #balances = new Map<string, StoredBalance>()
  readonly #holds = new Map<bigint, Held>()
  readonly #awards = new Map<bigint, PendingAward>()
  readonly #reversed = new Map<bigint, bigint>()
  readonly entries: Entry[] = []
  steps: readonly LapseStep[] = []

  constructor(timeZone: string) {
    this.#days = calendars.get(timeZone) ?? new Days(timeZone)
    calendars.set(timeZone, this.#days)
  }

  get #point(): Point {
    const limits = { maxBalance: null, transferable: true, maxPerTransfer: null, maxPerDay: null }
    const rules = { lapse: this.steps.length > 0 ? this.steps : undefined }
    return { number: 1, id: 'gold', name: 'Gold', emoji: null, archived: false, ...limits, ...rules }
  }

  setRule(rule: LapseRule | null, { baseDay, notBefore }: { baseDay: number; notBefore: number }): void {
    const fromSeq = BigInt(this.entries.length + 1)
    const step = { number: this.steps.length + 1, fromSeq, baseDay, notBefore, rule, days: this.#days }
    this.steps = [...this.steps, step]
  }

  /** The first entry of a command; undefined for one that was refused. */
  post(ms: number, command: object): bigint | undefined {
    const common = {
      realm: 1,
      key: 1,
      requestId: 'test',
      retry: undefined,
      details: undefined,
      point: 'gold',
    }
    const asked = { ...common, ...command } as unknown as Command
    const decision = decide(this.#state(ms, asked), [asked])
    this.#write(decision)
    const [first] = decision.entries
    if (first && asked.kind === 'reverse') this.#reversed.set(asked.entry, first.seq)
    return first?.seq
  }

  /** All points of one member to another, or those of such an entry back; undefined if there are none. */
  merge(ms: number, { from, to, undoes }: { from: string; to: string; undoes?: bigint }): bigint | undefined {
    const side = (id: string) => ({ account: this.#accounts.get(id) ?? 0, id })
    const common = { realm: 1, key: 1, requestId: 'test', retry: undefined, details: undefined }
    const { amount = 0n, lots = null } = this.entries[Number(undoes ?? 0n) - 1] ?? {}
    const entries = undoes === undefined ? undefined : [{ seq: undoes, point: 1, amount, lots }]
    const sides = { from: side(from), to: side(to), undoes: entries }
    const decision = decideMerge(this.#state(ms), { kind: 'merge', ...common, ...sides })
    this.#write(decision)
    return decision.entries[0]?.seq
  }

  #write(decision: Decision): void {
    this.entries.push(...decision.entries)
    for (const { account, point, ...stored } of decision.balances)
      this.#balances.set(balanceKey(account, point), stored)
    for (const { seq, held } of decision.holds) this.#holds.set(seq, held)
    for (const { seq, award } of decision.awards) this.#awards.set(seq, award)
    for (const { seq, endedBy } of decision.endedHolds) {
      const held = this.#holds.get(seq)
      if (held) this.#holds.set(seq, { ...held, endedBy })
    }
  }

  #state(ms: number, command?: Command) {
    const point = this.#point
    const points = new Map([['gold', point]])
    const last = this.entries.at(-1)
    const made = command?.kind === 'reverse' ? this.entries[Number(command.entry) - 1] : undefined
    const idOf = (account: number) => people[account - 1] ?? null
    const from = isPending(made?.from ?? 0) ? 0 : Math.abs(made?.from ?? 0)
    const original = made && {
      ...made,
      kind: entryTypes[made.kind].number,
      point: 1,
      from,
      fromId: idOf(from),
      toId: idOf(made.to),
      reversedBy: this.#reversed.get(made.seq) ?? null,
    }
    const originals = new Map(original ? [[original.seq, original]] : [])
    const config = { version: 1, points, defaultPoint: point, unknownMembers: 'refuse', suspended: null }
    return {
      config: config as never,
      seq: last?.seq ?? 0n,
      atUs: last?.atUs ?? 0n,
      nowUs: BigInt(ms) * 1_000n,
      nextAccount: people.length + 1,
      accounts: this.#accounts,
      frozen: new Set<number>(),
      balances: this.#balances,
      remembered: new Map(),
      context: { ...emptyContext, originals, holds: this.#holds, awards: this.#awards },
    }
  }

  #stored(member: string): StoredBalance | undefined {
    return this.#balances.get(balanceKey(this.#accounts.get(member) ?? 0, 1))
  }

  /** The entries that last changed what the member has and holds. */
  lastOf(member: string): { readonly seq: bigint; readonly heldSeq: bigint | null } {
    const account = this.#accounts.get(member) ?? 0
    const heldSeq = this.#balances.get(balanceKey(-account, 1))?.seq ?? null
    return { seq: this.#balances.get(balanceKey(account, 1))?.seq ?? 0n, heldSeq }
  }

  balance(member: string): number {
    return Number(this.#stored(member)?.balance ?? 0n)
  }

  lots(member: string): string {
    const stored = this.#stored(member)
    return stored ? printLots(lotsBy(this.steps, { ...stored, amount: stored.balance })) : ''
  }

  /** As the table has them. */
  storedLots(member: string): string | null {
    return this.#stored(member)?.lots ?? null
  }

  held(): number {
    return people.reduce(
      (sum, _, at) => sum + Number(this.#balances.get(balanceKey(-at - 1, 1))?.balance ?? 0n),
      0,
    )
  }

  /** As the journal has them. */
  rows(): EntryRow[] {
    return this.entries.map((entry) => ({
      seq: entry.seq,
      at_us: entry.atUs,
      kind: entryTypes[entry.kind].number,
      key: entry.key,
      point: 1,
      from_account: entry.from,
      to_account: entry.to,
      amount: entry.amount,
      from_balance: entry.fromBalance,
      to_balance: entry.toBalance,
      encoding: 3,
      hash: '',
      request: null,
      fingerprint: null,
      details_hash: null,
      link: entry.link,
      lots: entry.lots ?? null,
    }))
  }

  /** Computes the lots of all rows again, as verify does; rejects with what is wrong first. */
  async replay(rows: readonly EntryRow[]): Promise<LotsReplay> {
    const replay = new LotsReplay(new Map(this.steps.length > 0 ? [[1, this.steps]] : []))
    const linked = rows.map((row) => ({ ...row, from_account: row.from_account }))
    const db = { query: async () => ({ rows: linked }) } as never
    await replay.load(db, 1, rows)
    const states = new Map<number, { balance: bigint; seq: bigint }>()
    for (const row of rows) {
      replay.add(row, (account) => states.get(account))
      if (row.from_balance !== null) states.set(row.from_account, { balance: row.from_balance, seq: row.seq })
      if (row.to_balance !== null) states.set(row.to_account, { balance: row.to_balance, seq: row.seq })
    }
    return replay
  }
}
