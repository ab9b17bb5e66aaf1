import { readFileSync } from 'node:fs'
import { withBar } from '../bar.ts'
import type { Context } from '../command.ts'
import { memberOf } from '../commands/values.ts'
import { wrongUsage } from '../exits.ts'
import { placesOf } from '../rows.ts'
import { type MoveFile, pointsOf, rowOf } from './kept.ts'
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

/** The members and balances on the leaderboards. */
export type Board = {
  /** The old service's point types, its default first; none when its leaderboards are empty. */
  readonly kinds: readonly string[]
  readonly ids: ReadonlySet<string>
  readonly places: readonly { readonly kind: string; readonly id: string; readonly balance: number }[]
}

/** Reads the leaderboard of each point type; these are known once a member was read. */
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

/** A member whose points changed there since they were read, or who is new since then. */
export type MovedSince = {
  readonly id: string
  readonly kind: string
  readonly read: number
  readonly now: number
}

/** Compares what was read with the leaderboards now, and reads again the members on none. */
export async function movedSince(
  context: Context,
  { old, kept, kinds, atOnce }: Omit<Reading, 'ids' | 'withWallets'>,
): Promise<MovedSince[]> {
  const board = await readBoards(old)
  const moved: MovedSince[] = []
  const compared = new Set<string>()
  const look = ({ id, kind, now }: Omit<MovedSince, 'read'>, isDefault: boolean) => {
    const ours = kinds.maybe(kind, isDefault) ?? kind
    if (compared.has(`${id} ${ours}`)) return
    compared.add(`${id} ${ours}`)
    const row = kept.rows.get(id)
    const read = (row && new Map(pointsOf(row)).get(ours)) ?? 0
    if (read !== now) moved.push({ id, kind, read, now })
  }
  for (const { kind, id, balance: now } of board.places) look({ id, kind, now }, kind === board.kinds[0])
  const remaining = [...kept.rows.values()].filter((row) =>
    pointsOf(row).some(([ours]) => !compared.has(`${row.id} ${ours}`)),
  )
  await eachOf(context, { ids: remaining.map(({ id }) => id), what: 'looking again', atOnce }, async (id) => {
    const { balances = {} } = (await old.member(id, false)) ?? {}
    for (const [index, [kind, now]] of Object.entries(balances).entries())
      look({ id, kind, now }, index === 0)
    // A member who is gone there has 0 points.
    for (const [kind] of new Map(pointsOf(kept.rows.get(id) ?? { id })))
      if (!compared.has(`${id} ${kind}`)) look({ id, kind, now: 0 }, false)
  })
  return moved
}

export type Reading = {
  readonly old: OldService
  readonly ids: readonly string[]
  readonly kept: MoveFile
  readonly kinds: Kinds
  readonly withWallets: boolean
  /** Concurrent requests. */
  readonly atOnce: number
}

export type Read = { readonly absent: string[]; held: number }

type Each = { readonly ids: readonly string[]; readonly what: string; readonly atOnce: number }

/** Runs a task for each member, a few at a time. */
async function eachOf({ terminal }: Context, each: Each, work: (id: string) => Promise<void>): Promise<void> {
  const { ids, what, atOnce } = each
  if (ids.length === 0) return
  await withBar(terminal, { what, unit: ['member', 'members'] }, async (bar) => {
    let done = 0
    const wanted = ids.values()
    const worker = async () => {
      for (const id of wanted) {
        await work(id)
        done += 1
        bar.at(done / ids.length, done)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  })
}

/** Reads each member not stored yet. */
export async function readMembers(context: Context, reading: Reading): Promise<Read> {
  const { old, kept, kinds, withWallets, atOnce } = reading
  const found: Read = { absent: [], held: 0 }
  const ids = reading.ids.filter((id) => !kept.rows.has(id))
  await eachOf(context, { ids, what: 'reading', atOnce }, async (id) => {
    const member = await old.member(id, withWallets)
    if (member) kept.add(rowOf(member, kinds))
    else found.absent.push(id)
    found.held += member?.held ?? 0
  })
  return found
}
