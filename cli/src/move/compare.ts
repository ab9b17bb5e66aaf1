import { withBar } from '../bar.ts'
import type { Context } from '../command.ts'
import { type MoveFile, pointsOf } from './kept.ts'

export type Difference = {
  readonly id: string
  readonly kind: string
  readonly there: number
  readonly here: number
}
export type Comparison = {
  /** By point type: the total that the moved members have here. */
  readonly here: Map<string, bigint>
  readonly differences: Difference[]
}

/** Reads all moved members from this server and compares each balance. */
export async function compare({ realm, terminal }: Context, kept: MoveFile): Promise<Comparison> {
  const here = new Map<string, bigint>()
  const differences: Difference[] = []
  const seen = new Set<string>()
  const look = (id: string, balances: Readonly<Record<string, number>>) => {
    const row = kept.rows.get(id)
    if (!row || seen.has(id)) return
    seen.add(id)
    const there = new Map(pointsOf(row))
    for (const [kind, tokens] of Object.entries(balances)) {
      here.set(kind, (here.get(kind) ?? 0n) + BigInt(tokens))
      if (tokens !== (there.get(kind) ?? 0))
        differences.push({ id, kind, there: there.get(kind) ?? 0, here: tokens })
    }
  }
  await withBar(terminal, { what: 'comparing', unit: ['member', 'members'] }, async (bar) => {
    let cursor: string | null | undefined
    do {
      const page = await realm()
        .members.list()
        .page({ limit: 1000, ...(cursor ? { cursor } : {}) })
      for (const { id, balances } of page.data) look(id, balances)
      bar.at(seen.size / Math.max(1, kept.rows.size), seen.size)
      cursor = page.nextCursor
    } while (cursor)
  })
  for (const [id, row] of kept.rows) {
    if (seen.has(id)) continue
    for (const [kind, there] of pointsOf(row)) differences.push({ id, kind, there, here: 0 })
  }
  return { here, differences }
}
