import type { JournalEntry } from './journal.ts'
import type { AnswerOf } from './routes.ts'

/** Verifies webhooks, which are signed by Standard Webhooks 1.0.0: https://www.standardwebhooks.com */

type Entry = AnswerOf<'GET /entries/{transactionID}'>

/** Events of one entry of the journal. */
export type EntryEventType =
  | 'points.adjusted'
  | 'points.transferred'
  | 'points.reversed'
  | 'points.claimed'
  | 'points.lapsed'
  | 'points.merged'
  | 'hold.created'
  | 'hold.captured'
  | 'hold.released'
  | 'hold.expired'

/** An event's place in the endpoint's selection: its entry, and the one of the event before it. */
type Place = { readonly seq: string; readonly previous: string | null; readonly realmId: string }

/** Ids are null for the realm, and for members that were removed. Details only if the endpoint includes them. */
export type EntryEventData = Place &
  Pick<JournalEntry, 'realmPointId' | 'tokens' | 'fromId' | 'fromBalance' | 'toId' | 'toBalance'> &
  Pick<Entry, 'transactionId' | 'reverses' | 'holdId' | 'awardId' | 'batchId'> &
  Partial<Pick<Entry, 'reason' | 'reference' | 'metadata' | 'actorId'>>

/** A member's balance reached a threshold, or fell below it. */
export type CrossingEventData = Place &
  Pick<Entry, 'transactionId' | 'realmPointId'> & {
    readonly memberId: string | null
    readonly thresholdId: string
    readonly threshold: number
    readonly direction: 'up' | 'down'
    readonly oldBalance: number
    readonly newBalance: number
  }

/** The place of an event that is not of an entry: its number, and the last entry before it. */
type NoticePlace = {
  readonly n: string
  readonly previous: string | null
  readonly afterSeq: string
  readonly realmId: string
}

/** Null for members that were removed or erased; other fields are missing for erased ones. */
type OfMember = { readonly memberId: string | null }
type MemberState = OfMember & { readonly frozen?: boolean; readonly hidden?: boolean }
type OfWallet = OfMember & { readonly address?: string; readonly chain?: string }
type OfKey = { readonly keyId: string; readonly name: string; readonly expiresAt: string | null }

/** What the notices say, by their type. */
type Notices = {
  'member.created': MemberState
  'member.changed': MemberState & { readonly changed?: readonly string[] }
  'member.merged': OfMember & { readonly number?: number; readonly undone?: boolean }
  'member.removed': OfMember
  'member.erased': OfMember
  'members.imported': {
    readonly name: string
    readonly rows: number
    readonly members: { readonly created: number; readonly updated: number }
    readonly wallets: { readonly linked: number }
    readonly openings: { readonly made: number; readonly alreadyThere: number; readonly onTop: number }
  }
  'points.lapsing': OfMember & {
    readonly realmPointId?: string
    readonly tokens?: string
    readonly lapsesOn?: string
  }
  'wallet.linked': OfWallet & { readonly verified?: boolean }
  'wallet.unlinked': OfWallet
  'key.created': OfKey & { readonly scopes: readonly string[] | null; readonly replaces: string | null }
  'key.revoked': OfKey
  'key.expiring': OfKey
  'checkpoint.signed': { readonly checkpoint: AnswerOf<'GET /checkpoint'> }
  'endpoint.disabled': { readonly webhookId: string; readonly url: string; readonly reason: string }
}

export type NoticeType = keyof Notices
export type NoticeData<Type extends NoticeType> = NoticePlace & Notices[Type]

/**
 * Other events. A newer server may send others still: to compare `type` with one that is not here, assign it to
 * a `string` first. Were any string allowed here, no comparison would narrow `data`.
 */
export type OtherEventType = `award.${string}` | 'endpoint.test' | `points.${'lapsed' | 'lapsing'}`

type EventOf<Type, Data> = {
  /** The same after a retry or a replay: handle each id once. */
  readonly id: string
  readonly type: Type
  /** When it happened. */
  readonly timestamp: string
  readonly data: Data
}

