import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Folders of the published packages, in the order of their dependencies. */
const folders = ['sdk', 'server', 'clients/mcp', 'cli', 'clients/discord-bot']

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
export const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 })

/** Builds every package again and packs it into a folder. */
export function packAll(into: string): PackedFile[] {
  return folders.map((folder) => {
    const from = join(root, folder)
    // Build first: it prints to stdout. The output of packing is data.
    npm(['run', 'prepack'], from)
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
    const output: unknown = JSON.parse(npm(args, from))
    // A list, or since npm 11 an object by name.
    const [one] = Object.values(output as Record<string, PackedFile & { filename: string }>)
    if (!one) throw new Error(`npm packed nothing in ${folder}`)
    return { ...one, file: join(into, one.filename.replace('@', '').replace('/', '-')) }
  })
}
