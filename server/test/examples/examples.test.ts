import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { freshDatabase } from '../../../tests/support/suite.ts'
import { type Examples, examplesFile } from '../../src/http/reference/examples.ts'
import { openapi } from '../../src/http/reference/openapi.ts'
import { documented } from '../../src/http/routes.ts'
import { keyForm, linkForm, sessionForm, sessionKeyForm, tokenForm } from '../../src/keys/text.ts'
import { recordExamples } from './recording.ts'
import { checker } from './schemas.ts'

type Schema = { readonly [key: string]: unknown }
type Media = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
type Parameter = {
  readonly name: string
  readonly in: string
  readonly schema: Schema
  readonly example?: unknown
}
type Operation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Media }
  readonly responses: Readonly<Record<string, { readonly content?: Media; readonly headers?: Headers }>>
}
type Headers = Readonly<Record<string, { readonly example?: string }>>

const document = openapi(documented)
const operations = Object.values(
  document['paths'] as Readonly<Record<string, Readonly<Record<string, Operation>>>>,
).flatMap((methods) => Object.values(methods))
const faultsOf = checker(document)

/** Pages and scripts have no example. */
const isShown = (type: string): boolean => type !== 'text/html' && type !== 'text/javascript'

/** Request and response bodies of successful operations, by name. */
function bodiesOf({ operationId, requestBody, responses }: Operation) {
  const successes = Object.entries(responses).filter(([status]) => status < '300')
  const media = [
    ...Object.entries(requestBody?.content ?? {}).map(([type, one]) => ({ at: 'request', type, ...one })),
    ...successes.flatMap(([at, { content = {} }]) =>
      Object.entries(content).map(([type, one]) => ({ at, type, ...one })),
    ),
  ]
  return media.map(({ at, type, ...one }) => ({ name: `${operationId} ${at} ${type}`, type, ...one }))
}

const addOne = 'Call at.show() with the operation in a story of server/test/examples, then run npm run gen.'

describe('the examples of the document', () => {
  it('exist for every request and response body, except pages and scripts', () => {
    const bodies = operations.flatMap(bodiesOf)
    assert.ok(bodies.length > 140, `only ${bodies.length} bodies were found`)
    const missing = bodies.filter((one) => isShown(one.type) && one.example === undefined)
    assert.deepEqual(
      missing.map(({ name }) => name),
      [],
      addOne,
    )
  })

  it('exist for every path parameter, and for every Location', () => {
    const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
      all.filter((one) => one.in === 'path').map((one) => ({ ...one, operationId })),
    )
    const locations = operations.flatMap(({ operationId, responses }) => {
      const location = responses['201']?.headers?.['Location']
      return location ? [{ ...location, operationId, name: 'Location' }] : []
    })
    const missing = [...parameters, ...locations].filter(({ example }) => example === undefined)
    assert.deepEqual(
      missing.map(({ operationId, name }) => `${operationId} ${name}`),
      [],
      addOne,
    )
  })

  it('match their schemas, without additional fields', () => {
    const parameters = operations.flatMap(({ operationId, parameters: all = [] }) =>
      all.map((one) => ({ ...one, name: `${operationId} ${one.name}` })),
    )
    const faults = [...operations.flatMap(bodiesOf), ...parameters]
      .filter(({ example }) => example !== undefined)
      .flatMap(({ name, schema, example }) => faultsOf(schema, example).map((one) => `${name}${one}`))
    assert.deepEqual(faults, [])
  })

  it('contain no valid credential', () => {
    const text = readFileSync(examplesFile, 'utf8')
    const secrets = text.match(/ex[a-z]_[0-9A-Za-z]{36}/g) ?? []
    assert.ok(secrets.length > 10)
    const forms = [keyForm, linkForm, sessionForm, sessionKeyForm, tokenForm]
    assert.deepEqual(
      secrets.filter((one) => forms.some((form) => form.fits(one)) || !one.includes('EXAMPLE')),
      [],
    )
    assert.doesNotMatch(text, /127\.0\.0\.1|localhost/)
  })

  it('are what the server returns now; otherwise run npm run gen', async () => {
    const database = await freshDatabase()
    try {
      const now = await recordExamples(database)
      const kept = JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples
      const ids = [...new Set([...Object.keys(now), ...Object.keys(kept)])]
      assert.deepEqual(
        ids.filter((id) => JSON.stringify(now[id]) !== JSON.stringify(kept[id])),
        [],
      )
    } finally {
      await database.drop()
    }
  })
})

describe('the check of examples', () => {
  const member = { $ref: '#/components/schemas/Member' }
  const known = operations.flatMap(bodiesOf).find(({ name }) => name === 'getMember 200 application/json')
  const example = known?.example as object

  it('finds a field that no schema names, one that is missing, and one of another type', () => {
    const { tokenBalance: _, ...less } = example as { tokenBalance: number }
    assert.deepEqual(faultsOf(member, example), [])
    assert.deepEqual(faultsOf(member, { ...example, level: 7 }), [': must NOT have additional properties'])
    assert.deepEqual(faultsOf(member, less), [": must have required property 'tokenBalance'"])
    assert.deepEqual(faultsOf(member, { ...example, tokenBalance: '7' }), ['/tokenBalance: must be integer'])
    assert.deepEqual(faultsOf(member, { ...example, joinedAt: 'today' }), [
      '/joinedAt: must match format "date-time"',
    ])
  })
})
