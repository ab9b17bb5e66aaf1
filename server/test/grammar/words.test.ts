import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { described } from '../../src/http/reference/openapi.ts'
import { documented } from '../../src/http/routes.ts'

/** One word for each concept in all requests and responses, except the routes of the old service. */

type Schema = { readonly [name: string]: unknown; readonly type?: unknown }
type Parameter = { readonly name: string; readonly in: string }
/** A name of a field or a parameter, where it is, and its object. */
type Word = { readonly name: string; readonly where: string; readonly schema: Schema }

/** The replacement of each word that is not used. */
const replaced: Readonly<Record<string, string>> = {
  kind: '`type`',
  kindName: '`type`',
  until: '`to`',
  days: '`from` and `to`',
  amount: '`tokens`',
  after: '`cursor`',
  before: '`cursor`',
  next: '`nextCursor`',
}

/** Exceptions: the word means something else, or is kept in addition to the new one. */
const kept: readonly RegExp[] = [
  // On-chain balances are not points.
  /^(Holding|HoldingOfWallet)\.amount$/,
  // The old service's leaderboard.
  /^StandingList\.next$/,
  /\.last_updated$/,
  // The days themselves, each with what happened on it.
  /^GetStatisticsResponse\.days$/,
  // A length of time, and a day that does not count.
  /^(LapseRule|UpdateLapseRuleRequest)\.after$/,
  /^LapseAfter\.days$/,
  /\/lapsing\?\.before$/,
]

const isMap = ({ type, properties, $ref }: Schema): boolean =>
  $ref === '#/components/schemas/Balances' || (type === 'object' && properties === undefined)
/** Sums over many members are decimal digits. */
const isSum = ({ type }: Schema): boolean => type === 'string'

function faultOf({ name, where, schema }: Word): string | undefined {
  const place = `${where}.${name}`
  if (kept.some((form) => form.test(place))) return undefined
  const better = Object.hasOwn(replaced, name) ? replaced[name] : undefined
  if (better) return `${place}: use ${better}`
  if (/[_-]/.test(name)) return `${place}: names are camelCase`
  if (name === 'type' && schema.type !== 'string') return `${place}: a type is a word`
  if (name === 'held' && !isMap(schema) && !isSum(schema)) return `${place}: a map by point type, or a sum`
  if (/^(total(s|Tokens)|issued|spent|claimed|circulation)$/.test(name) && schema.type === 'integer')
    return `${place}: a sum over many members is a decimal string`
  return undefined
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Every field and every query parameter of a document. */
function* wordsIn(node: unknown, where: string): Generator<Word> {
  if (!isObject(node)) return
  for (const [name, value] of Object.entries(node)) {
    if (name === 'properties' && isObject(value))
      for (const [field, schema] of Object.entries(value)) {
        yield { name: field, where, schema: schema as Schema }
        yield* wordsIn(schema, where)
      }
    else if (name === 'parameters' && Array.isArray(value))
      for (const one of value as (Parameter & { readonly schema: Schema })[])
        if (one.in === 'query') yield { name: one.name, where: `${where}?`, schema: one.schema }
    if (name !== 'properties' && name !== 'example' && name !== 'examples') {
      const isNamed = where === 'schemas' || where === 'paths'
      yield* wordsIn(value, name === 'schemas' || name === 'paths' || isNamed ? name : where)
    }
  }
}

const faults = (document: unknown): string[] =>
  [...new Set([...wordsIn(document, '')].flatMap((word) => faultOf(word) ?? []))].sort()

describe('field and parameter names', () => {
  it('are one for each concept, in camelCase, everywhere', () => {
    const { document } = described(documented)
    assert.ok([...wordsIn(document, '')].length > 500)
    assert.deepEqual(faults(document), [])
  })

  it('are reported when they are not', () => {
    const properties = {
      kind: { type: 'string' },
      type: { type: 'integer' },
      until: { type: 'string' },
      held: { type: 'integer' },
      total_points: { type: 'string' },
      issued: { type: 'integer' },
      amount: { type: 'integer' },
    }
    const parameters = [
      { name: 'days', in: 'query', schema: { type: 'string' } },
      { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
    ]
    const components = { schemas: { A: { properties } } }
    const planted = { paths: { '/a': { get: { parameters } } }, components }
    assert.deepEqual(faults(planted), [
      '/a?.days: use `from` and `to`',
      'A.amount: use `tokens`',
      'A.held: a map by point type, or a sum',
      'A.issued: a sum over many members is a decimal string',
      'A.kind: use `type`',
      'A.total_points: names are camelCase',
      'A.type: a type is a word',
      'A.until: use `to`',
    ])
    const right = {
      held: { $ref: '#/components/schemas/Balances' },
      issued: { type: 'string' },
      type: { type: 'string' },
    }
    assert.deepEqual(faults({ components: { schemas: { A: { properties: right } } } }), [])
  })
})
