import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actionIn } from '../src/pages/audit/look.ts'
import { de } from '../src/words/de.ts'
import { en } from '../src/words/en.ts'

const sources = fileURLToPath(new URL('../../server/src/', import.meta.url))

/** Every audited action in the server's sources. */
function actions(): string[] {
  const found = globSync('**/*.ts', { cwd: sources }).flatMap((file) => {
    const text = readFileSync(sources + file, 'utf8')
    const kept = [...text.matchAll(/action: ([^,\n]+)/g), ...text.matchAll(/verifyAction = .*=> (.*)/g)]
    return kept.flatMap(([, said = '']) =>
      [...said.matchAll(/'([a-z]+\.[a-z]+)'/g)].map(([, one = '']) => one),
    )
  })
  return [...new Set(found)].sort()
}

it('every action of the audit log has a text in each language, and can be filtered by its object', () => {
  const all = actions()
  assert.ok(all.includes('key.issue') && all.includes('verify.ok') && all.length > 20, all.join(' '))
  for (const words of [en, de]) {
    assert.deepEqual(
      all.filter((action) => actionIn(words, action) === action),
      [],
    )
    const nouns = all.map((action) => action.split('.')[0] ?? '')
    assert.deepEqual(
      nouns.filter((noun) => !Object.hasOwn(words.audit.nouns, noun)),
      [],
    )
  }
})
