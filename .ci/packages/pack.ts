import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** What is published, each by its folder, in the order they build on one another. */
const folders = ['sdk', 'server', 'cli']

export type Packed = {
  readonly name: string
  readonly version: string
  /** The tarball. */
  readonly file: string
  readonly size: number
  readonly unpackedSize: number
  readonly integrity: string
  readonly files: readonly { readonly path: string }[]
}

/** Runs npm as a user does who has configured nothing. */
export const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 })

/** Packs every package, built anew, into a folder. */
export function packAll(into: string): Packed[] {
  return folders.map((folder) => {
    const from = join(root, folder)
    // First the building, which talks, then the packing, whose output is data.
    npm(['run', 'prepack'], from)
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
    const told: unknown = JSON.parse(npm(args, from))
    // A list, or since npm 11 an object by name.
    const [one] = Object.values(told as Record<string, Packed & { filename: string }>)
    if (!one) throw new Error(`npm packed nothing in ${folder}`)
    return { ...one, file: join(into, one.filename.replace('@', '').replace('/', '-')) }
  })
}
