import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyProject } from './fresh.ts'

/** Folders of the published packages, in the order of their dependencies. */
const folders = ['sdk', 'clients/mcp', 'server', 'cli', 'clients/discord-bot']

export type PackedFile = {
  readonly name: string
  readonly version: string
  /** Path of the tarball. */
  readonly file: string
  readonly size: number
  readonly unpackedSize: number
  readonly integrity: string
  readonly files: readonly { readonly path: string }[]
}

/** Runs npm with a user's default configuration. */
export const npm = (args: readonly string[], cwd: string, env = process.env): string =>
  execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 })

export type Surroundings = {
  /** The path of the copy, below a temporary folder. */
  readonly path?: string
  readonly env?: NodeJS.ProcessEnv
  /** Changes the copy before anything is built. */
  readonly prepare?: (copy: string) => void
}

/**
 * Builds every package and packs it into a folder. In a fresh copy of the project: nothing that was built or
 * left before can be in a package, and two packs of one commit are equal, byte for byte.
 */
export function packAll(into: string, { path = 'exchequer', env, prepare }: Surroundings = {}): PackedFile[] {
  const parent = mkdtempSync(join(tmpdir(), 'exchequer-fresh-'))
  // npm packs a file with the mode that it has, and what is built has the mode of the umask.
  const umask = process.umask(0o022)
  try {
    const copy = join(parent, path)
    mkdirSync(copy, { recursive: true })
    copyProject(copy)
    prepare?.(copy)
    return folders.map((folder) => packOne(join(copy, folder), into, env))
  } finally {
    process.umask(umask)
    rmSync(parent, { recursive: true, force: true })
  }
}

function packOne(folder: string, into: string, env?: NodeJS.ProcessEnv): PackedFile {
  // Build first: it prints to stdout. The output of packing is data.
  npm(['run', 'prepack'], folder, env)
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
  const output: unknown = JSON.parse(npm(args, folder, env))
  // A list, or since npm 11 an object by name.
  const [one] = Object.values(output as Record<string, PackedFile & { filename: string }>)
  if (!one) throw new Error(`npm packed nothing in ${folder}`)
  return { ...one, file: join(into, one.filename.replace('@', '').replace('/', '-')) }
}
