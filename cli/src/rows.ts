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

/** A leaderboard place, as a v4 service returns it. */
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
    // Reported below.
  }
  throw wrongUsage(`${where} is not a leaderboard: expected {"members":[{"id":…,"username":…,"balance":…}]}.`)
}

/** The rows of a leaderboard saved as a file, as NDJSON. */
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
