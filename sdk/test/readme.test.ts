import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { Operator, Realm } from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const at = { url: 'http://localhost', realm: 'r', key: 'k', token: 't' }
const realm = new Realm(at)
const operator = new Operator(at)
const nouns: Record<string, object> = {
  realm,
  'realm.member(id)': realm.member('1'),
  'realm.members': realm.members,
  'realm.points': realm.points,
  'realm.keys': realm.keys,
  'realm.people': realm.people,
  'new Operator({ url, token })': operator,
  'operator.people': operator.people,
  'operator.realm(id)': operator.realm('r'),
}

function functionsOf(noun: object | null): string[] {
  if (noun === null || noun === Object.prototype) return []
  const own = Object.getOwnPropertyNames(noun).filter((name) => name !== 'constructor')
  const called = own.filter((name) => typeof Reflect.get(noun, name) === 'function')
  return [...called, ...functionsOf(Object.getPrototypeOf(noun) as object | null)]
}

it('the README names every function there is, and none that is not', () => {
  const rows = [...readme.matchAll(/^\| (?:`(.*?)`)? ?\| (`.*) \|$/gm)]
  const named = new Map<string, string[]>()
  let last = ''
  for (const [, name = last, words = ''] of rows) {
    last = name
    const parts = [...words.replace(/, and `tokens`.*/, '').matchAll(/`(\w+)(?:\(id\))?`/g)].map(
      ([, one = '']) => one,
    )
    named.set(name, [...(named.get(name) ?? []), ...parts])
  }
  for (const [name, noun] of Object.entries(nouns)) {
    const told = (named.get(name) ?? []).filter((one) => !['keys', 'people', 'tokens'].includes(one))
    const also = name === 'realm' ? ['member'] : []
    assert.deepEqual([...told, ...also].sort(), functionsOf(noun).sort(), name)
  }
})
