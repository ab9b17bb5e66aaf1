import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string): string => readFileSync(project + file, 'utf8')
const page = read('docs/operate/privacy.md')

type Row = { readonly what: string; readonly where: string; readonly kept: string; readonly by: string }

const rows: readonly Row[] = [...page.matchAll(/^\| (.+) \|$/gm)]
  .map(([, row = '']) => row.split(/ ?\| ?/))
  .filter((cells) => cells.length === 5 && cells[0] !== 'what')
  .map(([what = '', where = '', , kept = '', by = '']) => ({ what, where, kept, by }))

describe('docs/operate/privacy.md', () => {
  it('names only settings that exist', () => {
    const settings = read('docs/operate/settings.md')
    const named = rows.flatMap(({ by }) =>
      [...by.matchAll(/`([A-Z][A-Z0-9_]+)`(?! in )/g)].map(([, name = '']) => name),
    )
    assert.ok(named.length >= 6, named.join())
    const unknown = named.filter((name) => !settings.includes(`\`${name}\``))
    assert.deepEqual(unknown, [])
  })

  it('has each setting’s default, as docs/operate/settings.md has it', () => {
    const defaultOf = (name: string) =>
      new RegExp(`\`${name}\` \\| \`(\\d+)\``).exec(read('docs/operate/settings.md'))
    const keptBy = (name: string) => rows.find(({ by }) => by.startsWith(`\`${name}\``))?.kept
    assert.equal(keptBy('AUDIT_DAYS'), `${defaultOf('AUDIT_DAYS')?.[1]} days`)
    assert.equal(keptBy('OPERATOR_FEED_HOURS'), `${Number(defaultOf('OPERATOR_FEED_HOURS')?.[1]) / 24} days`)
  })

  it('has each bound where it says', () => {
    const bounds = rows.flatMap(({ by, kept }) =>
      [...by.matchAll(/`([^`]+)` in `([^`]+)`/g)].map(([, bound = '', file = '']) => ({ bound, file, kept })),
    )
    assert.ok(bounds.length >= 7, String(bounds.length))
    for (const { bound, file, kept } of bounds) {
      assert.ok(read(file).includes(bound), `${bound} is not in ${file}`)
      const [, count, unit = ''] = /interval '(\d+) (hour|day)/.exec(bound) ?? []
      const words = count === '1' ? `a ${unit}` : `${count} ${unit}s`
      if (count !== undefined) assert.ok(kept.includes(words), `${bound}: ${kept}`)
    }
  })

  it('names only tables that exist', () => {
    const tables = new Map(
      [
        ...read('server/schema.sql').matchAll(
          /^create (?:unlogged )?table (?:exchequer\.)?(\w+) \(([\s\S]*?)^\)/gim,
        ),
      ].map(([, name = '', columns = '']) => [name, columns] as const),
    )
    const named = rows.flatMap(({ where }) => [...where.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    assert.ok(named.length > 20)
    assert.deepEqual(
      named.filter((name) => !tables.has(name)),
      [],
    )
  })
})
