import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { plants as chaosPlants } from '../../../tests/chaos/planting.ts'
import { plants as fuzzPlants } from '../../../tests/security/fuzz/plants.ts'
import { recipeFor } from '../../../tests/security/fuzz/recipes.ts'
import { Things, thing } from '../../../tests/security/fuzz/things.ts'

describe('the planted bugs', () => {
  it('replace text that exists in the sources, so that a changed source fails before the long checks', () => {
    const missing = [...Object.entries(fuzzPlants), ...Object.entries(chaosPlants)].filter(
      ([, { file, text }]) =>
        !readFileSync(new URL(`../../src${file}`, import.meta.url), 'utf8').includes(text),
    )
    assert.deepEqual(
      missing.map(([bug, { file }]) => `${bug}: ${file}`),
      [],
    )
  })
})

describe('what the fuzzer creates for a route', () => {
  it('is named in a draft and replaced by its id, in turn', () => {
    const things = new Things()
    things.add('hold', 'amber', '17')
    things.add('hold', 'amber', '19')
    const path = `/holds/${thing('hold', 0, 'amber')}/${thing('hold', 3, 'amber')}`
    assert.equal(things.fill(path), '/holds/17/19')
    assert.equal(things.fill(path.toUpperCase()), '/HOLDS/17/19')
  })

  it('is an unknown id when nothing was created', () => {
    assert.equal(new Things().fill(thing('hold', 0, 'amber')), '999999')
  })

  it('includes what a response names', () => {
    const things = new Things()
    things.hear('POST /api/v4/realms/amber/members/1/holds', '{"holdId":"23"}')
    things.hear('GET /api/v4/realms/amber/members/1/holds', '{"holdId":"24"}')
    assert.equal(things.fill(thing('hold', 5, 'amber')), '23')
  })

  it('is requested with the permanent session, except for signing out', () => {
    const cookiesOf = (title: string) =>
      [1, 2, 3, 4, 5].map((number) => {
        const { headers } = recipeFor({ title } as Parameters<typeof recipeFor>[0], number, 'yard')
        return headers?.find(([name]) => name === 'Cookie')?.[1] ?? ''
      })
    const isFirst = (cookie: string) => cookie.includes('=[[session.all.0]]')
    assert.ok(cookiesOf('POST /console/session/operator-token').every(isFirst))
    assert.ok(cookiesOf('POST /console/session/keys').every(isFirst))
    assert.ok(!cookiesOf('DELETE /console/session').some(isFirst))
  })

  it('opens no board that would show the names of a realm', () => {
    const operation = { title: 'PATCH /api/v4/realms/{realmID}' } as Parameters<typeof recipeFor>[0]
    assert.match(recipeFor(operation, 1, 'amber-41d6c0de').body ?? '', /"publicBoard":false/)
    assert.match(recipeFor(operation, 1, 'yard').body ?? '', /"publicBoard":true/)
  })
})
