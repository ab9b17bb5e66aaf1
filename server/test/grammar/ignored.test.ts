import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rich } from '../../../tests/support/fixture.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'
import { ignoredText } from '../../src/http/route/ignored.ts'
import { keyForm } from '../../src/keys/index.ts'

/** Exchequer-Ignored: fields that the routes of the old service ignore. */

const made = suite()
const { adjust } = v4(made)
const ignoredBy = async (body: object | string) => {
  const { status, headers, text } = await adjust(rich, body)
  assert.equal(status, 200, text)
  return headers['exchequer-ignored']
}

describe('Exchequer-Ignored', () => {
  it('is absent when nothing was ignored', async () => {
    assert.equal(await ignoredBy({ tokens: 1, reason: null, metadata: { any: { thing: 1 } } }), undefined)
  })

  it('lists each ignored field, also in an error response', async () => {
    assert.equal(await ignoredBy({ tokens: 1, reson: 'x', 'a/b': 1 }), '/reson, /a~1b')
    const { status, headers } = await adjust(rich, { tokens: -9_000_000, reson: 'x' })
    assert.deepEqual([status, headers['exchequer-ignored']], [422, '/reson'])
  })

  it('has only valid header characters, and at most a thousand', async () => {
    assert.equal(await ignoredBy('{"tokens":1,"\\ud800":1}'), '/%EF%BF%BD')
    assert.equal(await ignoredBy({ tokens: 1, 'a, b\r\nc': 1 }), '/a%2C%20b%0D%0Ac')
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`field${index}`, 1]))
    const long = await ignoredBy({ tokens: 1, ...many, ['é'.repeat(5_000)]: 1 })
    assert.match(String(long), /^\/field0, \/field1, /)
    assert.ok(String(long).length <= 1_000)
    assert.ok(String(await ignoredBy({ tokens: 1, ['é'.repeat(5_000)]: 1 })).length <= 1_000)
  })

  it('masks what looks like a key, before it is truncated', () => {
    const [, prefix = ''] = /^\^([a-z_]+)/.exec(keyForm.pattern) ?? []
    const [, length = ''] = /\{(\d+)\}/.exec(keyForm.pattern) ?? []
    const secret = prefix + 'a'.repeat(Number(length))
    assert.equal(ignoredText([`/${secret}`]), `/${prefix}...`)
    const behind = `/${'b'.repeat(50)}-${secret}`
    assert.doesNotMatch(ignoredText([behind]), /aa/)
  })
})
