import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** Limit of each entry point with its imports, in gzipped bytes. */
const caps = {
  index: 10_000,
  awards: 1_500,
  identities: 1_200,
  lapse: 1_200,
  merges: 1_200,
  wallets: 1_000,
  verify: 2_500,
  note: 1_300,
  webhooks: 2_000,
}
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const project = fileURLToPath(new URL('..', import.meta.url))

/** The code of an entry point: its own, and that of each file that it imports. */
function codeOf(file: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen
  const code = readFileSync(file, 'utf8')
  seen.set(file, code)
  for (const [, name = ''] of code.matchAll(/from '\.\/(\w+\.js)'/g)) codeOf(join(file, '..', name), seen)
  return seen
}

it('each of its entry points is small, before a bundler makes it smaller', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-size-'))
  try {
    const built = spawnSync(process.execPath, [tsc, '-p', project, '--removeComments', '--outDir', folder])
    assert.equal(built.status, 0, String(built.stdout))
    const files = new Set<string>()
    for (const [name, capBytes] of Object.entries(caps)) {
      const code = codeOf(join(folder, `${name}.js`))
      for (const file of code.keys()) files.add(file)
      const bytes = gzipSync([...code.values()].join(''), { level: 9 }).length
      console.log(`${name}: ${bytes} bytes gzipped in ${code.size} files`)
      assert.ok(bytes <= capBytes, `${name}: ${bytes} bytes of ${capBytes}`)
    }
    const others = globSync(`${folder}/*.js`).filter((file) => !files.has(file))
    for (const file of others) assert.equal(readFileSync(file, 'utf8').trim(), 'export {};', file)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
