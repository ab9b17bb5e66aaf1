import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Manifest = { readonly version?: string } & Readonly<Partial<Record<string, unknown>>>
/** A place that names the version, as a reader would call it. */
type Place = { readonly place: string; readonly found: string | undefined }

const dependencyKinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
/** Files that name the version in one line each. */
const lines: readonly (readonly [file: string, line: RegExp, what?: string])[] = [
  ['Dockerfile', /^ARG VERSION=(\S+)$/m],
  ['clients/discord-bot/Dockerfile', /^ARG VERSION=(\S+)$/m],
  ['deploy/helm/exchequer/Chart.yaml', /^version: (\S+)$/m],
  ['deploy/helm/exchequer/Chart.yaml', /^appVersion: (\S+)$/m, 'the appVersion in '],
  ['clients/python/pyproject.toml', /^version = "(\S+)"$/m],
  ['clients/python/src/exchequer/__init__.py', /^__version__ = "(\S+)"$/m],
  ['clients/csharp/Exchequer.csproj', /^\s*<Version>(\S+)<\/Version>$/m],
  ['docs/stability.md', /^Exchequer is at (\S+) /m],
]

/** The version of a project, every place that has another, and the newest version in CHANGELOG.md. */
export class Versions {
  readonly #root: string
  readonly #workspaces: readonly string[]
  readonly version: string

  constructor(root: string) {
    this.#root = root
    const { version = '', workspaces } = this.#json('package.json')
    this.version = version
    this.#workspaces = workspaces as string[]
  }

  #read(file: string): string {
    return readFileSync(join(this.#root, file), 'utf8')
  }

  #json(file: string): Manifest {
    return JSON.parse(this.#read(file)) as Manifest
  }

  /** A sentence for each place that has another version. */
  problems(): string[] {
    const { version } = this
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return [`package.json has no version: "${version}".`]
    return this.#places()
      .filter(({ found }) => found !== version)
      .map(({ place, found }) => `${place} has version ${found ?? 'none'}, but package.json has ${version}.`)
  }

  #places(): Place[] {
    const manifests = [...this.#workspaces, 'sdk/runtimes'].map((folder) => `${folder}/package.json`)
    const { info } = this.#json('server/openapi.json') as { info?: Manifest }
    return [
      ...manifests.flatMap((file) => this.#placesIn(file)),
      ...this.#placesInLock(),
      ...lines.map(([file, line, what = '']) => ({
        place: `${what}${file}`,
        found: line.exec(this.#read(file))?.[1],
      })),
      { place: 'server/openapi.json', found: info?.version },
    ]
  }

  /** The package's own version, and those of its dependencies that are packages of this project. */
  #placesIn(file: string): Place[] {
    const manifest = this.#json(file)
    const names = new Set(this.#workspaces.map((folder) => this.#json(`${folder}/package.json`)['name']))
    const own = dependencyKinds
      .flatMap((kind) => Object.entries((manifest[kind] ?? {}) as Record<string, string>))
      .filter(([name]) => names.has(name))
      .map(([name, found]) => ({ place: `${name} among the dependencies of ${file}`, found }))
    return [{ place: file, found: manifest.version }, ...own]
  }

  #placesInLock(): Place[] {
    const { version, packages } = this.#json('package-lock.json') as Manifest & {
      packages: Record<string, Manifest>
    }
    const own = ['', ...this.#workspaces].map((folder) => ({
      place: `"${folder}" in package-lock.json`,
      found: packages[folder]?.version,
    }))
    return [{ place: 'package-lock.json', found: version }, ...own]
  }

  /** The heading of the newest version in CHANGELOG.md, as `0.1.0` and its date. */
  newestChanges(): { readonly version?: string; readonly date?: string } {
    const [, version, date] =
      /^## \[(\d[^\]]*)\](?: - (\d{4}-\d\d-\d\d))?$/m.exec(this.#read('CHANGELOG.md')) ?? []
    return { ...(version ? { version } : {}), ...(date ? { date } : {}) }
  }

  /** Installed packages that are not those of package-lock.json: they would end up in the console. */
  otherPackages(): string[] {
    const { packages: locked } = this.#json('package-lock.json') as { packages: Record<string, Manifest> }
    const { packages } = this.#json('node_modules/.package-lock.json') as {
      packages: Record<string, Manifest>
    }
    return Object.entries(packages)
      .filter(([path, { version }]) => path.startsWith('node_modules/') && locked[path]?.version !== version)
      .map(([path]) => path.slice('node_modules/'.length))
  }
}
