import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { faultOfId, SeenIds } from '../../../src/files/imports/ids.ts'

describe('an id in a file', () => {
  it('that a spreadsheet wrote with an exponent is reported', () => {
    for (const text of ['1.19E+18', '1,19E+18', '1.19019434529548e+18', '5E3']) {
      assert.equal(
        faultOfId(text, true),
        `${text} is what a spreadsheet makes of a long id; export the column as text.`,
      )
    }
  })

  it('that a spreadsheet rounded is reported, unless allowed', () => {
    for (const text of ['1190194345295480000', '1234567890123450', '119019434529548000']) {
      assert.match(faultOfId(text, false) ?? '', /^\d+ looks rounded.*roundedIds=allow/)
      assert.equal(faultOfId(text, true), undefined)
    }
  })

  it('that is exact is accepted', () => {
    for (const text of ['1', '100000', '100000000000000', '1190194345295482952', '1190194345295483000']) {
      assert.equal(faultOfId(text, false), undefined)
    }
  })

  it('that is invalid is rejected', () => {
    for (const text of ['', '0', '-5', '+5', '01', '5.0', 'fox', '9223372036854775808', '1 000']) {
      assert.ok(faultOfId(text, true), text)
    }
  })
})

describe('numbers that were seen', () => {
  it('are distinguished from unseen ones, with the line of the first', () => {
    const numbers = fc.array(fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, 2n ** 64n - 1n)), {
      maxLength: 3_000,
    })
    fc.assert(
      fc.property(numbers, (given) => {
        const seen = new SeenIds()
        const first = new Map<bigint, number>()
        for (const [index, number] of given.entries()) {
          assert.equal(seen.add(number, index + 1), first.get(number))
          if (!first.has(number)) first.set(number, index + 1)
        }
      }),
      { numRuns: 50 },
    )
  })
})
