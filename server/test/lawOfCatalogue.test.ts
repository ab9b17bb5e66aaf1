import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { catalogStatements } from '../src/observability/postgresStore.ts'

/** Some need a release or a right, so that law.test.ts can't plan them. */
const schema = readFileSync(new URL('../schema.sql', import.meta.url), 'utf8')
const tables = [...schema.matchAll(/^create (?:\w+ )?(?:table|view) (?:exchequer\.)?(\w+)/gm)].map(
  ([, name = '']) => name,
)
const ours = new RegExp(`\\b(from|join|into|update)\\s+(exchequer\\.)?(${tables.join('|')})\\b`)

describe('statements of the catalogue', () => {
  it('read no table of ours, as the realm would not lead them', () => {
    assert.ok(tables.length > 40, String(tables.length))
    assert.match('select id from members', ours)
    const found = Object.values(catalogStatements)
    assert.ok(found.length > 5)
    assert.deepEqual(
      found.filter(({ text }) => ours.test(text)),
      [],
    )
  })
})
