import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import type { Queryable, Writable } from '../../db/session.ts'
import { invalid, refuse } from '../../errors.ts'
import type { AddressGuard } from './addressGuard.ts'
import {
  deleteEndpoint,
  endThresholds,
  forgetPrevious,
  lockEndpoint,
  pause,
  replaceSecret,
  resume,
  stepOver,
  updateEndpoint,
} from './changeStore.ts'
import {
  type At,
  countEndpoints,
  type EndpointValues,
  insertEndpoint,
  insertThresholds,
  insertTrack,
  listDeliveries,
  listEndpoints,
  listThresholds,
  readEnds,
  readNoticeRange,
  readPoints,
  takeNumbers,
} from './endpointStore.ts'
import { makeSecret } from './message.ts'
import { type DeliveryView, deliveryOf, type Webhook, webhookOf } from './view.ts'

/** Per realm. */
export const endpointCap = 50

export type ThresholdInput = { readonly realmPointId: string; readonly tokens: number }

export type WebhookChange = Partial<Omit<EndpointValues, 'parallel'>> & {
  readonly window?: number | undefined
  readonly thresholds?: readonly ThresholdInput[] | undefined
  readonly state?: 'active' | 'disabled' | undefined
}

export type NewWebhook = Omit<WebhookChange, 'state' | 'url'> & {
  readonly url: string
  /** The first entry that is sent; the next one when omitted. */
  readonly from?: bigint | undefined
}

const usual = { types: null, description: null, ordered: false, includeDetails: false, parallel: 8 }

export type EndpointsOptions = {
  readonly db: Database
  readonly guard: AddressGuard
  readonly seal: (secret: string) => string
}

/** Endpoints as clients manage them. Every change is in the audit log. */
export class Endpoints {
  readonly #options: EndpointsOptions

  constructor(options: EndpointsOptions) {
    this.#options = options
  }

  async list(
    realm: number,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly Webhook[]> {
    const own = this.#options.db.within([realm])
    const rows = await listEndpoints(own, realm, page)
    const thresholds = await listThresholds(
      own,
      realm,
      rows.map(({ number }) => number),
    )
    return rows.map((row) => webhookOf(row, thresholds))
  }

  async get({ realm, number }: At): Promise<Webhook> {
    const [found] = await this.list(realm, { after: number - 1, limit: 1 })
    if (found?.id !== String(number)) throw notFound(number)
    return found
  }

  /** Returns the new endpoint's number, and its secret, which can't be read again. */
  async create(realm: number, given: NewWebhook, by: Actor): Promise<{ number: number; secret: string }> {
    const { url, window: parallel = usual.parallel, thresholds = [], from, ...rest } = given
    this.#checkUrl(url)
    const secret = makeSecret()
    const number = await writeTransaction(this.#options.db, [realm], async (tx) => {
      const taken = await takeNumbers(tx, realm, { endpoint: 1, threshold: thresholds.length })
      if ((await countEndpoints(tx, realm)) >= endpointCap) throw tooMany()
      const ends = await readEnds(tx, realm)
      const at = { realm, number: taken.endpoint }
      const values = { ...usual, ...withoutUndefined(rest), url, parallel }
      await insertEndpoint(tx, at, { ...values, secret: this.#options.seal(secret) })
      const seq = from === undefined || from > ends.seq ? ends.seq : from - 1n
      await insertTrack(tx, at, { track: 'live', seq })
      await insertTrack(tx, at, { track: 'notices', seq: ends.n })
      const first = taken.threshold - thresholds.length + 1
      const rows = await newThresholds(tx, realm, { given: thresholds, first })
      await insertThresholds(tx, at, { fromSeq: seq, rows })
      await record(tx, by, { realm, action: 'webhook.create', subject: String(at.number) })
      return at.number
    })
    return { number, secret }
  }

  async change(at: At, given: WebhookChange, by: Actor): Promise<void> {
    if (given.url !== undefined) this.#checkUrl(given.url)
    const { state, thresholds, window, ...rest } = given
    await this.#within(
      at,
      'webhook.change',
      by,
    )(async (tx, locked) => {
      const now = await this.get(at)
      const { window: parallel, ...kept } = now
      await updateEndpoint(tx, at, {
        ...kept,
        ...withoutUndefined(rest),
        parallel: window ?? parallel,
      })
      if (rest.types !== undefined) await forgetPrevious(tx, at)
      if (thresholds !== undefined) await this.#changeThresholds(tx, at, { now, thresholds })
      if (state === 'disabled' && locked.state !== state) await pause(tx, at, 'It was disabled by a client.')
      if (state === 'active') await resume(tx, at)
    })
  }

  async remove(at: At, by: Actor): Promise<void> {
    await this.#within(
      at,
      'webhook.delete',
      by,
    )(async (tx) => {
      await deleteEndpoint(tx, at)
    })
  }

