import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseList } from '../src/pages/awards/parse.ts'

const read = (text: string, common: { points?: string; reason?: string } = {}) =>
  parseList(text, { points: '', reason: '', ...common }).map(
    ({ who, tokens, reason, fault }) => fault?.name ?? [who, tokens, reason],
  )

describe('a pasted list', () => {
  it('is separated by commas, semicolons, tabs or spaces, with or without a reason', () => {
    assert.deepEqual(read('ann, 5, won, at last\nbob;+3\nBob the Builder\t-2\toops\n\n  @cy 7 was kind  '), [
      ['ann', 5, 'won, at last'],
      ['bob', 3, ''],
      ['Bob the Builder', -2, 'oops'],
      ['cy', 7, 'was kind'],
    ])
  })

  it('accepts ids as an export writes them, without losing a digit', () => {
    const ways = ['="1190194345295482952",1', '"=""1190194345295482952""",1', '"1190194345295482952";"1"']
    for (const line of ways) assert.deepEqual(read(line), [['1190194345295482952', 1, '']], line)
  })

  it('accepts Discord mentions, and separators and quotes within quoted CSV cells', () => {
    assert.deepEqual(read('<@1190194345295482952> 5\n<@!1190194345295482952>, 5, kind'), [
      ['1190194345295482952', 5, ''],
      ['1190194345295482952', 5, 'kind'],
    ])
    assert.deepEqual(read('"Archer, Ann",5,"for ""that"""\nBob "Bo" Ash,2\n"ann,5'), [
      ['Archer, Ann', 5, 'for "that"'],
      ['Bob "Bo" Ash', 2, ''],
      'shape',
    ])
  })

  it('reports lines by their number in the pasted text', () => {
    assert.deepEqual(
      parseList('\nann 1\n\nbob 2', { points: '', reason: '' }).map(({ line }) => line),
      [2, 4],
    )
  })

  it('uses the common reason for lines without one', () => {
    assert.deepEqual(read('ann,1,own\nbob,2', { reason: 'common' }), [
      ['ann', 1, 'own'],
      ['bob', 2, 'common'],
    ])
  })

  it('uses the common points for lines without any, which may be names with spaces', () => {
    const list = 'ann\nBob the Builder\ncy, , own\ndan -3\neve,7\n1190194345295482952'
    assert.deepEqual(read(list, { points: '5', reason: 'common' }), [
      ['ann', 5, 'common'],
      ['Bob the Builder', 5, 'common'],
      ['cy', 5, 'own'],
      ['dan', -3, 'common'],
      ['eve', 7, 'common'],
      ['1190194345295482952', 5, 'common'],
    ])
    assert.deepEqual(read('ann, ten\nann 1 000\n, 5', { points: '5' }), ['amount', 'grouped', 'shape'])
  })
})

describe('a line with a mistake', () => {
  it('is reported for invalid amounts, and ids that a spreadsheet has rounded', () => {
    const wrong = ['ann,0', 'ann,1.5', 'ann,1e3', 'ann,9007199254740992', 'ann,ten']
    assert.deepEqual(
      wrong.flatMap((line) => read(line)),
      wrong.map(() => 'amount'),
    )
    assert.deepEqual(read('1.19E+18,5\n"1,19E+18";5\nann\n,5'), ['mangled', 'mangled', 'shape', 'shape'])
    assert.deepEqual(read(`ann,5,${'x'.repeat(501)}`), ['longReason'])
  })

  it('is never read in part of a number: 1,000 is not 1 point', () => {
    const wrong = ['ann, 1,000', 'ann,1,000,won the quiz', 'ann 1 000']
    assert.deepEqual(
      wrong.flatMap((line) => read(line)),
      wrong.map(() => 'grouped'),
    )
    assert.deepEqual(read('ann\t1,000\nann;1,000'), ['amount', 'amount'])
    assert.deepEqual(read('ann, 5, 3rd place\nann 5 2024 was hers'), [
      ['ann', 5, '3rd place'],
      ['ann', 5, '2024 was hers'],
    ])
  })
})
