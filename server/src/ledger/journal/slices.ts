/** Everything is replayed again within this many runs. */
export const rounds = 30

/** Fewer entries or accounts are not worth a slice: a small realm is replayed whole, once in a round. */
export const leastSlice = 1_000n

export type SlicePlace = {
  /** Slices of this round that are done. */
  readonly slice: number
  /** They got to this entry or account. */
  readonly done: bigint
  /** There are so many, by now. */
  readonly of: bigint
  readonly least?: bigint | undefined
}

/**
 * Where the next slice ends: what is left, divided by the runs left. So a round always takes 30 runs and
 * gets to the end, however fast the realm grows; and as no slice gets less far than the same slice of the
 * round before, two replays of an entry are at most 30 runs apart.
 */
export function sliceEnd({ slice, done, of, least = leastSlice }: SlicePlace): bigint {
  const runs = BigInt(rounds - slice)
  const left = of - done
  if (runs <= 1n || left <= 0n) return left > 0n ? of : done
  const length = (left + runs - 1n) / runs
  return length < least ? done : done + length
}

/** Where a realm begins its first round, after everything was replayed. Realms differ, to spread the work. */
export function firstPlace(realm: number, of: bigint, least = leastSlice): { slice: number; done: bigint } {
  const slice = realm % rounds
  const done = of < least * BigInt(rounds) ? 0n : (of * BigInt(slice)) / BigInt(rounds)
  return { slice, done }
}
