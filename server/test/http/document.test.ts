import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { described } from '../../src/http/reference/openapi.ts'
import { tagGroups, tags } from '../../src/http/route/tags.ts'
import { documented, routesAt } from '../../src/http/routes.ts'

/** What openapi.json promises its readers. */
const { document, schemas } = described(documented)
const verbs =
  'accept adjust apply award cancel capture create decline delete erase export find finish get grant ' +
  'import invite link list merge open put release remove replay reverse revoke rotate search sign skip ' +
  'start stream ' +
  'test transfer undo unlink update upsert'
const camelVerb = new RegExp(`^(${verbs.replaceAll(' ', '|')})([A-Z0-9][a-z0-9]*)+$`)

describe('the document', () => {
  it('every operationId is a unique verb and noun', () => {
    const ids = routesAt('').flatMap(({ operationId, methods }) =>
      typeof operationId === 'string' ? [operationId] : methods.flatMap((one) => operationId[one] ?? []),
    )
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    )
    assert.deepEqual(
      ids.filter((id) => !camelVerb.test(id)),
      [],
    )
  })

  it('every tag is described, used, and in one group', () => {
    const used = new Set(documented.map(({ tag }) => tag))
    assert.deepEqual(
      Object.keys(tags).filter((tag) => !used.has(tag as keyof typeof tags)),
      [],
    )
    assert.deepEqual(tagGroups.flatMap((group) => group.tags).sort(), Object.keys(tags).sort())
  })

  it('every object in a request or response has a name: give its schema a `title`', () => {
    assert.deepEqual(schemas.unnamed, [])
  })

  it('no two objects have the same name', () => {
    assert.deepEqual(schemas.doubles, [])
  })

  it('every field is described: by its schema, or in fieldWords.ts', () => {
    assert.deepEqual(schemas.bare, [])
  })

  it('every object is defined below components, not inline', () => {
    assert.doesNotMatch(JSON.stringify(document.paths), /"properties":|"patternProperties":/)
  })
})
