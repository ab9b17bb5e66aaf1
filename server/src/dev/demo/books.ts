import type { RealmHeader, RealmLine } from '../../files/imports/realmFile.ts'
import { type DetailsInput, entryTypes } from '../../ledger/index.ts'
import { encodingOf, hashDetails, seal } from '../../ledger/rules/chain.ts'
import type { Command, Details } from '../../ledger/rules/command.ts'
import { decide, decideMerge } from '../../ledger/rules/decide.ts'
import {
  balanceKey,
  type Entry,
  type Held,
  type Original,
  type PendingAward,
  type StoredBalance,
} from '../../ledger/rules/state.ts'
import { originHash } from '../../realms/index.ts'
import type { Point, RealmConfig } from '../../realms/realm.ts'

/** A command without the fields that are the same for all commands here. */
type Given<C> = C extends Command ? Omit<C, 'realm' | 'requestId' | 'retry' | 'details'> : never
export type Deed = Given<Command>

export type DemoDetails = Partial<DetailsInput>

export type BooksOptions = {
  readonly config: RealmConfig
  /** Members by id, in the order of their accounts, which begin at 1. */
  readonly ids: readonly string[]
  readonly saltOf: () => Buffer
}

/**
 * A realm's ledger in memory, decided by the server's own rules and sealed by its own chain, at chosen times:
 * the result is what the server would have written at those times.
 */
export class Books {
  readonly #options: BooksOptions
  readonly #accounts: ReadonlyMap<string, number>
  readonly #balances = new Map<string, StoredBalance>()
  readonly #holds = new Map<bigint, Held>()
  readonly #awards = new Map<bigint, PendingAward>()
  readonly #reversed = new Map<bigint, bigint>()
  readonly #frozen = new Set<number>()
  readonly #entries: Entry[] = []

  constructor(options: BooksOptions) {
    this.#options = options
    this.#accounts = new Map(options.ids.map((id, index) => [id, index + 1]))
  }

