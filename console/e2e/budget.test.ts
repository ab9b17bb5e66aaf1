import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'

type Chunk = { readonly file: string; readonly imports?: readonly string[] }

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Record<
  string,
  Chunk
>
const most = 250_000

/** A chunk with all its static imports. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[name]
  assert.ok(chunk, `${name} is not in the build`)
  if (seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const inner of chunk.imports ?? []) filesOf(inner, seen)
  return seen
}

describe('the first page', () => {
  it(`takes at most ${most} bytes of gzipped JavaScript`, () => {
    const files = [...filesOf('index.html', filesOf('src/pages/overview/overview.tsx'))]
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0)
    console.log(`${bytes} bytes in ${files.length} files`)
    assert.ok(bytes <= most, `${bytes} bytes in ${files.join(', ')}`)
  })
})
