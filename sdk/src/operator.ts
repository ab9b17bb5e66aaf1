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
export type NewRealm = OperatorBody<'POST /realms'>
export type OperatedRealmChange = OperatorBody<'PATCH /realms/{realmID}'>
export type Health = OperatorAnswer<'GET /health'>

export type OperatorSettings = Omit<Settings, 'key'> & {
  /** An operator's token. */
  readonly token: string
}

/**
 * The operator of an Exchequer server: makes realms, issues their keys, and reads what was done.
 *
 * @example
 * ```ts
 * const operator = new Operator({ url, token })
 * const { id } = await operator.createRealm({ name: 'The Guild' })
 * const { key } = await operator.realm(id).keys.issue({ name: 'the bot' })
 * ```
 */
export class Operator {
  /** The tokens that open this door. */
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
   * The operator whom EXCHEQUER_URL and EXCHEQUER_TOKEN name; what is given goes before them.
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
   * All realms, as they were made, page by page as they are asked for.
   *
   * @example
   * ```ts
   * for await (const { id, name } of operator.realms()) console.log(id, name)
   * ```
   */
  realms(options: ListOptions = {}): List<OperatorAnswer<'GET /realms'>> {
    return new List(this.#transport, `${this.#base}/realms`, options)
  }

  /**
   * Makes a realm with its first kind of points, once, also when it has to be sent again.
   *
   * @example
   * ```ts
   * const { id, defaultPointId } = await operator.createRealm({ name: 'The Guild', unknownMembers: 'create' })
   * ```
   */
  createRealm(wanted: NewRealm = {}, options: OnceOptions = {}): Promise<OperatedRealm> {
    const path = `${this.#base}/realms`
    return this.#transport.send({ method: 'POST', path, body: wanted, ...onceOf(options) })
  }

  /**
   * A realm, by id. Nothing is asked until one of its methods is called.
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
   * How the installation is, as the server sees it that answers: its database and standbys, how far leaderboards
   * are behind, and when the books were last verified.
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
   * What was done to the installation, the newest first. What was done to a realm is in `realm(id).audit()`.
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

/** A realm, for the operator. What a key can do is done with a key: `keys.issue` makes one. */
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
   * The realm's settings, kinds of points and rate limit.
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
   * Changes the realm's rate limit. Its other settings are changed by `realm.change`, with a key.
   *
   * @example
   * ```ts
   * await operator.realm(realmId).change({ rateLimit: { rate: 5_000, burst: 50_000 } })
   * ```
   */
  change(settings: OperatedRealmChange, options: OnceOptions = {}): Promise<OperatedRealm> {
    return this.#transport.send({ method: 'PATCH', path: this.#base, body: settings, ...onceOf(options) })
  }

  /**
   * Who changed what in the realm, the newest first.
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
