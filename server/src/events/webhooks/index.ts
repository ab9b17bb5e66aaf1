import { randomBytes } from 'node:crypto'
import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import { announceExpiring, type Cipher, type KeySecret } from '../../keys/index.ts'
import type { History } from '../../ledger/index.ts'
import type { Checkpoints } from '../checkpoints/index.ts'
import { AddressGuard, type Resolve } from './addressGuard.ts'
import { CheckpointNotices } from './checkpointNotices.ts'
import { Dispatcher } from './dispatcher.ts'
import { type At, readTarget } from './endpointStore.ts'
import { Endpoints, type NewWebhook, notFound, type WebhookChange } from './endpoints.ts'
import { testType } from './eventTypes.ts'
import { countLogged, log, trimLogs } from './logStore.ts'
import { messageOf } from './message.ts'
import { ownLoad, Pacing } from './pacing.ts'
import { cipherOf } from './sealed.ts'
import { type Delivery, Sender } from './sender.ts'
import { Sources } from './sources.ts'
import { Upkeep } from './upkeep.ts'
import type { DeliveryView, Webhook } from './view.ts'

export { forgetAnswers, takeLeases } from './changeStore.ts'
export { lookEverySeconds } from './dispatcher.ts'
export type { At } from './endpointStore.ts'
export { endpointCap, type NewWebhook, type WebhookChange } from './endpoints.ts'
export { eventTypes } from './eventTypes.ts'
export { encryptWebhooksAgain, listEncryptedWebhooks } from './sealed.ts'
export { upkeepEverySeconds } from './upkeep.ts'
export type { DeliveryView, Webhook } from './view.ts'

export type WebhooksOptions = {
  readonly db: Database
  readonly history: Pick<History, 'feed'>
  readonly checkpoints: Pick<Checkpoints, 'isOn' | 'of'>
  readonly secrets: readonly KeySecret[]
  /** Hosts, addresses and CIDRs of receivers that are not on the public internet. */
  readonly allow: readonly string[]
  /** The header user-agent. */
  readonly agentName: string
  readonly onFault: (error: unknown, at?: At) => void
  /** How many changes of points this process has taken so far. */
  readonly changes: () => number
  readonly onLooked?: (() => void) | undefined
  readonly onUpkeep?: (() => void) | undefined
  /** An event had its first attempt, so long after it happened; not when its receiver failed meanwhile. */
  readonly onFirstAttempt?: ((delayMs: number) => void) | undefined
  /** For tests. */
  readonly now?: (() => number) | undefined
  readonly timeoutMs?: number | undefined
  readonly upkeepEveryMs?: number | undefined
  readonly resolve?: Resolve | undefined
}

/** Webhooks: endpoints of clients, and the delivery of events to them. */
export class Webhooks {
  readonly #db: Database
  readonly #now: () => number
  readonly #cipher: Cipher
  readonly #sender: Sender
  readonly #endpoints: Endpoints
  readonly #dispatcher: Dispatcher
  readonly #upkeep: Upkeep

