import { readFileSync } from 'node:fs'
import { wrongUsage } from './exits.ts'
import { withoutLoss } from './files.ts'

/** A member as an import takes it: names, wallets, and `balance` or `balance:<kind>`. */
export type ImportRow = {
  readonly id: string
  readonly username?: string
  readonly displayName?: string
  readonly wallet?: string
  readonly chain?: string
  readonly [balance: `balance${string}`]: number | string
}

/** A place on a leaderboard, as a v4 service answers it. */
export type Place = {
  readonly id: string
  readonly username?: string | null
  readonly balance?: number | string
  readonly wallet?: string | null
}

/** A leaderboard's places, from the text of its JSON. */
export function placesOf(text: string, where: string): readonly Place[] {
  try {
    const board = JSON.parse(withoutLoss(text)) as { members?: readonly Place[] } | readonly Place[]
    const places = Array.isArray(board) ? board : (board as { members?: readonly Place[] }).members
    if (Array.isArray(places)) return places.map((one: Place) => ({ ...one, id: String(one.id) }))
  } catch {
    // Told below.
  }
  throw wrongUsage(`${where} is no leaderboard: expected {"members":[{"id":…,"username":…,"balance":…}]}.`)
}

/** The rows of a leaderboard that was kept as a file, as NDJSON. */
export function rowsOfLeaderboard(file: string): string {
  const places = placesOf(readFileSync(file, 'utf8'), file)
  const rows = places.map(({ id, username, balance, wallet }) => ({
    id,
    ...(username ? { username } : {}),
    ...(wallet ? { wallet } : {}),
    ...(balance === undefined ? {} : { balance: String(balance) }),
  }))
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
