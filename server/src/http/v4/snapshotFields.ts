import type { MemberRow } from '../../web3/snapshots/index.ts'
import { balance, memberIdAnswer, nullable, Type } from '../route/schemas.ts'

/** Members as snapshots have them. */

export const hex = Type.String({ pattern: '^0x[0-9a-f]{64}$' })

const apart = nullable(
  Type.Union([Type.Literal('no_wallet'), Type.Literal('frozen')], {
    description: 'Why the member is not in the tree; null when it is.',
  }),
)
export const memberFields = {
  id: nullable(memberIdAnswer),
  wallet: nullable(Type.String()),
  tokens: balance,
  apart,
}

export function memberBody({ id, address, amount, frozen, leaf }: MemberRow) {
  const without = address === null && leaf === null
  const why = without ? ('no_wallet' as const) : frozen ? ('frozen' as const) : null
  return { id, wallet: address, tokens: Number(amount), apart: why }
}

export const nodesOf = (proof: readonly string[] | null): string[] | null =>
  proof?.map((node) => `0x${node}`) ?? null

export const mergedFields = {
  mergedFrom: nullable(memberIdAnswer),
  wallet: memberFields.wallet,
  tokens: balance,
  apart,
  proof: nullable(Type.Array(hex)),
}
