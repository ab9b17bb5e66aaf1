import { createHmac, randomBytes } from 'node:crypto'
import type { EntryData, WebhookType } from '@exchequer/sdk'

/** Webhooks as the server sends them, by Standard Webhooks 1.0.0. */

const secretForm = /^whsec_([A-Za-z0-9+/]{32,}={0,2})$/

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
export const isSecret = (text: string): boolean => secretForm.test(text)

/** The event of each type of entry. */
export const eventOfEntry: Readonly<Record<EntryData['type'], WebhookType>> = {
  adjust: 'points.adjusted',
  opening: 'points.adjusted',
  transfer: 'points.transferred',
  reversal: 'points.reversed',
  claim: 'points.claimed',
  lapse: 'points.lapsed',
  merge: 'points.merged',
  hold: 'hold.created',
  capture: 'hold.captured',
  release: 'hold.released',
  expiry: 'hold.expired',
  award: 'award.created',
  grant: 'award.granted',
  cancel: 'award.cancelled',
}

/** Events that are not of entries. */
const otherEvents = [
  'balance.crossed',
  'member.created',
  'member.changed',
  'member.merged',
  'member.removed',
  'member.erased',
  'members.imported',
  'points.lapsing',
  'wallet.linked',
  'wallet.unlinked',
  'key.created',
  'key.revoked',
  'key.expiring',
  'checkpoint.signed',
  'endpoint.disabled',
] as const satisfies readonly WebhookType[]

/** What a webhook can select. */
export const eventTypes: readonly WebhookType[] = [
  ...new Set([...Object.values(eventOfEntry), ...otherEvents]),
]

export type Place = {
  readonly realmId: string
  /** The entry whose event was sent before; null for the first one. */
  readonly previous: string | null
  readonly includeDetails: boolean
}

export type WebhookMessage = { readonly id: string; readonly type: string; readonly body: string }

export function messageOf(entry: EntryData, { realmId, previous, includeDetails }: Place): WebhookMessage {
  const { transactionId, realmPointId, tokens, fromId, fromBalance, toId, toBalance } = entry
  const { reverses, holdId, awardId, batchId, reason, reference, metadata, actorId } = entry
  const type = eventOfEntry[entry.type]
  const data = {
    seq: transactionId,
    previous,
    realmId,
    transactionId,
    realmPointId,
    tokens,
    fromId,
    fromBalance,
    toId,
    toBalance,
    reverses,
    holdId,
    awardId,
    batchId,
    ...(includeDetails ? { reason, reference, metadata, actorId } : {}),
  }
  return {
    id: `evt_${transactionId}_${entry.hash.slice(0, 16)}`,
    type,
    body: JSON.stringify({ type, timestamp: entry.at, data }),
  }
}

export function signedHeaders({ id, body }: WebhookMessage, secret: string, now: Date) {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
