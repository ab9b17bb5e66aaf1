import { useRef } from 'react'

/**
 * Whether an entry was added to a list while it was shown, for a row that is highlighted once. `list` names
 * what is listed: after a change of its filters nothing in it is new.
 */
export function useFresh(list: string, newest: string | undefined): (seq: string) => boolean {
  const first = useRef<{ readonly list: string; readonly seq: bigint }>(undefined)
  if (newest !== undefined && first.current?.list !== list) first.current = { list, seq: BigInt(newest) }
  const known = first.current?.seq
  return (seq) => known !== undefined && BigInt(seq) > known
}
