import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Image, setenv } from './box.ts'
import { project, run } from './program.ts'

/** Builds the Dockerfiles' images and opens them, with buildah, which needs no daemon. */

export const baseName = 'docker.io/library/node:24-slim'

/** Both work on every kernel and file system; another driver has its own images. */
const env = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot', ...process.env }
export const driver = env.STORAGE_DRIVER

export const buildah = (...args: readonly string[]): string =>
  run('buildah', args, { env, timeout: 1_500_000 }).trim()

export const hasImage = (name: string): boolean =>
  spawnSync('buildah', ['images', '--quiet', name], { env }).status === 0

/** From its registry, when one can be reached. */
export const pull = (name: string): boolean =>
  spawnSync('buildah', ['pull', '--quiet', name], { env, timeout: 120_000 }).status === 0

export type Config = {
  readonly Env?: readonly string[]
  readonly User?: string
  readonly WorkingDir?: string
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Healthcheck?: { readonly Test: readonly string[] }
}

export type Built = {
  readonly name: string
  readonly architecture: string
  /** Of each layer: the hash of its files. */
  readonly layers: readonly string[]
  readonly config: Config
  readonly history: readonly object[]
}

type Inspected = {
  readonly Docker: {
    readonly architecture: string
    readonly config: Config
    readonly rootfs: { readonly diff_ids: readonly string[] }
    readonly history: readonly object[]
  }
}

export function inspect(name: string): Built {
  const { Docker: docker } = JSON.parse(buildah('inspect', '--type', 'image', name)) as Inspected
  const { architecture, config, history, rootfs } = docker
  return { name, architecture, layers: rootfs.diff_ids, config, history }
}

/** Of its files, those that its base does not have. */
export const addedLayers = ({ layers }: Built, base: Built): string[] => {
  if (base.layers.some((layer, index) => layer !== layers[index]))
    throw new Error('its first layers are not those of its base')
  return layers.slice(base.layers.length)
}

const committed = run('git', ['log', '-1', '--format=%ct']).trim()

export type Source = {
  readonly name: string
  readonly dockerfile: string
  /** The folder that it is built of. */
  readonly context?: string
  readonly platform?: string
  /** Files of this machine that its build can read, which do not get into it. */
  readonly volumes?: readonly string[]
}

/** From nothing that was built before; with the commit's time instead of now, so that layers are equal. */
export function build(source: Source): Built {
  const { name, dockerfile, context = project, platform, volumes = [] } = source
  const fixed = '--quiet --pull-never --no-cache --format docker --network host --timestamp'
  buildah(
    'bud',
    ...fixed.split(' '),
    committed,
    ...(platform === undefined ? [] : ['--platform', platform]),
    ...volumes.flatMap((volume) => ['--volume', volume]),
    '--file',
    resolve(context, dockerfile),
    '--tag',
    name,
    context,
  )
  return inspect(name)
}

export function remove(names: readonly string[]): void {
  for (const name of names) if (hasImage(name)) buildah('rmi', '--force', name)
}

/** Writes the layers into a folder, each as a tar archive named by its hash. */
export function exportLayers({ name }: Built, folder: string): void {
  buildah('push', '--quiet', '--disable-compression', name, `dir:${folder}`)
}

/** An image's files in a folder, for as long as they are used. */
export async function mounted<T>({ name }: Built, use: (root: string) => T | Promise<T>): Promise<T> {
  const container = buildah('from', '--pull-never', name)
  try {
    return await use(buildah('mount', container))
  } finally {
    buildah('rm', container)
  }
}

/** The user that an image's configuration names, by the image's own /etc/passwd. */
export function userOf({ config }: Built, root: string): { readonly uid: number; readonly gid: number } {
  const lines = readFileSync(join(root, 'etc/passwd'), 'utf8').split('\n')
  const [, , uid, gid] = lines.map((line) => line.split(':')).find(([name]) => name === config.User) ?? []
  if (!uid || !gid) throw new Error(`the image has no user ${config.User}`)
  return { uid: Number(uid), gid: Number(gid) }
}

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** As its configuration says, from its own files alone. */
export function imageOf(built: Built, root: string): Image {
  const { Env = [], WorkingDir = '/', Entrypoint = [], Cmd = [], Healthcheck } = built.config
  const { uid, gid } = userOf(built, root)
  const variables = Env.map((one): [string, string] => {
    const [name = ''] = one.split('=')
    return [name, one.slice(name.length + 1)]
  })
  const [kind, ...healthCheck] = Healthcheck?.Test ?? []
  if (kind !== 'CMD') throw new Error('the image has no health check')
  return {
    options: [
      ...`--uid ${uid} --gid ${gid} --ro-bind`.split(' '),
      root,
      '/',
      '--chdir',
      WorkingDir,
      ...setenv({ PATH: usualPath, ...Object.fromEntries(variables) }),
    ],
    entry: Entrypoint,
    command: Cmd,
    healthCheck,
  }
}
