import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const capBytes = 10_000
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const project = fileURLToPath(new URL('..', import.meta.url))

it('all of its code is below 10 kB gzipped, before a bundler makes it smaller', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-size-'))
  try {
    const built = spawnSync(process.execPath, [tsc, '-p', project, '--removeComments', '--outDir', folder])
    assert.equal(built.status, 0, String(built.stdout))
    const code = globSync(`${folder}/*.js`).map((file) => readFileSync(file, 'utf8'))
    const bytes = gzipSync(code.join(''), { level: 9 }).length
    console.log(`${bytes} bytes gzipped`)
    assert.ok(code.length > 10 && bytes <= capBytes, `${bytes} bytes of ${capBytes}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
