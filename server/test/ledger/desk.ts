import { partiesOf } from '../../src/ledger/lane/parties.ts'
import type { Command, Details, Outcome, RehearsalOutcome } from '../../src/ledger/rules/command.ts'
import {
  balanceKey,
  type Decision,
  nothingAside,
  type RealmState,
  type RememberedAnswer,
  type StoredBalance,
} from '../../src/ledger/rules/state.ts'
import type { Point, RealmConfig } from '../../src/realms/realm.ts'
import type { Answer, ModelRealm, ModelRefusal, Request } from './model.ts'

/** A realm's tables in memory: what the store would read for a batch, and write from its decision. */
export class Desk {
  #config: RealmConfig
  #seq = 0n
  #atUs = 0n
  #nextAccount: number
  readonly accounts: Map<string, number>
  readonly balances = new Map<string, bigint>()
  /** The entry that last changed each balance. */
  readonly seqs = new Map<string, bigint>()
  readonly #entries = new Map<string, RememberedAnswer>()
  readonly #refusals = new Map<string, RememberedAnswer>()

  constructor(realm: ModelRealm) {
    this.#config = configOf(realm)
    this.accounts = new Map(realm.members.map((id, index) => [id, index + 1]))
    this.#nextAccount = realm.members.length + 1
  }

  /** The state as read for these commands only, deeply frozen. */
  read(commands: readonly Command[], nowUs: bigint): RealmState {
    const accounts = new Map<string, number>()
    const balances = new Map<string, StoredBalance>()
    const remembered = new Map<string, RememberedAnswer>()
    for (const command of commands) {
      for (const { id, point } of partiesOf(command, this.#config)) {
        const account = this.accounts.get(id)
        if (account === undefined) continue
        accounts.set(id, account)
        const key = balanceKey(account, point)
        const balance = this.balances.get(key)
        if (balance !== undefined) balances.set(key, { balance, seq: this.seqs.get(key) ?? null })
      }
      const request = command.retry?.request ?? ''
      const earlier = this.#entries.get(request) ?? this.#refusals.get(request)
      if (earlier) remembered.set(request, earlier)
    }
    const head = { seq: this.#seq, atUs: this.#atUs, nextAccount: this.#nextAccount, nowUs }
    const aside = nothingAside
    const none = new Set<number>()
    return frozen({ config: this.#config, ...head, accounts, frozen: none, balances, remembered, aside })
  }

  keep(decision: Decision): void {
    const { entries, members, balances, refusals, nextAccount, atUs } = decision
    this.#nextAccount = nextAccount
    this.#atUs = atUs
    for (const { id, account } of members) this.accounts.set(id, account)
    for (const { account, point, balance, seq } of balances) {
      this.balances.set(balanceKey(account, point), balance)
      this.seqs.set(balanceKey(account, point), seq)
    }
    for (const { seq, atUs: at, amount, fromBalance, toBalance, point, retry } of entries) {
      this.#seq = seq
      if (!retry) continue
      const receipt = { seq, atUs: at, amount, fromBalance, toBalance }
      const outcome: Outcome = { kind: 'done', receipts: [receipt], replayed: true }
      this.#entries.set(retry.request, { fingerprint: retry.fingerprint, point: point.id, outcome })
    }
    for (const { retry, point, refusal, requestId } of refusals) {
      const body = JSON.stringify({ code: refusal.code, requestId })
      const outcome: Outcome = { kind: 'recalled', status: 422, body }
      this.#refusals.set(retry.request, { fingerprint: retry.fingerprint, point, outcome })
    }
  }

  changeDefault(id: string): void {
    const { points, version } = this.#config
    const defaultPoint = points.get(id)
    if (!defaultPoint) throw new Error(`unknown point type ${id}`)
    this.#config = { ...this.#config, version: version + 1, defaultPoint }
  }

  letADayPass(): void {
    this.#refusals.clear()
  }

  memberOf(account: number): string | null {
    for (const [id, number] of this.accounts) if (number === account) return id
    return null
  }

  /** All balances as the model names them. */
  named(): Map<string, bigint> {
    const names = new Map([...this.#config.points.values()].map(({ number, id }) => [number, id]))
    return new Map(
      [...this.balances].map(([key, balance]) => {
        const [account, point] = key.split(':').map(Number)
        return [`${names.get(point ?? 0)} ${this.memberOf(account ?? 0)}`, balance]
      }),
    )
  }
}

/** A point type without rules. */
export function plainPoint(id: string, number: number): Point {
  const limits = { maxBalance: null, maxPerTransfer: null, maxPerDay: null }
  return { id, name: id, number, emoji: null, archived: false, transferable: true, ...limits }
}

/** The default is not the first one created. */
function configOf({ open, points }: ModelRealm): RealmConfig {
  const made = points.map((id, index) => plainPoint(id, points.length - index))
  const [defaultPoint] = made
  if (!defaultPoint) throw new Error('a realm needs a point type')
  return {
    version: 1,
    id: 'realm',
    name: 'Realm',
    logo: null,
    colours: null,
    timeZone: 'UTC',
    publicBoard: false,
    unknownMembers: open ? 'create' : 'refuse',
    defaultPoint,
    points: new Map(made.map((point) => [point.id, point])),
  }
}

/** Freezes a value deeply; a Map by removing its mutating methods. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || Buffer.isBuffer(value)) {
    return value
  }
  if (value instanceof Map) {
    const refuse = () => assertUnchanged()
    Object.assign(value, { set: refuse, delete: refuse, clear: refuse })
    for (const held of value.values()) frozen(held)
  }
  for (const held of Object.values(value)) frozen(held)
  return Object.freeze(value)
}

function assertUnchanged(): never {
  throw new Error('a decision must not change its input')
}

/** A request as the handler passes it on. Key and fingerprint are plain; the last digit is the point’s. */
export function commandOf(request: Request): Command {
  const { id: requestId, member, recipient, tokens, point, reason, idempotencyKey } = request
  const meaning = JSON.stringify([request.kind, member, recipient, String(tokens), reason])
  const fingerprint = `${meaning} ${point === undefined ? 1 : 0}`
  const retry = idempotencyKey === undefined ? undefined : { request: idempotencyKey, fingerprint }
  const details = reason === undefined ? undefined : detailsOf(reason)
  const key = requestId.length + Number(requestId.at(-1))
  const common = { realm: 1, key, requestId, member, tokens, point, retry, details }
  if (recipient !== undefined) return { kind: 'transfer', ...common, recipient }
  return { kind: 'adjust', ...common }
}

function detailsOf(reason: string): Details {
  const absent = { reference: undefined, metadata: undefined, actorId: undefined }
  return { salt: Buffer.from('salt'), reason, ...absent, hash: `hash of ${reason}` }
}

/** An outcome in the model's terms. */
export function answerOf(outcome: Outcome | RehearsalOutcome): Answer {
  if (outcome.kind === 'rehearsed') throw new Error('unexpected dry run')
  if (outcome.kind === 'done') {
    const { seq, fromBalance: giverHas, toBalance: receiverHas } = outcome.receipts[0]
    return { code: 'done', seq, giverHas, receiverHas, replayed: outcome.replayed }
  }
  if (outcome.kind === 'recalled') {
    const { code, requestId } = JSON.parse(outcome.body) as Pick<ModelRefusal, 'code' | 'requestId'>
    return { code, requestId, replayed: true }
  }
  const { refusal, requestId, replayed } = outcome
  return { code: refusal.code as ModelRefusal['code'], requestId, replayed }
}
