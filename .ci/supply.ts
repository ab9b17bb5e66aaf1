import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Checks dependencies: exact versions, no install scripts, licences that allow redistribution. */

type Manifest = Readonly<Partial<Record<string, Readonly<Record<string, string>>>>>
type Locked = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly link?: boolean
  /** Needed to build and test; not redistributed, except what the console's bundle includes. */
  readonly dev?: boolean
}

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const wrong: string[] = []
const runtimeCap = 10
/** The workspace has one for its packages; four other folders have their own. */
const lockFiles = 5

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
const manifests = [
  'package.json',
  'server/package.json',
  'bench/package.json',
  'sdk/runtimes/package.json',
  'tests/web3/package.json',
  'sdk/package.json',
  'cli/package.json',
  'clients/discord-bot/package.json',
  'clients/mcp/package.json',
  '.ci/packages/package.json',
  'console/package.json',
  'deploy/check/package.json',
]
for (const file of manifests) {
  const manifest = JSON.parse(read(file)) as Manifest
  for (const [name, version] of kinds.flatMap((kind) => Object.entries(manifest[kind] ?? {})))
    if (!/^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/.test(version))
      wrong.push(`${file}: ${name} ${version} is not an exact version`)
}

/** What a package needs of others' packages, also by those of this repository that it needs. */
function neededBy(folder: string): string[] {
  const { dependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as Manifest
  return Object.keys(dependencies).flatMap((name) => (ownFolders[name] ? neededBy(ownFolders[name]) : [name]))
}

const ownFolders: Readonly<Record<string, string>> = {
  '@exchequer/sdk': 'sdk',
  '@exchequer/mcp': 'clients/mcp',
}
const runtime = [...new Set(neededBy('server'))]
if (runtime.length > runtimeCap)
  wrong.push(`${runtime.length} run-time dependencies; at most ${runtimeCap} are allowed`)

if (!/^ignore-scripts=true$/m.test(read('.npmrc'))) wrong.push('.npmrc must contain ignore-scripts=true')

const allowed = new Set(['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'PostgreSQL'])
// Public domain; equivalent to MIT; and the licence of fonts, which allows bundling.
for (const licence of ['Unlicense', 'CC0-1.0', 'BlueOak-1.0.0', 'OFL-1.1']) allowed.add(licence)
// Tools that no published package contains: CSS compiler, accessibility check, the tests' EVM node.
const allowedTools = new Set(['MPL-2.0'])
// Published before npm had the `license` field: its package.json has a list that includes MIT.
const licenceOverrides: Readonly<Record<string, string>> = { 'memorystream 0.3.1': 'MIT' }
const locked = (file: string) => (JSON.parse(read(file)) as { packages: Record<string, Locked> }).packages
const tracked = spawnSync('git', ['ls-files', '*package-lock.json'], { encoding: 'utf8' }).stdout
const locks = tracked.split('\n').filter((file) => file !== '')
if (locks.length < lockFiles) wrong.push(`only ${locks.length} lock files were found`)
// Packages of any other lock file are used by tests only.
const packages = locks.flatMap((file) =>
  Object.entries(locked(file)).map(([path, one]) => ({
    file,
    path,
    tool: one.dev === true || file !== 'package-lock.json',
    ...one,
  })),
)

/** One alternative of OR is enough; all parts joined by AND must be allowed. */
const isAllowed = (license: string, tool: boolean): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((one) => one.split(' AND ').every((name) => allowed.has(name) || (tool && allowedTools.has(name))))

for (const { file, path, version, license, integrity, link, tool } of packages) {
  if (!path.includes('node_modules/') || link) continue
  if (!integrity) wrong.push(`${file}: ${path} ${version} is not pinned by its hash`)
  const licence = license ?? licenceOverrides[`${path.split('node_modules/').at(-1)} ${version}`] ?? 'unknown'
  if (!isAllowed(licence, tool)) wrong.push(`${file}: ${path} ${version}: licence ${licence}`)
}

const made = spawnSync('npm', ['run', '--silent', 'sbom'], { encoding: 'utf8', maxBuffer: 1e8 })
const { components = [] } = JSON.parse(made.stdout || '{}') as { components?: { name: string }[] }
for (const name of runtime)
  if (!components.some((one) => one.name === name)) wrong.push(`${name} is not in the bill of materials`)

for (const words of wrong) console.error(words)
console.log(`${components.length} packages at run time, ${packages.length} in all: pinned, licensed`)
if (wrong.length > 0) process.exitCode = 1
