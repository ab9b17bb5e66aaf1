import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PackedFile, packAll } from './pack.ts'

/** Packs again as another person would, elsewhere, with old files, another umask, time zone and language. */
export function packAgain(into: string): PackedFile[] {
  const umask = process.umask(0o077)
  try {
    const env = { ...process.env, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' }
    return packAll(into, { path: 'another/folder/with-a-longer-path', env, prepare: setBack })
  } finally {
    process.umask(umask)
  }
}

const longAgo = new Date('2001-02-03T04:05:06Z')

/** Sets the times of the project's files back; what is linked stays as it is. */
function setBack(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules') setBack(path)
    else if (entry.isFile()) utimesSync(path, longAgo, longAgo)
  }
}

export const sha256 = (file: string): string => hash('sha256', readFileSync(file), 'hex')

/** What differs between two packs of one package: nothing if they are equal, byte for byte. */
export function differences(one: PackedFile, other: PackedFile | undefined): string[] {
  if (!other) return ['it was not packed again']
  if (sha256(one.file) === sha256(other.file)) return []
  const [first, second] = [entriesOf(one.file), entriesOf(other.file)]
  const found = [...new Set([...first.keys(), ...second.keys()])]
    .filter((path) => first.get(path) !== second.get(path))
    .map((path) => `${path}: ${first.get(path) ?? 'missing'}, then ${second.get(path) ?? 'missing'}`)
  return found.length > 0 ? found : ['the same files, in another order or compressed in another way']
}

/** The mode, time, size and beginning of the hash of each file in a tarball, by its path. */
function entriesOf(tarball: string): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-unpacked-'))
  const tar = (args: readonly string[]) => execFileSync('tar', args, { encoding: 'utf8', maxBuffer: 1e8 })
  try {
    tar(['-xzf', tarball, '-C', folder])
    const lines = tar(['-tvzf', tarball, '--full-time']).trim().split('\n')
    const entries = lines.map((line): [string, string] => {
      const path = line.split(' ').at(-1) ?? ''
      const file = join(folder, path)
      const content = statSync(file).isFile() ? ` ${sha256(file).slice(0, 12)}` : ''
      return [path, line.slice(0, -path.length - 1).replaceAll(/ +/g, ' ') + content]
    })
    return new Map(entries)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
