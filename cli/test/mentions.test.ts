import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commands } from '../src/commands.ts'
import { nouns, otherWords } from '../src/vocabulary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Texts for readers, operators and console users. */
const places = [
  'README.md',
  'compose.yaml',
  'cli/README.md',
  'cli/src',
  'console/src/words',
  'deploy',
  'docs',
  'examples',
  'sdk/README.md',
  'server/src',
  'site',
]

function filesIn(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .flatMap((name) => filesIn(join(path, name)))
}

const known = new Set(commands.map(({ words }) => words))
const isText = (file: string): boolean => /\.(md|ts|tsx|mjs|js|py|txt|ya?ml|svg|sh)$/.test(file)

/** `exchequer` and the next two words. */
const mention = /\bexchequer ([a-z][a-z-]+)(?: ([a-z][a-z-]*))?/g

it('every command in a page, a deployment file or a message exists', () => {
  const wrong: string[] = []
  let count = 0
  for (const file of places.flatMap((place) => filesIn(join(root, place))).filter(isText))
    for (const [whole, first = '', second = ''] of readFileSync(file, 'utf8').matchAll(mention)) {
      const isNoun = first in nouns
      count += 1
      if (known.has(first) || (isNoun && known.has(`${first} ${second}`))) continue
      if (isNoun || first in otherWords || `${first}s` in nouns)
        wrong.push(`${file.slice(root.length)}: ${whole}`)
    }
  assert.ok(count > 200, `${count} mentions`)
  assert.deepEqual(wrong, [])
})
