import { createHmac, randomBytes } from 'node:crypto'
import type { Event } from './entryEvents.ts'

/** Messages as Standard Webhooks 1.0.0 describes them. */

const secretPrefix = 'whsec_'
const secretBytes = 32

export const makeSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64')

/** An event with its place in an endpoint's selection. */
export type Placed = {
  readonly event: Event
  /** The event before it, sent or not; null for the first one, and in a replay. */
  readonly previous: bigint | null
}

export type Message = {
  readonly id: string
  readonly body: string
  readonly isReplay: boolean
}

/** To the microsecond, as in the journal. */
function timeOf(atUs: bigint): string {
  const below = String(atUs % 1000n).padStart(3, '0')
  return new Date(Number(atUs / 1000n)).toISOString().replace('Z', `${below}Z`)
}

/** `place` names the event's position: `seq` for entries, `n` for notices; a test has none. */
export function messageOf({ event, previous }: Placed, place?: 'seq' | 'n', isReplay = false): Message {
  const { id, type, atUs, seq, data } = event
  const before = previous === null ? null : String(previous)
  const body = JSON.stringify({
    type,
    timestamp: timeOf(atUs),
    data: place === undefined ? data : { [place]: String(seq), previous: before, ...data },
  })
  return { id, body, isReplay }
}

/** While a secret is being replaced, there are two signatures, and a receiver accepts either. */
export function signedHeaders(
  { id, body, isReplay }: Message,
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    ...(isReplay ? { 'webhook-replay': 'true' } : {}),
  }
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
