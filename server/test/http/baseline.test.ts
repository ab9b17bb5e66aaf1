import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { baselineOf, type Json, lostSince } from '../../src/http/reference/baseline.ts'
import { openapi } from '../../src/http/reference/openapi.ts'
import { documented } from '../../src/http/routes.ts'

const now = baselineOf(openapi(documented))
const kept = JSON.parse(readFileSync(new URL('../../openapi.baseline.json', import.meta.url), 'utf8')) as Json

const member = '/api/v4/realms/{realmID}/members/{memberID}'

/** Breaking changes that are reported for this change of the document. */
// biome-ignore lint/suspicious/noExplicitAny: it takes the document apart.
function lostBy(change: (document: any) => void): string[] {
  const changed = structuredClone(now)
  change(changed)
  return lostSince(now, changed)
}

describe('/api/v4 only grows', () => {
  it('has everything of the last release', () => {
    assert.deepEqual(lostSince(kept, now), [])
  })

  it('reports a removed operation', () => {
    assert.deepEqual(
      lostBy(({ paths }) => delete paths[member].get),
      [`GET ${member}: removed`],
    )
  })

  it('reports a removed field of a response, and one that became optional', () => {
    const removed = lostBy(({ components }) => delete components.schemas.Hold.properties.tokens)
    assert.ok(removed.some((one) => one.endsWith('.tokens: removed')))
    const optional = lostBy(({ components }) => {
      components.schemas.Hold.required = []
    })
    assert.ok(optional.some((one) => one.endsWith('.tokens: may be missing')))
  })

  it('reports a field of a request that is newly required, and a removed one', () => {
    const required = lostBy(({ components }) =>
      components.schemas.AdjustPointsRequest.required.push('reason'),
    )
    assert.deepEqual(required, [`PATCH ${member}/tokenBalance body.reason: required`])
    const gone = lostBy(({ components }) => delete components.schemas.AdjustPointsRequest.properties.reason)
    assert.deepEqual(gone, [`PATCH ${member}/tokenBalance body.reason: removed`])
  })

  it('reports a query parameter that is newly required, and a removed one', () => {
    const required = lostBy(({ paths }) => {
      for (const one of paths[`${member}/tokenBalance`].patch.parameters) one.required = true
    })
    assert.ok(required.some((one) => one.endsWith('query:dryRun: required')))
    const gone = lostBy(({ paths }) => {
      paths[`${member}/tokenBalance`].patch.parameters = []
    })
    assert.ok(gone.some((one) => one.endsWith('query:dryRun: removed')))
  })

  it('reports a removed value of an enum', () => {
    let last: string | undefined
    const kinds = lostBy(({ components }) => {
      last = components.schemas.MemberEntry.properties.type.enum.pop()
    })
    assert.ok(kinds.some((one) => one.endsWith(`.type: value "${String(last)}"`)))
  })

  it('reports a changed type', () => {
    const changed = lostBy(({ components }) => {
      components.schemas.Hold.properties.tokens.type = 'string'
    })
    assert.ok(changed.some((one) => one.endsWith('.tokens: type integer is string')))
  })

  it('accepts additions', () => {
    const added = lostBy(({ paths, components }) => {
      paths['/api/v4/new'] = paths[member]
      components.schemas.Hold.properties.more = { type: 'string' }
      components.schemas.Hold.required.push('more')
      components.schemas.AdjustPointsRequest.properties.more = { type: 'string' }
      components.schemas.MemberEntry.properties.type.enum.push('gift')
    })
    assert.deepEqual(added, [])
  })
})
