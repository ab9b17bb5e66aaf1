import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { sha256 } from '../packages/again.ts'
import { kB, wrongContents } from '../packages/contents.ts'
import { root } from '../packages/fresh.ts'
import { npm, packAll } from '../packages/pack.ts'
import { Versions } from './versions.ts'

/**
 * npm run release: checks that this commit can be released, packs it, and prints what would be published and
 * the tag. It changes nothing and publishes nothing; --tag sets the tag in this clone, --into FOLDER keeps
 * the files.
 */

/** The reason why this can't be released, in sentences. */
class Refusal extends Error {}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

type Options = { readonly tag: boolean; readonly into?: string }

function readOptions(): Options {
  const options = { tag: { type: 'boolean', default: false }, into: { type: 'string' } } as const
  try {
    return parseArgs({ options }).values
  } catch (error) {
    throw new Refusal(`${(error as Error).message}. Options are --tag and --into FOLDER.`)
  }
}

function treeProblems(): string[] {
  const changed = git('status', '--porcelain')
    .split('\n')
    .filter((line) => line !== '')
  if (changed.length === 0) return []
  const names = changed.slice(0, 5).map((line) => line.trim().replace(/^\S+ +/, ''))
  const more = changed.length > names.length ? ' and more' : ''
  return [`The tree is not clean: commit or remove ${names.join(', ')}${more}.`]
}

/** A tag needs a dated section in CHANGELOG.md; a rehearsal may come before it is written. */
function changesProblems(versions: Versions, isTagged: boolean): string[] {
  const { version, date } = versions.newestChanges()
  if (version !== undefined && version !== versions.version)
    return [`The newest version in CHANGELOG.md is ${version}, but package.json has ${versions.version}.`]
  if (!isTagged || date !== undefined) return []
  return [`CHANGELOG.md has no heading "## [${versions.version}] - YYYY-MM-DD".`]
}

function tagProblems(tag: string): string[] {
  return git('tag', '--list', tag) === '' ? [] : [`The tag ${tag} already exists.`]
}

function packageProblems(versions: Versions): string[] {
  const others = versions.otherPackages()
  if (others.length === 0) return []
  return [`node_modules is not what package-lock.json says: run npm ci (${others.slice(0, 3).join(', ')}).`]
}

type Published = { readonly name: string; readonly version: string; readonly file: string }

/** Packs everything into a folder. The SBOM has no time and no random number: it is the same each time. */
function makeFiles(version: string, into: string): Published[] {
  const packed = packAll(into)
  for (const one of packed) {
    const [wrong] = wrongContents(one)
    if (wrong !== undefined) throw new Refusal(`${one.name} has or lacks a file: ${wrong}.`)
    if (one.version !== version) throw new Refusal(`${one.name} was packed as ${one.version}.`)
  }
  const bill = npm(['run', '--silent', 'sbom'], root)
  const { metadata, components } = JSON.parse(bill) as {
    metadata: { component: { version: string } }
    components: unknown[]
  }
  if (metadata.component.version !== version || components.length === 0)
    throw new Refusal(`The bill of materials is of version ${metadata.component.version}.`)
  const file = join(into, `exchequer-${version}.cdx.json`)
  writeFileSync(file, bill)
  return [...packed, { name: 'bill of materials', version, file }]
}

function printTable(files: readonly Published[]): void {
  const rows = files.map(({ name, version, file }) => [
    name,
    version,
    basename(file),
    kB(statSync(file).size),
    sha256(file),
  ])
  const table = [['package', 'version', 'file', 'size', 'sha256'], ...rows]
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

function run({ tag: isTagged, into }: Options): void {
  const versions = new Versions(root)
  const { version } = versions
  const tag = `v${version}`
  const problems = [
    ...treeProblems(),
    ...versions.problems(),
    ...changesProblems(versions, isTagged),
    ...tagProblems(tag),
    ...packageProblems(versions),
  ]
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  const folder = into === undefined ? mkdtempSync(join(tmpdir(), 'exchequer-release-')) : resolve(into)
  mkdirSync(folder, { recursive: true })
  try {
    const commit = git('rev-parse', 'HEAD')
    const files = makeFiles(version, folder)
    console.log(`Exchequer ${version}, commit ${commit}. A release publishes:\n`)
    printTable(files)
    if (versions.newestChanges().date === undefined)
      console.log(`\nCHANGELOG.md has no dated heading for ${version} yet: --tag needs it.`)
    if (isTagged) git('tag', '--annotate', tag, '--message', `Exchequer ${version}`, commit)
    console.log(`\nThe tag ${tag} ${isTagged ? 'is set in this clone' : 'is not set: --tag sets it'}.`)
    console.log('Nothing was published.')
  } finally {
    if (into === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

try {
  run(readOptions())
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`Not ready for a release: ${error.message}`)
  process.exitCode = 1
}
