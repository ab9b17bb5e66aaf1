import type { AuditPage } from './audit.ts'
import { type OnceOptions, onceOf } from './change.ts'
import { type Env, settingsOf } from './env.ts'
import { Keys } from './keys.ts'
import { List, type ListOptions } from './list.ts'
import { Operators } from './operators.ts'
import { type CallOptions, type OperatorAnswer, type OperatorBody, sentAs } from './routes.ts'
import { Tokens } from './tokens.ts'
import { type Settings, Transport } from './transport.ts'

export type OperatedRealm = OperatorAnswer<'GET /realms/{realmID}'>
/** A realm of any cell: the settings are those of realms in the cell of the responding server. */
export type ListedRealm = OperatorAnswer<'GET /realms'>['data'][number]
export type NewRealm = OperatorBody<'POST /realms'>
/** Which realms to list: of one cell, or with this text in their names. */
export type RealmFilter = ListOptions & { readonly cell?: number; readonly name?: string }
/** Where there are several cells: the proxy sends the request to this one. */
export type NewRealmOptions = OnceOptions & { readonly cell?: number }
export type OperatedRealmChange = OperatorBody<'PATCH /realms/{realmID}'>
export type Health = OperatorAnswer<'GET /health'>

export type OperatorSettings = Omit<Settings, 'key'> & {
  /** An operator's token. */
  readonly token: string
}

/**
 * The operator API of an Exchequer server: creates realms, issues their keys, and reads the audit log.
 *
 * @example
 * ```ts
 * const operator = new Operator({ url, token })
 * const { id } = await operator.createRealm({ name: 'The Guild' })
 * const { key } = await operator.realm(id).keys.issue({ name: 'the bot' })
 * ```
 */
export class Operator {
  /** Operator tokens. */
  readonly tokens: Tokens
  /** The operators who sign in to the console. */
  readonly people: Operators
  readonly #transport: Transport
  readonly #base = '/operator/v1'

  constructor({ token, ...settings }: OperatorSettings) {
    this.#transport = new Transport({ ...settings, key: token })
    this.tokens = new Tokens(this.#transport, this.#base)
    this.people = new Operators(this.#transport, this.#base)
  }

  /**
   * A client from EXCHEQUER_URL and EXCHEQUER_TOKEN; given settings override them.
   *
   * @example
   * ```ts
   * const operator = Operator.fromEnv()
   * ```
   */
  static fromEnv(given: Partial<OperatorSettings> = {}, env?: Env): Operator {
    return new Operator({ ...given, ...settingsOf(['url', 'token'], given, env) })
  }

  /**
   * All realms, in the order they were created; `name` finds those with a text in their names.
   *
   * @example
   * ```ts
   * for await (const { id, name } of operator.realms()) console.log(id, name)
   * ```
   */
  realms({ cell, name, ...options }: RealmFilter = {}): List<OperatorAnswer<'GET /realms'>> {
    return new List(this.#transport, `${this.#base}/realms`, { ...options, query: { cell, name } })
  }

  /**
   * Creates a realm with its first point type; once, even when retried. With several cells, `cell` names the
   * one that it is created in.
   *
   * @example
   * ```ts
   * const { id, defaultPointId } = await operator.createRealm({ name: 'The Guild', unknownMembers: 'create' })
   * ```
   */
  createRealm(wanted: NewRealm = {}, { cell, ...options }: NewRealmOptions = {}): Promise<OperatedRealm> {
    const path = `${this.#base}/realms`
    return this.#transport.send({ method: 'POST', path, body: wanted, ...onceOf(options), query: { cell } })
  }

  /**
   * A realm, by id. Nothing is requested until a method is called.
   *
   * @example
   * ```ts
   * const { name, rateLimit } = await operator.realm(realmId).get()
   * ```
   */
  realm(id: string): OperatorRealm {
    return new OperatorRealm(this.#transport, `${this.#base}/realms/${encodeURIComponent(id)}`)
  }

  /**
   * Health of the installation, as seen by the responding server: database and standbys, the lag of
   * leaderboards, and when the ledger was last verified.
   *
   * @example
   * ```ts
   * const { ready, why, database, verified } = await operator.health()
   * ```
   */
  health(options: CallOptions = {}): Promise<Health> {
    return this.#transport.send({ method: 'GET', path: `${this.#base}/health`, ...sentAs(options) })
  }

  /**
   * The audit log of the installation, newest first. Each realm has its own: `realm(id).audit()`.
   *
   * @example
   * ```ts
   * for await (const { at, actor, action, subject } of operator.audit()) console.log(at, actor, action, subject)
   * ```
   */
  audit(options: ListOptions = {}): List<AuditPage> {
    return new List(this.#transport, `${this.#base}/audit`, options)
  }
}

/** `orphaned` needs a key of the realm. */
export type OperatorKeys = Omit<Keys, 'orphaned'>

/** A realm, for the operator. Everything else needs a key: `keys.issue` creates one. */
export class OperatorRealm {
  /** Its keys. */
  readonly keys: OperatorKeys
  readonly #transport: Transport
  readonly #base: string

  constructor(transport: Transport, base: string) {
    this.#transport = transport
    this.#base = base
    this.keys = new Keys(transport, base)
  }

  /**
   * The realm's settings, point types and rate limit.
   *
   * @example
   * ```ts
   * const { points } = await operator.realm(realmId).get()
   * ```
   */
  get(options: CallOptions = {}): Promise<OperatedRealm> {
    return this.#transport.send({ method: 'GET', path: this.#base, ...sentAs(options) })
  }

  /**
   * Changes the realm's rate limit, or suspends it and resumes it (`suspended: null`): a suspended realm can
   * only be read. Its other settings are changed by `realm.change`, with a key.
   *
   * @example
   * ```ts
   * await operator.realm(realmId).change({ rateLimit: { rate: 5_000, burst: 50_000 } })
   * await operator.realm(realmId).change({ suspended: { reason: 'Invoice 118 is unpaid.' } })
   * await operator.realm(realmId).change({ suspended: null })
   * ```
   */
  change(settings: OperatedRealmChange, options: OnceOptions = {}): Promise<OperatedRealm> {
    return this.#transport.send({ method: 'PATCH', path: this.#base, body: settings, ...onceOf(options) })
  }

  /**
   * The realm's audit log, newest first.
   *
   * @example
   * ```ts
   * for await (const { at, actor, action } of operator.realm(realmId).audit()) console.log(at, actor, action)
   * ```
   */
  audit(options: ListOptions = {}): List<AuditPage> {
    return new List(this.#transport, `${this.#base}/audit`, options)
  }
}
