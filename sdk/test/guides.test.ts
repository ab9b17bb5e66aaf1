import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Variables that the text around an example defines. */
const given = `
import { Realm } from '@exchequer/sdk'
declare const realm: Realm
declare const interaction: { readonly id: string; readonly user: { readonly id: string } }
declare const order: { readonly id: string }
declare const recipientId: string
declare const buyer: string
declare const lastSeq: string
declare const storedNote: string
declare const storedKey: string
declare const request: Request
declare const secret: string
declare function handle(entry: object): Promise<void>
declare function once(id: string): Promise<boolean>
`

/** A page's TypeScript blocks, each in its own function: some return, some declare the same names. */
function programOf(page: string): string {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  assert.ok(blocks.length > 0, page)
  const imports = new Set<string>()
  const functions = blocks.map(([, text = ''], index) => {
    const body = text.replaceAll(/^import .*\n/gm, (line) => {
      if (!given.includes(line)) imports.add(line)
      return ''
    })
    return `export async function example${index}() {\n${body}}\n`
  })
  return [given, ...imports, ...functions].join('')
}

const pages = ['docs/start.md', 'docs/events.md', 'sdk/README.md']
const tsc = (...args: readonly string[]) =>
  spawnSync(join(root, 'node_modules/.bin/tsc'), args, { encoding: 'utf8', timeout: 120_000 })

/** A project with the client as npm installs it: the built files and the package.json that points to them. */
function withProject(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-guides-'))
  try {
    const installed = join(folder, 'node_modules/@exchequer/sdk')
    mkdirSync(installed, { recursive: true })
    copyFileSync(join(root, 'sdk/package.json'), join(installed, 'package.json'))
    const build = ['--outDir', join(installed, 'dist'), '--incremental', 'false', '--tsBuildInfoFile', 'null']
    const built = tsc('-p', join(root, 'sdk'), ...build)
    assert.equal(built.status, 0, built.stdout)
    for (const page of pages)
      writeFileSync(join(folder, `${page.replaceAll(/\W/g, '-')}.ts`), programOf(page))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2024', 'esnext.array'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
}

/**
 * Our compiler no longer has `node10`. That mode differed in one thing: it ignored `exports`, and used
 * `main` and `types`.
 */
const resolutions = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  'main and types, as node10 did': {
    module: 'esnext',
    moduleResolution: 'bundler',
    resolvePackageJsonExports: false,
  },
}

it('every TypeScript example of the guide and of the README compiles under strict, however it is resolved', () =>
  withProject((folder) => {
    for (const [name, how] of Object.entries(resolutions)) {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...strict, ...how } }))
      const { status, stdout } = tsc('-p', folder)
      assert.equal(status, 0, `${name}: ${stdout}`)
    }
  }))
