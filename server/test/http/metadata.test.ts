import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RefusalError } from '../../src/errors.ts'
import { metadataText } from '../../src/http/route/metadata.ts'
import { parseJson } from '../../src/http/wire/json.ts'

describe('metadata', () => {
  it('of too many values is rejected by their count, without being serialized', () => {
    const value = {
      toJSON: () => assert.fail('a value was serialized'),
      get inner() {
        return assert.fail('a value was read')
      },
    }
    const names = Object.fromEntries(Array.from({ length: 1_025 }, (_, index) => [`n${index}`, value]))
    assert.throws(() => metadataText(names), RefusalError)
    assert.throws(() => metadataText({ x: [[names]] }), RefusalError)
  })

  it('is accepted with as many values as 2 KiB can hold', () => {
    const lists = `{"":[${'1,'.repeat(1_020)}1]}`
    assert.equal(lists.length, 2_048)
    assert.equal(metadataText(parseJson(lists) as object), lists)
    assert.throws(() => metadataText(parseJson(lists.replace('1,', '11,')) as object), RefusalError)
    const nested = `{"":[${'[],'.repeat(680)}1]}`
    assert.equal(metadataText(parseJson(nested) as object), nested)
  })
})
