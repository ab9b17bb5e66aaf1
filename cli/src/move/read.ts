import { readFileSync } from 'node:fs'
import { withBar } from '../bar.ts'
import type { Context } from '../command.ts'
import { memberOf } from '../commands/values.ts'
import { wrongUsage } from '../exits.ts'
import { placesOf } from '../rows.ts'
import { type Kept, pointsOf, rowOf } from './kept.ts'
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

/** What the leaderboards tell: who is on them, and with how much. */
export type Board = {
  /** The old service's kinds of points, its default first; none where nobody is on a leaderboard. */
  readonly kinds: readonly string[]
  readonly ids: ReadonlySet<string>
  readonly places: readonly { readonly kind: string; readonly id: string; readonly balance: number }[]
}

/** Reads the leaderboard of each kind; the kinds are known once a member was read. */
export async function readBoards(old: OldService): Promise<Board> {
  const ranked = []
  for await (const place of old.places()) ranked.push(place)
  const first = ranked[0] && (await old.member(ranked[0].id, false))
  const [byDefault = '', ...others] = Object.keys(first?.balances ?? {})
  const places = ranked.map(({ id, balance }) => ({ kind: byDefault, id, balance: Number(balance ?? 0) }))
  for (const kind of others)
    for await (const { id, balance } of old.places(kind))
      places.push({ kind, id, balance: Number(balance ?? 0) })
  const kinds = byDefault === '' ? [] : [byDefault, ...others]
  return { kinds, ids: new Set(places.map(({ id }) => id)), places }
}

/** A member whose points have moved there since they were read, or who came since. */
export type MovedSince = {
  readonly id: string
  readonly kind: string
  readonly read: number
  readonly now: number
}

/** Asks the leaderboards again: what was read is compared with what they tell now. */
export async function movedSince(old: OldService, kept: Kept, kinds: Kinds): Promise<MovedSince[]> {
  const board = await readBoards(old)
  return board.places.flatMap(({ kind, id, balance: now }) => {
    if (now === 0) return []
    const row = kept.rows.get(id)
    const read = (row && new Map(pointsOf(row)).get(kinds.of(kind, kind === board.kinds[0]))) ?? 0
    return read === now ? [] : [{ id, kind, read, now }]
  })
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