  constructor(options: WebhooksOptions) {
    const { db, history, onFault, now = Date.now, agentName, timeoutMs } = options
    this.#db = db
    this.#now = now
    this.#cipher = cipherOf(options.secrets)
    const guard = new AddressGuard(options.allow, options.resolve)
    const sender = new Sender({ guard, agentName, timeoutMs })
    this.#sender = sender
    this.#endpoints = new Endpoints({ db, guard, seal: (secret) => this.#cipher.encrypt(secret) })
    const secretsOf = (sealed: readonly (string | null)[]) => this.#secretsOf(sealed)
    const sources = new Sources(db, history)
    const pacing = new Pacing(ownLoad(options.changes))
    this.#dispatcher = new Dispatcher({
      db,
      sources,
      pacing,
      sender,
      secretsOf,
      now,
      onFault,
      onLooked: options.onLooked,
      onFirstAttempt: options.onFirstAttempt,
    })

    const checkpoints = new CheckpointNotices(db, options.checkpoints)
    const tasks = [
      (most: number) => trimLogs(db, most),
      (most: number) => announceExpiring(db, most),
      (most: number) => checkpoints.next(most),
    ]
    this.#upkeep = new Upkeep(db, tasks, {
      onFault,
      everyMs: options.upkeepEveryMs,
      onDone: options.onUpkeep,
    })
  }

  /** A realm has new entries: called for every batch of writes, and does nothing but wake. */
  written(realm: number): void {
    this.#dispatcher.written(realm)
  }

  async close(): Promise<void> {
    await this.#upkeep.close()
    await this.#dispatcher.close()
    this.#sender.close()
  }

  list(realm: number, page: { readonly after: number; readonly limit: number }): Promise<readonly Webhook[]> {
    return this.#endpoints.list(realm, page)
  }

  get(at: At): Promise<Webhook> {
    return this.#endpoints.get(at)
  }

  async create(realm: number, given: NewWebhook, by: Actor): Promise<Webhook & { readonly secret: string }> {
    const { number, secret } = await this.#endpoints.create(realm, given, by)
    const at = { realm, number }
    this.#dispatcher.changed(at)
    return { ...(await this.get(at)), secret }
  }

  change(at: At, given: WebhookChange, by: Actor): Promise<Webhook> {
    return this.#changed(at, this.#endpoints.change(at, given, by))
  }

  remove(at: At, by: Actor): Promise<void> {
    return this.#endpoints.remove(at, by)
  }

  async rotate(at: At, overlapSeconds: number, by: Actor): Promise<Webhook & { readonly secret: string }> {
    const secret = await this.#endpoints.rotate(at, overlapSeconds, by)
    return { ...(await this.get(at)), secret }
  }

  replay(at: At, range: { readonly from: bigint; readonly to: bigint }, by: Actor): Promise<Webhook> {
    return this.#changed(at, this.#endpoints.replay(at, range, by))
  }

  skip(at: At, by: Actor): Promise<Webhook> {
    return this.#changed(at, this.#endpoints.skip(at, by))
  }

  deliveries(
    at: At,
    page: { readonly below: number | undefined; readonly limit: number },
  ): Promise<DeliveryView[]> {
    return this.#endpoints.deliveries(at, page)
  }

  /** Sends a test event now, whatever the state of the endpoint, and returns what came of it. */
  async test(
    at: At,
    { realmId, by }: { readonly realmId: string; readonly by: Actor },
  ): Promise<Delivery & { readonly eventId: string }> {
    const target = await readTarget(this.#db.within([at.realm]), at)
    if (!target) throw notFound(at.number)
    const id = `evt_test_${randomBytes(8).toString('hex')}`
    const sentAt = new Date(this.#now())
    const data = { realmId, webhookId: String(at.number) }
    const event = { id, type: testType, atUs: BigInt(sentAt.getTime()) * 1000n, seq: 0n, data }
    const secrets = this.#secretsOf([target.secret, target.old_secret])
    const message = messageOf({ event, previous: null })
    const sent = await this.#sender.send({ url: new URL(target.url), secrets }, message)
    const entry = { event: id, type: testType, isReplay: false, at: sentAt, attempt: 1 }
    await writeTransaction(this.#db, [at.realm], async (tx) => {
      const last = await countLogged(tx, at)
      if (last !== undefined) await log(tx, at, { last, rows: [{ ...entry, ...sent }] })
      await record(tx, by, { realm: at.realm, action: 'webhook.test', subject: String(at.number) })
    })
    return { ...sent, eventId: id }
  }

  async #changed(at: At, change: Promise<void>): Promise<Webhook> {
    await change
    this.#dispatcher.changed(at)
    return this.get(at)
  }

  /** The current secret first. One that can't be decrypted any more is left out. */
  #secretsOf(sealed: readonly (string | null)[]): readonly string[] {
    return sealed.flatMap((one) => (one === null ? [] : (this.#cipher.decrypt(one) ?? [])))
  }
}
