import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** Which file imports which, as paths below a folder. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

const specifier = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g

export function readImports(folder: string): Imports {
  const pathOf = (file: string) => relative(folder, file).split(sep).join('/')
  const files = globSync('**/*.ts', { cwd: folder }).map((name) => join(folder, name))
  return new Map(
    files.map((file) => {
      const targets = [...readFileSync(file, 'utf8').matchAll(specifier)]
        .map(([, target = '']) => pathOf(resolve(dirname(file), target)))
        .filter((target) => !target.startsWith('../'))
      return [pathOf(file), new Set(targets)]
    }),
  )
}

/** The files and folders of one folder, and which of them imports which other. */
export type Level = {
  readonly folder: string
  readonly entries: readonly string[]
  readonly edges: ReadonlyMap<string, ReadonlySet<string>>
}

/** `folder` is '' for the top, or ends with a slash. */
export function levelOf(imports: Imports, folder: string): Level {
  const entryOf = (file: string): string | undefined =>
    file.startsWith(folder) ? file.slice(folder.length).split('/')[0] : undefined
  const edges = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    const from = entryOf(file)
    if (from === undefined) continue
    const own = edges.get(from) ?? new Set()
    edges.set(from, own)
    for (const target of targets) {
      const to = entryOf(target)
      if (to !== undefined && to !== from) own.add(to)
    }
  }
  return { folder, entries: [...edges.keys()].sort(), edges }
}

/** Every folder that has files or folders, the top one first. */
export function foldersOf(imports: Imports): string[] {
  const parents = [...imports.keys()].flatMap((file) => {
    const steps = file.split('/').slice(0, -1)
    return steps.map((_, index) => `${steps.slice(0, index + 1).join('/')}/`)
  })
  return ['', ...[...new Set(parents)].sort()]
}

export const edgeCount = ({ edges }: Level): number =>
  [...edges.values()].reduce((sum, targets) => sum + targets.size, 0)

/** The shortest cycle, or undefined. */
export function circleIn({ entries, edges }: Level): string[] | undefined {
  for (const start of entries) {
    const cameFrom = new Map<string, string>()
    const waiting = [start]
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      for (const next of edges.get(entry) ?? []) {
        if (next === start) return [...wayTo(entry, start, cameFrom), start]
        if (cameFrom.has(next)) continue
        cameFrom.set(next, entry)
        waiting.push(next)
      }
    }
  }
  return undefined
}

function wayTo(entry: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const way = [entry]
  for (let at = entry; at !== start; ) {
    at = cameFrom.get(at) ?? start
    way.unshift(at)
  }
  return way
}
