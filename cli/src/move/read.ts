import { readFileSync } from 'node:fs'
import { withBar } from '../bar.ts'
import type { Context } from '../command.ts'
import { memberOf } from '../commands/values.ts'
import { wrongUsage } from '../exits.ts'
import { placesOf } from '../rows.ts'
import { type Kept, rowOf } from './kept.ts'
import type { Kinds } from './kinds.ts'
import type { OldService } from './source.ts'

/** Ids from a file: a line each, the first column of CSV, or a leaderboard's JSON. */
export function idsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  if (/^\s*[[{]/.test(text)) return placesOf(text, file).map(({ id }) => memberOf(id))
  const cells = text.split('\n').map((line) => (line.split(',')[0] ?? '').replaceAll(/[="\s]/g, ''))
  const [first = '', ...rest] = cells
  const ids = (/^[0-9]/.test(first) ? cells : rest).filter((cell) => cell !== '')
  if (ids.length === 0) throw wrongUsage(`${file} has no member id in it.`)
  return ids.map(memberOf)
}

/** What the leaderboards told: who is on them, and with how much. */
export type Board = {
  readonly ids: Set<string>
  /** By the old kind of points, what each has there; `undefined` is the default. */
  readonly totals: Map<string | undefined, bigint>
}

/** Reads the leaderboard of each kind; kinds are known once a member was read. */
export async function readBoards(old: OldService): Promise<Board> {
  const board: Board = { ids: new Set(), totals: new Map() }
  const one = async (kind: string | undefined) => {
    let total = 0n
    for await (const { id, balance } of old.places(kind)) {
      board.ids.add(id)
      total += BigInt(balance ?? 0)
    }
    board.totals.set(kind, total)
  }
  await one(undefined)
  const [first] = board.ids
  const kinds = first === undefined ? [] : Object.keys((await old.member(first, false))?.balances ?? {})
  for (const kind of kinds.slice(1)) await one(kind)
  return board
}

export type Reading = {
  readonly old: OldService
  readonly ids: readonly string[]
  readonly kept: Kept
  readonly kinds: Kinds
  readonly withWallets: boolean
  /** How many are asked for at a time. */
  readonly atOnce: number
}

export type Read = { readonly absent: string[]; held: number }

/** Reads each member that is not kept yet, a few at a time. */
export async function readMembers({ terminal }: Context, reading: Reading): Promise<Read> {
  const { old, ids, kept, kinds, withWallets, atOnce } = reading
  const found: Read = { absent: [], held: 0 }
  const wanted = ids.filter((id) => !kept.rows.has(id)).values()
  await withBar(terminal, { what: 'reading', unit: ['member', 'members'] }, async (bar) => {
    const work = async () => {
      for (const id of wanted) {
        const member = await old.member(id, withWallets)
        if (member) kept.add(rowOf(member, kinds))
        else found.absent.push(id)
        found.held += member?.held ?? 0
        bar.at(kept.rows.size / ids.length, kept.rows.size)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  })
  return found
}
