import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogue } from '../../server/src/errors.ts'
import { de } from '../src/words/de.ts'
import { en } from '../src/words/en.ts'

type Entry = string | ((...given: never[]) => string) | { readonly [name: string]: Entry }

/** Every key with the number of its parameters. */
function keysOf(words: Entry, path = ''): string[] {
  if (typeof words === 'string') return [path]
  if (typeof words === 'function') return [`${path}(${words.length})`]
  return Object.entries(words).flatMap(([name, inner]) => keysOf(inner, `${path}.${name}`))
}

function textsOf(words: Entry): string[] {
  if (typeof words === 'function') return []
  return typeof words === 'string' ? [words] : Object.values(words).flatMap(textsOf)
}

const languages = [en, de] as unknown as readonly [Entry, Entry]

describe('the dictionaries', () => {
  it('have the same keys in every language', () => {
    const [english, german] = languages.map((words) => keysOf(words).sort())
    assert.deepEqual(german, english)
  })

  it('have no empty text', () => {
    for (const words of languages)
      assert.deepEqual(
        textsOf(words).filter((text) => text.trim() === ''),
        [],
      )
  })

  it('have texts only for error codes of the server', () => {
    assert.deepEqual(
      Object.keys(en.refusals).filter((code) => !Object.hasOwn(catalogue, code)),
      [],
    )
  })

  it('differ: a language must be translated, not copied', () => {
    const [english = [], german = []] = languages.map(textsOf)
    const same = english.filter((text, at) => text === german[at] && /\s/.test(text))
    assert.ok(same.length < english.length / 20, `the same in both: ${same.join(' | ')}`)
  })
})
