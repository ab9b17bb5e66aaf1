import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wholeOf } from '../src/pages/member/whole.ts'

describe('a number in human notation', () => {
  it('is accepted in groups of three, with any separator', () => {
    for (const text of ['1234567', '1,234,567', '1.234.567', "1'234'567", '1 234 567'])
      assert.equal(wholeOf(text), '1234567')
    for (const blank of ['\u00a0', '\u2009', '\u202f']) assert.equal(wholeOf(` 12${blank}500 `), '12500')
  })

  it('is left unchanged when it may be a fraction', () => {
    for (const text of ['12.50', '12,5', '1.000,50', '1,00', '0.5', '1234,567', '12.', '1,234.567'])
      assert.equal(wholeOf(text), text)
  })
})
