import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * A bill of materials (CycloneDX) by package-lock.json. Without arguments: all packages at run time, for a
 * release. With names of workspaces and packages: these, and what they need at run time, for an image.
 *   node .ci/sbom.ts [WORKSPACE or PACKAGE]...
 * Not from `npm sbom`: with `--omit dev` that omits packages that a development tool needs too, such as pino
 * and jose (npm/cli#7909).
 */

type Locked = {
  /** Of a workspace; of another package it is the last part of its path. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly resolved?: string
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const project = fileURLToPath(new URL('..', import.meta.url))
const { packages, version } = JSON.parse(readFileSync(`${project}package-lock.json`, 'utf8')) as {
  packages: Record<string, Locked>
  version: string
}

const marker = 'node_modules/'
const nameOf = (path: string): string =>
  packages[path]?.name ?? path.slice(path.lastIndexOf(marker) + marker.length)

/** The path of the package that a name means in a folder, as Node finds it; a workspace has its own. */
function resolve(name: string, folder: string): string {
  const path = folder === '' ? marker + name : `${folder}/${marker}${name}`
  const found = packages[path]
  if (found?.link && found.resolved !== undefined) return found.resolved
  if (found) return path
  if (folder === '') throw new Error(`package-lock.json has no ${name}`)
  return resolve(name, folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '')
}

/**
 * The packages that a workspace imports in its sources, though it has them for its build alone: a bundle has
 * parts of them, like the console's.
 */
function bundledIn(workspace: string): string[] {
  const own = packages[workspace]?.devDependencies ?? {}
  const texts = globSync(`${workspace}/src/**/*.{ts,tsx,css}`, { cwd: project }).map((file) =>
    readFileSync(project + file, 'utf8'),
  )
  const imported = texts.flatMap((text) => [
    ...text.matchAll(/^@?import (?!type\b)[^'"]*["']((?:@[\w-]+\/)?[\w.-]+)/gm),
  ])
  return [...new Set(imported.map(([, name = '']) => name))].filter((name) => Object.hasOwn(own, name))
}

/** The paths of these and of all that they need at run time; of each, what it is a part of. */
function closure(names: readonly string[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  const add = (path: string, bundle: string | undefined): void => {
    if (found.has(path)) return
    found.set(path, bundle)
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) add(resolve(name, path), bundle)
  }
  for (const name of names.filter((one) => packages[one])) {
    const parts = bundledIn(name)
    const bundle = parts.length === 0 ? undefined : nameOf(name)
    add(name, bundle)
    for (const part of parts) add(resolve(part, name), bundle)
  }
  // A package that is named itself is there in part.
  for (const name of names) if (!packages[name]) add(resolve(name, ''), name)
  return found
}

const atRunTime = (): Map<string, string | undefined> =>
  new Map(
    Object.entries(packages)
      .filter(([path, { dev, link, optional }]) => path.includes(marker) && !dev && !link && !optional)
      .map(([path]) => [path, undefined]),
  )

function componentOf(path: string, bundle: string | undefined): object {
  const { version: own, license = '', integrity } = packages[path] ?? {}
  const name = nameOf(path)
  const [algorithm = '', digest = ''] = integrity?.split('-') ?? []
  const hash = {
    alg: algorithm.replace('sha', 'SHA-'),
    content: Buffer.from(digest, 'base64').toString('hex'),
  }
  return {
    type: 'library',
    name,
    version: own,
    purl: `pkg:npm/${name.replace('@', '%40')}@${own}`,
    licenses: [{ expression: license }],
    ...(integrity === undefined ? {} : { hashes: [hash] }),
    ...(bundle === undefined ? {} : { properties: [{ name: 'exchequer:bundledIn', value: bundle }] }),
  }
}

const keyOf = (path: string, bundle = ''): string => `${nameOf(path)}@${packages[path]?.version} ${bundle}`

const names = process.argv.slice(2)
const listed = [...(names.length === 0 ? atRunTime() : closure(names))]
// A package can be installed in several folders.
const once = new Map(listed.map(([path, bundle]) => [keyOf(path, bundle), componentOf(path, bundle)]))
const components = [...once].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component)
const application = { type: 'application', name: 'exchequer', version }
console.log(
  JSON.stringify(
    { bomFormat: 'CycloneDX', specVersion: '1.5', metadata: { component: application }, components },
    null,
    2,
  ),
)
