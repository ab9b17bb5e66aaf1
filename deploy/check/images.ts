import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyProject } from '../../.ci/packages/fresh.ts'
import { type Machine, machineOf, makeBase, thisMachine } from './base.ts'
import { checkBill } from './bill.ts'
import {
  addedLayers,
  type Built,
  baseName,
  build,
  hasImage,
  inspect,
  mounted,
  remove,
  type Source,
  userOf,
} from './buildah.ts'
import { inFolder } from './imageServer.ts'
import { layerProblems } from './layers.ts'
import { project, run } from './program.ts'
import { registrySettings } from './registry.ts'

type ImageSource = { readonly what: string; readonly name: string; readonly dockerfile: string }

export const server: ImageSource = {
  what: 'the server’s image',
  name: 'exchequer',
  dockerfile: 'Dockerfile',
}
export const bot: ImageSource = {
  what: 'the bot’s image',
  name: 'exchequer-discord-bot',
  dockerfile: 'clients/discord-bot/Dockerfile',
}
export const sources = [server, bot]

const bytesIn = (folder: string): number => Number(run('du', ['-s', '-B1', '-x', folder]).split('\t')[0])
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`

/** The images that a run builds, each once, and again where that is the check. */
export class Images {
  readonly #folder: string
  readonly #registry: readonly string[]

  constructor(folder: string) {
    this.#folder = folder
    this.#registry = registrySettings(folder)
  }

  /** The image, built unless there is one. */
  built(source: ImageSource, machine?: Machine): Built {
    const name = nameOf(source, machine)
    if (hasImage(name)) return inspect(name)
    return machine === undefined ? this.#build(source, name) : this.#buildFor(machine, source)
  }

  #build({ dockerfile }: ImageSource, name: string, more: Partial<Source> = {}): Built {
    return build({ name, dockerfile, volumes: this.#registry, ...more })
  }

  /**
   * For another machine: its last stage begins with a base for that one, which has another name here.
   * Debian's buildah knows no BUILDPLATFORM, and no --platform of its own behind a stage with one.
   */
  #buildFor(machine: Machine, source: ImageSource): Built {
    const text = readFileSync(join(project, source.dockerfile), 'utf8')
    const lines = text.split('\n')
    const last = lines.findLastIndex((line) => line.startsWith('FROM '))
    if (lines[last] !== 'FROM node:24-slim') throw new Error(`its last stage begins with ${lines[last]}`)
    lines[last] = `FROM --platform=linux/${machine} ${foreignBase(machine)}`
    const dockerfile = join(this.#folder, `${source.name}.${machine}`)
    writeFileSync(dockerfile, lines.join('\n').replaceAll('$BUILDPLATFORM', `linux/${thisMachine}`))
    if (!hasImage(foreignBase(machine))) makeBase(foreignBase(machine), machine, this.#folder)
    return this.#build(source, nameOf(source, machine), { dockerfile, platform: `linux/${machine}` })
  }

  /** Its files in a folder, and what its configuration says. */
  opened<T>(
    source: ImageSource,
    use: (root: string, built: Built) => T | Promise<T>,
    machine?: Machine,
  ): Promise<T> {
    const built = this.built(source, machine)
    return mounted(built, (root) => use(root, built))
  }

  /** Built of this folder, and of a fresh copy of its sources. */
  checkEqual(source: ImageSource): Promise<void> {
    return inFolder(async (context) => {
      copyProject(context)
      const first = this.built(source)
      const second = this.#build(source, nameOf(source, 'again'), { context })
      if (contentOf(first) !== contentOf(second)) throw new Error(`${contentOf(first)}\n${contentOf(second)}`)
    })
  }

  checkLayers(source: ImageSource): Promise<void> {
    return inFolder(async (folder) => {
      const problems = layerProblems(this.built(source), inspect(baseName), folder)
      if (problems.length > 0) throw new Error(problems.slice(0, 20).join('\n'))
    })
  }

  /** An unprivileged user, who can read the files of the project and change none of the image. */
  checkUser(source: ImageSource): Promise<void> {
    return this.opened(source, async (root, built) => {
      const { uid } = userOf(built, root)
      if (uid === 0) throw new Error('it runs as root')
      const own = ['(', '-uid', String(uid), '-o', '-perm', '-o+w', ')', '!', '-type', 'l']
      const changed = run('find', [join(root, 'app'), join(root, 'usr'), ...own])
      if (changed !== '') throw new Error(`it can change\n${changed.slice(0, 1_000)}`)
      const unread = run('find', [join(root, 'app'), '!', '-perm', '-o+r'])
      if (unread !== '') throw new Error(`it can't read\n${unread.slice(0, 1_000)}`)
      const base = await mounted(inspect(baseName), bytesIn)
      const size = bytesIn(root)
      console.log(`  ${source.what}: ${megabytes(size)}, of which ${megabytes(size - base)} beyond its base`)
    })
  }

  checkBill(source: ImageSource): Promise<void> {
    return this.opened(source, (root) => console.log(`  ${checkBill(root, source.dockerfile)}`))
  }

  /** Built for another machine, without an emulator: what is added to the base is the same, file by file. */
  async checkFor(machine: Machine, source: ImageSource): Promise<void> {
    const built = this.built(source, machine)
    if (built.architecture !== machine) throw new Error(`it is for ${built.architecture}`)
    const added = addedLayers(built, inspect(foreignBase(machine))).join('\n')
    const here = addedLayers(this.built(source), inspect(baseName)).join('\n')
    if (added !== here) throw new Error(`it adds other layers to its base:\n${added}\nand here:\n${here}`)
    await mounted(built, (root) => {
      const found = machineOf(join(root, 'usr/local/bin/node'))
      if (found !== machine) throw new Error(`its Node is for ${found}`)
    })
  }

  remove(): void {
    const names = sources.flatMap((source) =>
      ['check', 'again', 'arm64', 'amd64'].map((one) => nameOf(source, one)),
    )
    remove([...names, foreignBase('arm64'), foreignBase('amd64')])
  }
}

/** All but the name of the container that it was built in, which Docker's format has. */
const contentOf = ({ layers, config, history }: Built): string =>
  JSON.stringify({ layers, config: { ...config, Hostname: '' }, history }, undefined, 1)

const nameOf = ({ name }: ImageSource, which = 'check'): string => `localhost/${name}:${which}`
const foreignBase = (machine: Machine): string => `localhost/exchequer-base:${machine}`
