import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What the text around an example has made before it. */
const given = `
import { Realm } from '@exchequer/sdk'
declare const realm: Realm
declare const interaction: { readonly id: string; readonly user: { readonly id: string } }
declare const order: { readonly id: string }
declare const recipientId: string
declare const buyer: string
declare const lastSeq: string
declare function handle(entry: object): Promise<void>
`

/** A page's TypeScript blocks, each in a function of its own: some return, some declare the same names. */
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

const options = {
  strict: true,
  noEmit: true,
  target: 'esnext',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  paths: { '@exchequer/sdk': [join(root, 'sdk/src/index.ts')] },
}

it('every TypeScript example of the guide and of the README compiles under strict', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-guides-'))
  try {
    for (const page of ['docs/start.md', 'sdk/README.md'])
      writeFileSync(join(folder, `${page.replaceAll(/\W/g, '-')}.ts`), programOf(page))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], {
      encoding: 'utf8',
      timeout: 120_000,
    })
    assert.equal(status, 0, stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
