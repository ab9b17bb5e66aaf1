import type { HistoryEntry } from '@exchequer/sdk'

/** An entry by which a member gained points. */
export type Gain = Pick<HistoryEntry, 'transactionId' | 'type' | 'realmPointId' | 'tokens' | 'counterpartyId'>

/** `short`: the member no longer has the points. `gone`: they can't go back to a member who was removed. */
export type GainState = 'undo' | 'kept' | 'short' | 'gone'

type Balances = Readonly<Record<string, number>>

export type GainsPlan<T extends Gain = Gain> = {
  readonly rows: readonly { readonly gain: T; readonly state: GainState }[]
  readonly undo: readonly T[]
  /** Each currency that changes: how many points leave it, and its balance before and after. */
  readonly effects: readonly {
    readonly point: string
    readonly tokens: number
    readonly before: number
    readonly after: number
  }[]
}

/** Reversible gains; those that were undone before, and a member's own points that came back, are none. */
export const isGain = ({ tokens, reversible }: Pick<HistoryEntry, 'tokens' | 'reversible'>): boolean =>
  reversible && tokens > 0

/**
 * Which of the gains are undone: newest first, each that the balance still covers. So they can be undone in
 * any order, and several at once. `kept`: those that the person has unchecked.
 */
export function planOf<T extends Gain>(
  gains: readonly T[],
  { balances, kept }: { readonly balances: Balances; readonly kept: ReadonlySet<string> },
): GainsPlan<T> {
  const left: Record<string, number> = { ...balances }
  const stateOf = (gain: Gain): GainState => {
    if (gain.type === 'transfer' && gain.counterpartyId === null) return 'gone'
    if (kept.has(gain.transactionId)) return 'kept'
    const rest = (left[gain.realmPointId] ?? 0) - gain.tokens
    if (rest < 0) return 'short'
    left[gain.realmPointId] = rest
    return 'undo'
  }
  const rows = gains.map((gain) => ({ gain, state: stateOf(gain) }))
  const undo = rows.filter(({ state }) => state === 'undo').map(({ gain }) => gain)
  const points = [...new Set(undo.map(({ realmPointId }) => realmPointId))]
  const effects = points.map((point) => {
    const before = balances[point] ?? 0
    const after = left[point] ?? 0
    return { point, tokens: before - after, before, after }
  })
  return { rows, undo, effects }
}