export type WebhookEvent =
  | EventOf<EntryEventType, EntryEventData>
  | EventOf<'balance.crossed', CrossingEventData>
  | { [Type in NoticeType]: EventOf<Type, NoticeData<Type>> }[NoticeType]
  | EventOf<OtherEventType, Readonly<Record<string, unknown>>>

export type WebhookFault =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'in_the_future'
  | 'wrong_signature'
  | 'invalid_body'

/** The request is not a valid webhook: reject it with 401. `code` says why. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}

/** Of a `Request`, or `req.headers` of Node. */
export type WebhookHeaders =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookOptions = {
  /** The endpoint's secret; several while it is being rotated. */
  readonly secret: string | readonly string[]
  /** How much `webhook-timestamp` may differ from this machine's clock, in seconds; 300 by default. */
  readonly toleranceSeconds?: number
}

/**
 * Verifies a webhook and returns its event. `body` is as it was received: parsed and written again, it would differ.
 * Throws a `WebhookError` if the request was not signed with this secret within the last 5 minutes.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(request.headers, await request.text(), secret)
 * if (event.type === 'points.adjusted') console.log(event.id, event.data.toId, event.data.tokens)
 * ```
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[] | WebhookOptions,
): Promise<WebhookEvent> {
  const { secret: given, toleranceSeconds = 300 } = isOptions(secret) ? secret : { secret }
  const keys = [given].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('No secret was given.')
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new TypeError('Pass the body as it was received, a string or bytes, not parsed.')
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string]
  const untimely = timeErrorOf(timestamp, toleranceSeconds)
  if (untimely) throw untimely
  const signed = bytesOf(`${id}.${timestamp}.`, body)
  const received = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [decoded(one.slice(3))] : []))
  for (const key of keys) {
    const expected = await signatureOf(key, signed)
    if (received.some((one) => isSame(one, expected))) return eventOf(id, body)
  }
  throw new WebhookError(
    'wrong_signature',
    'No signature matches. Check the secret, and that the body is passed as it was received.',
  )
}

const isOptions = (secret: string | readonly string[] | WebhookOptions): secret is WebhookOptions =>
  typeof secret === 'object' && 'secret' in secret

const leastBytes = 24

/** An error in your settings, not in the request. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = typeof secret === 'string' ? decoded(secret.replace(/^whsec_/, '')) : undefined
  if (key && key.length >= leastBytes) return key
  throw new TypeError(`The secret is not valid: expected whsec_ and at least ${leastBytes} bytes in base64.`)
}

/** Empty if it is not base64. */
function decoded(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? (headers as Pick<Headers, 'get'>).get(name)
      : Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  if (value?.length) return [value].flat().join(' ')
  throw new WebhookError('missing_header', `The header ${name} is missing: the request is not a webhook.`)
}

function timeErrorOf(timestamp: string, toleranceSeconds: number): WebhookError | undefined {
  if (!/^[0-9]{1,12}$/.test(timestamp))
    return new WebhookError(
      'invalid_timestamp',
      `webhook-timestamp is not a time in seconds: "${timestamp}".`,
    )
  const age = Math.floor(Date.now() / 1000) - Number(timestamp)
  const clock = `Allowed are ${toleranceSeconds} s: is this machine’s clock right?`
  if (age > toleranceSeconds)
    return new WebhookError('too_old', `The webhook was sent ${age} s ago. ${clock}`)
  if (-age <= toleranceSeconds) return undefined
  return new WebhookError('in_the_future', `The webhook was sent ${-age} s in the future. ${clock}`)
}

function bytesOf(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const [first, second] = [encoder.encode(head), typeof body === 'string' ? encoder.encode(body) : body]
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}

async function signatureOf(secret: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>) {
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await subtle.sign('HMAC', key, signed))
}

/** Takes equally long wherever they differ. */
const isSame = (one: Uint8Array, expected: Uint8Array): boolean =>
  one.length === expected.length && expected.reduce((sum, byte, at) => sum | (byte ^ (one[at] ?? 0)), 0) === 0

function eventOf(id: string, body: string | Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as WebhookEvent
    if (typeof event.type === 'string') return { ...event, id }
  } catch {
    // The error below is the same.
  }
  throw new WebhookError('invalid_body', 'The body is not a JSON object with a type.')
}