  /** Returns the new secret. The old one signs as well for the overlap. */
  async rotate(at: At, overlapSeconds: number, by: Actor): Promise<string> {
    const secret = makeSecret()
    await this.#within(
      at,
      'webhook.rotate',
      by,
    )((tx) => replaceSecret(tx, at, { secret: this.#options.seal(secret), overlapSeconds }))
    return secret
  }

  /** Sends entries again, from one up to another, which is not sent, and the kept notices after them. */
  async replay(at: At, { from, to }: { readonly from: bigint; readonly to: bigint }, by: Actor) {
    await this.#within(
      at,
      'webhook.replay',
      by,
    )(async (tx) => {
      const { seq } = await readEnds(tx, at.realm)
      const until = to > seq + 1n ? seq + 1n : to
      if (from >= until) throw invalid('/from', 'Expected an entry before `to` that exists.')
      if (!(await insertTrack(tx, at, { track: 'replay', seq: from - 1n, until })))
        throw refuse('replay_running', 'A replay of this webhook is still running. Wait until it has ended.')
      // Notices before the first entry belong to it.
      const range = { from: from === 1n ? 0n : from, to: until }
      const notices = await readNoticeRange(tx, at.realm, range)
      if (notices) {
        const { first, last } = notices
        await insertTrack(tx, at, { track: 'notice_replay', seq: first - 1n, until: last + 1n })
      }
    })
  }

  /** Goes on after the event that an ordered endpoint can't deliver. */
  async skip(at: At, by: Actor): Promise<void> {
    await this.#within(
      at,
      'webhook.skip',
      by,
    )(async (tx, { blocked_track: track }) => {
      if (track === null)
        throw refuse('nothing_to_skip', 'No event keeps this webhook from sending the next one.')
      await stepOver(tx, at, track)
      await resume(tx, at)
    })
  }

  async deliveries(
    at: At,
    page: { readonly below: number | undefined; readonly limit: number },
  ): Promise<DeliveryView[]> {
    await this.get(at)
    return (await listDeliveries(this.#options.db.within([at.realm]), at, page)).map(deliveryOf)
  }

  /** A transaction on one endpoint, which it locks and records. */
  #within(at: At, action: string, by: Actor) {
    type Locked = NonNullable<Awaited<ReturnType<typeof lockEndpoint>>>
    return (work: (tx: Writable, locked: Locked) => Promise<void>): Promise<void> =>
      writeTransaction(this.#options.db, [at.realm], async (tx) => {
        const locked = await lockEndpoint(tx, at)
        if (!locked) throw notFound(at.number)
        await work(tx, locked)
        await record(tx, by, { realm: at.realm, action, subject: String(at.number) })
      })
  }

  /** A threshold never changes: one with another amount is a new one, for the entries from now on. */
  async #changeThresholds(
    tx: Writable,
    at: At,
    { now, thresholds }: { readonly now: Webhook; readonly thresholds: readonly ThresholdInput[] },
  ): Promise<void> {
    const isSame = (a: ThresholdInput, b: ThresholdInput) =>
      a.realmPointId === b.realmPointId && a.tokens === b.tokens
    const added = thresholds.filter((one) => !now.thresholds.some((other) => isSame(one, other)))
    const ended = now.thresholds.filter((one) => !thresholds.some((other) => isSame(one, other)))
    const { seq } = await readEnds(tx, at.realm)
    await endThresholds(tx, at, { toSeq: seq, numbers: ended.map(({ id }) => Number(id)) })
    const taken = await takeNumbers(tx, at.realm, { endpoint: 0, threshold: added.length })
    const first = taken.threshold - added.length + 1
    const rows = await newThresholds(tx, at.realm, { given: added, first })
    await insertThresholds(tx, at, { fromSeq: seq, rows })
  }

  #checkUrl(given: string): void {
    const url = URL.parse(given)
    const problem = url
      ? this.#options.guard.problemOf(url)
      : 'Expected a URL such as https://example.com/events.'
    if (problem !== undefined) throw invalid('/url', problem)
  }
}

async function newThresholds(
  tx: Queryable,
  realm: number,
  { given, first }: { readonly given: readonly ThresholdInput[]; readonly first: number },
) {
  const points = given.length === 0 ? new Map<string, number>() : await readPoints(tx, realm)
  return given.map(({ realmPointId, tokens }, place) => {
    const point = points.get(realmPointId)
    if (point === undefined) throw refuse('point_not_found', `The realm has no point type ${realmPointId}.`)
    return { number: first + place, point, tokens: BigInt(tokens) }
  })
}

/** An omitted field stays as it is. */
const withoutUndefined = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never

const tooMany = () =>
  refuse('webhook_limit', `A realm has ${endpointCap} webhooks at most. Delete one first.`, {
    limit: endpointCap,
  })

export const notFound = (number: number) => refuse('webhook_not_found', `The realm has no webhook ${number}.`)
