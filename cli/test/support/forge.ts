import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Line } from '../../src/realmFile.ts'
import type { Claimant, SnapshotLine } from '../../src/snapshot/check.ts'
import { leafOf, treeOf } from '../../src/snapshot/tree.ts'

type Open<T> = { -readonly [Key in keyof T]: T[Key] }
type Snapshot = { readonly taken: Open<SnapshotLine>; readonly claimants: Open<Claimant>[] }

/** A snapshot whose lines can be changed; its tree is built from them. */
export type ForgedSnapshot = Snapshot & {
  readonly of: (id: string) => Snapshot
  /** Gets another id; with `unsaid`, the export no longer says which snapshot the entries are for. */
  readonly rename: (id: string, how?: { unsaid?: boolean; beside?: boolean }) => void
  /** Includes an older claim. */
  readonly include: (older: Snapshot) => void
  /** Omits the last entry. */
  readonly cut: () => void
  /** States another sum than that of its lines. */
  readonly say: (tokens: string) => void
}

/** Makes forged.ndjson and forged.json from all.ndjson, with one forged snapshot. */
export function forge(folder: string, id: string, change: (forged: ForgedSnapshot) => unknown): void {
  const lines = readFileSync(join(folder, 'all.ndjson'), 'utf8').trim().split('\n')
  const [header, ...rest] = lines.map((line) => JSON.parse(line) as Line & { realmId: string })
  const of = (wanted: string): Snapshot => ({
    taken: { ...(rest.find(({ snapshot }) => snapshot?.id === wanted)?.snapshot as SnapshotLine) },
    claimants: rest.flatMap(({ claimant }) => (claimant?.snapshot === wanted ? [{ ...claimant }] : [])),
  })
  const own = of(id)
  const { taken, claimants } = own
  const others: object[] = []
  let said: string | undefined
  change({
    ...own,
    of,
    rename(to, { unsaid, beside } = {}) {
      if (beside) others.push({ snapshot: { ...taken } })
      for (const { entry } of unsaid ? rest : [])
        if (entry?.seq === taken.firstSeq) Object.assign(entry, { details: undefined })
      taken.id = to
    },
    include(older) {
      const there = new Set(claimants.map(({ account }) => account))
      taken.firstSeq = String(BigInt(older.taken.firstSeq ?? 0) + 1n)
      claimants.push(...older.claimants.filter(({ account }) => !there.has(account)))
    },
    cut() {
      const last = rest.find(({ entry }) => entry?.seq === taken.seq)?.entry
      taken.seq = String(BigInt(taken.seq) - 1n)
      taken.hash = rest.find(({ entry }) => entry?.seq === taken.seq)?.entry?.hash ?? ''
      claimants.splice(
        claimants.findIndex(({ account }) => account === last?.fromAccount),
        1,
      )
    },
    say(tokens) {
      said = tokens
    },
  })
  const inTree = claimants.filter(
    ({ address, leaf, frozen }) => leaf !== null || (address !== null && !frozen),
  )
  taken.members = inTree.length
  taken.tokens = said ?? String(inTree.reduce((sum, { tokens }) => sum + BigInt(tokens), 0n))
  const kept = rest.filter(({ snapshot, claimant, end }) => !snapshot && !claimant && !end)
  const { counts } = rest.at(-1) as { counts: object }
  const lineOf = (claimant: Claimant) => ({ claimant: { ...claimant, snapshot: taken.id } })
  const end = { end: true, counts: { ...counts, snapshots: 1 + others.length, claimants: claimants.length } }
  const all = [header, ...kept, ...others, { snapshot: taken }, ...claimants.map(lineOf), end]
  writeFileSync(join(folder, 'forged.ndjson'), all.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const leaves = inTree.map(({ address, tokens, leaf }) =>
    leaf ? `0x${leaf}` : leafOf(address ?? '', tokens),
  )
  const { realmPointId, seq, hash, firstSeq } = taken
  const snapshot = { realmId: header?.realmId, id: taken.id, realmPointId, seq, hash, firstSeq }
  writeFileSync(join(folder, 'forged.json'), JSON.stringify({ tree: treeOf(leaves), values: [], snapshot }))
}
