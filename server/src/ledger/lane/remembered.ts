import type { RealmConfig } from '../../realms/index.ts'
import type { Receipt } from '../rules/command.ts'
import type { RememberedAnswer } from '../rules/state.ts'
import type { FollowerRow } from './contextStore.ts'
import type { RequestRow } from './store.ts'

export const receiptOf = (row: FollowerRow): Receipt => ({
  seq: row.seq,
  atUs: row.at_us,
  amount: row.amount,
  fromBalance: row.from_balance,
  toBalance: row.to_balance,
})

/** What the realm remembers under an Idempotency-Key: an entry, or a refusal. */
export function rememberedOf(
  row: RequestRow,
  followers: readonly FollowerRow[],
  config: RealmConfig,
): RememberedAnswer {
  const { fingerprint, seq, at_us: atUs, amount } = row
  if (seq === null || atUs === null || amount === null) {
    const { status, body } = row
    return {
      fingerprint,
      point: row.point_id ?? '',
      outcome: { kind: 'recalled', status: status ?? 0, body: body ?? '' },
    }
  }
  const point = [...config.points.values()].find((candidate) => candidate.number === row.point)
  const first: Receipt = { seq, atUs, amount, fromBalance: row.from_balance, toBalance: row.to_balance }
  const rest = followers.map(receiptOf)
  return {
    fingerprint,
    point: point?.id ?? '',
    outcome: { kind: 'done', receipts: [first, ...rest], replayed: true },
  }
}
