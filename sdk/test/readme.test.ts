import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import * as sdk from '../src/index.ts'
import { Operator, Realm } from '../src/index.ts'
import * as note from '../src/note.ts'
import * as verify from '../src/verify.ts'
import * as webhooks from '../src/webhooks.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const at = { url: 'http://localhost', realm: 'r', key: 'k', token: 't' }
const realm = new Realm(at)
const operator = new Operator(at)
/** Its named members, without the transport, which is internal; tokens are in the operator's own row. */
const under = (name: string, noun: object): [string, object][] =>
  Object.entries(noun)
    .filter(([key, value]) => typeof value === 'object' && !['transport', 'tokens'].includes(key))
    .map(([key, value]) => [`${name}.${key}`, value as object])

const nouns: Record<string, object> = {
  realm,
  'realm.member(id)': realm.member('1'),
  ...Object.fromEntries(under('realm', realm)),
  'new Operator({ url, token })': operator,
  ...Object.fromEntries(under('operator', operator)),
  'operator.realm(id)': operator.realm('r'),
}

function functionsOf(noun: object | null): string[] {
  if (noun === null || noun === Object.prototype) return []
  const own = Object.getOwnPropertyNames(noun).filter((name) => name !== 'constructor')
  const called = own.filter((name) => typeof Reflect.get(noun, name) === 'function')
  return [...called, ...functionsOf(Object.getPrototypeOf(noun) as object | null)]
}

it('the README lists every function, and only existing ones', () => {
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
    const listed = (named.get(name) ?? []).filter((one) => !['keys', 'people', 'tokens'].includes(one))
    const also = name === 'realm' ? ['member'] : []
    assert.deepEqual([...listed, ...also].sort(), functionsOf(noun).sort(), name)
  }
})

it('the README lists the other exports, and how a client is created', () => {
  // The transport is internal.
  const exported = [sdk, verify, note, webhooks].flatMap((module) => Object.keys(module))
  const named = exported.filter((name) => name !== 'Transport')
  const made = [Realm, Operator].flatMap((noun) =>
    Object.getOwnPropertyNames(noun)
      .filter((name) => !['length', 'name', 'prototype'].includes(name))
      .map((name) => `${noun.name}.${name}(`),
  )
  assert.ok(made.length > 0)
  assert.deepEqual(
    [...named.map((name) => `\`${name}`), ...made].filter((word) => !readme.includes(word)),
    [],
  )
})