  balanceOf(id: string, point: Point): number {
    return Number(this.#balances.get(balanceKey(this.#accounts.get(id) ?? 0, point.number))?.balance ?? 0n)
  }

  freeze(id: string): void {
    this.#frozen.add(this.#accounts.get(id) ?? 0)
  }

  /**
   * The number of its first entry; undefined for a command that the rules refuse, as happens in a real realm.
   */
  post(atMs: number, deed: Deed, said: DemoDetails = {}): bigint | undefined {
    const common = { realm: 0, requestId: 'demo', retry: undefined, details: this.#detailsOf(said) }
    const command: Command = { ...deed, ...common }
    const decision = decide(this.#stateAt(atMs, command), [command])
    this.#entries.push(...decision.entries)
    for (const { account, point, balance, seq, lots } of decision.balances)
      this.#balances.set(balanceKey(account, point), { balance, seq, lots })
    for (const { seq, held } of decision.holds) this.#holds.set(seq, held)
    for (const { seq, award } of decision.awards) this.#awards.set(seq, award)
    for (const { seq, endedBy } of decision.endedAwards) {
      const award = this.#awards.get(seq)
      if (award) this.#awards.set(seq, { ...award, endedBy })
    }
    for (const { seq, endedBy } of decision.endedHolds) {
      const held = this.#holds.get(seq)
      if (held) this.#holds.set(seq, { ...held, endedBy })
    }
    const [first] = decision.entries
    if (first && command.kind === 'reverse') this.#reversed.set(command.entry, first.seq)
    return first?.seq
  }

  /** Merges a member into another one; returns its last entry, and how many it has. */
  merge(atMs: number, from: string, to: string): { readonly afterSeq: bigint; readonly entries: number } {
    const common = { realm: 0, key: 0, requestId: 'demo', retry: undefined, details: undefined }
    const sideOf = (id: string) => ({ account: this.#accounts.get(id) ?? 0, id })
    const command = { kind: 'merge', ...common, from: sideOf(from), to: sideOf(to) } as const
    const { entries, balances } = decideMerge(this.#stateAt(atMs), command)
    this.#entries.push(...entries)
    for (const { account, point, balance, seq } of balances)
      this.#balances.set(balanceKey(account, point), { balance, seq })
    return { afterSeq: this.#entries.at(-1)?.seq ?? 0n, entries: entries.length }
  }

  #detailsOf(said: DemoDetails): Details | undefined {
    const none = { reason: undefined, reference: undefined, metadata: undefined, actorId: undefined }
    const salt = this.#options.saltOf()
    const all = { ...none, ...said }
    return Object.keys(said).length === 0 ? undefined : { ...all, salt, hash: hashDetails(salt, all) }
  }

  #stateAt(atMs: number, command?: Command) {
    const last = this.#entries.at(-1)
    const reversed = command?.kind === 'reverse' ? command.entry : undefined
    const original = reversed === undefined ? undefined : this.#originalOf(reversed)
    const originals = new Map(reversed !== undefined && original ? [[reversed, original]] : [])
    return {
      config: this.#options.config,
      seq: last?.seq ?? 0n,
      atUs: last?.atUs ?? 0n,
      nowUs: BigInt(atMs) * 1_000n,
      nextAccount: this.#accounts.size + 1,
      accounts: this.#accounts,
      frozen: this.#frozen,
      balances: this.#balances,
      remembered: new Map(),
      context: {
        originals,
        holds: this.#holds,
        awards: this.#awards,
        given: new Map(),
        versions: new Map(),
      },
    }
  }

  #originalOf(seq: bigint): Original | undefined {
    const entry = this.#entries[Number(seq) - 1]
    if (!entry) return undefined
    const { kind, point, from, to, amount, lots } = entry
    const idOf = (account: number) => this.#options.ids[account - 1] ?? null
    const parties = { from, to, fromId: idOf(from), toId: idOf(to) }
    const reversedBy = this.#reversed.get(seq) ?? null
    return { kind: entryTypes[kind].number, point: point.number, ...parties, amount, reversedBy, lots }
  }

  /** The journal's head, and its lines of a realm file. */
  sealed(): { readonly head: Pick<RealmHeader, 'seq' | 'hash'>; readonly lines: readonly RealmLine[] } {
    const { id } = this.#options.config
    const sealed = seal(originHash(id), this.#entries)
    const points = new Map([...this.#options.config.points.values()].map((point) => [point.number, point.id]))
    const asideOf = (seq: bigint, { account, point, amount, endedBy }: Omit<Held, 'expiresUs'>) => ({
      seq: String(seq),
      account,
      realmPointId: points.get(point) ?? '',
      tokens: String(amount),
      endedBy: textOf(endedBy),
    })
    const holds = Array.from(this.#holds, ([seq, held]) => ({
      hold: { ...asideOf(seq, held), expiresUs: String(held.expiresUs) },
    }))
    const awards = Array.from(this.#awards, ([seq, award]) => ({
      award: { ...asideOf(seq, award), grantUs: textOf(award.grantUs) },
    }))
    const entries = sealed.map(({ entry, hash }) => ({ entry: loadedOf(entry, hash) }))
    const lines = [...entries, ...holds, ...awards]
    return { head: { seq: String(sealed.length), hash: sealed.at(-1)?.hash ?? originHash(id) }, lines }
  }
}

const textOf = (value: bigint | null): string | null => (value === null ? null : String(value))

function loadedOf(entry: Entry, hash: string) {
  const { seq, atUs, kind, key, point, from, to, amount, fromBalance, toBalance, details, link } = entry
  const loaded = {
    seq: String(seq),
    atUs: String(atUs),
    type: kind,
    keyId: String(key),
    realmPointId: point.id,
    fromAccount: from,
    toAccount: to,
    tokens: String(amount),
    fromBalance: textOf(fromBalance),
    toBalance: textOf(toBalance),
    encoding: encodingOf(entry),
    hash,
    request: null,
    fingerprint: null,
    detailsHash: details?.hash ?? null,
    link: textOf(link),
    ...(entry.lots !== undefined && { lots: entry.lots }),
  }
  if (!details) return loaded
  const { salt, reason = null, reference = null, metadata = null, actorId = null } = details
  return { ...loaded, details: { salt: salt.toString('hex'), reason, reference, metadata, actorId } }
}
