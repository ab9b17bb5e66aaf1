import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { RefusalError } from '../../src/errors.ts'
import { compileCheck } from '../../src/http/route/check.ts'

describe('a list above its maximum length', () => {
  const item = Type.Object({ id: Type.String({ description: 'An id.' }), tokens: Type.Integer() })
  const check = compileCheck(
    Type.Object({
      items: Type.Array(item, { maxItems: 1_000, description: 'At most 1000 items.' }),
      more: Type.Optional(Type.Array(Type.String(), { maxItems: 2, description: 'At most 2 texts.' })),
    }),
  )

  function refusalOf(sent: unknown) {
    try {
      check(sent)
    } catch (error) {
      assert.ok(error instanceof RefusalError)
      return { refusal: error.refusal }
    }
    return assert.fail('it was accepted')
  }

  it('is rejected by its length, without checking its items', () => {
    const items = Array.from({ length: 85_000 }, () => ({
      get id(): string {
        return assert.fail('an item was checked')
      },
    }))
    const { refusal } = refusalOf({ items })
    assert.deepEqual(refusal.faults, [
      { pointer: '/items', detail: 'Expected a list of at most 1000 items; got a list of 85000.' },
    ])
  })

  it('is rejected when it is optional, too', () => {
    const { refusal } = refusalOf({ items: [], more: ['a', 'b', 'c'] })
    assert.deepEqual(refusal.faults, [
      { pointer: '/more', detail: 'Expected a list of at most 2 items; got a list of 3.' },
    ])
  })
})
