import type { DeliveryRow, EndpointRow, ThresholdRow } from './endpointStore.ts'

/** An endpoint as the API returns it. */
export type Webhook = ReturnType<typeof webhookOf>

const text = (seq: bigint | null): string | null => (seq === null ? null : String(seq))
const iso = (date: Date | null): string | null => (date === null ? null : date.toISOString())

export function webhookOf(row: EndpointRow, thresholds: readonly ThresholdRow[]) {
  const own = thresholds.filter(({ endpoint }) => endpoint === row.number)
  return {
    id: String(row.number),
    url: row.url,
    types: row.types,
    description: row.description,
    ordered: row.ordered,
    includeDetails: row.include_details,
    window: row.parallel,
    thresholds: own.map(({ number, point_id: realmPointId, tokens }) => {
      return { id: String(number), realmPointId, tokens: Number(tokens) }
    }),
    state: row.state,
    seq: String(row.seq),
    behind: Number(row.head - row.seq),
    parked: row.parked,
    failures: row.failures,
    failingSince: iso(row.failing_since),
    nextAttemptAt: iso(row.next_at),
    blockedEventId: row.blocked_event,
    disabledAt: iso(row.disabled_at),
    disabledReason: row.disabled_why,
    replay: replayOf(row),
    oldSecretUntil: iso(row.old_secret_until),
    createdAt: row.created_at.toISOString(),
  }
}

/** `to` is the first entry that is not sent. */
function replayOf({ replay_from: from, replay_until: to, replay_seq: seq }: EndpointRow) {
  if (from === null || to === null || seq === null) return null
  return { from: String(from + 1n), to: String(to), seq: String(seq) }
}

export type DeliveryView = ReturnType<typeof deliveryOf>

export const deliveryOf = (row: DeliveryRow) => ({
  id: text(row.n) ?? '',
  eventId: row.event,
  type: row.type,
  replay: row.replay,
  at: row.at.toISOString(),
  attempt: row.attempt,
  status: row.status,
  durationMs: row.duration_ms,
  error: row.error,
  answer: row.answer,
})
