import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lapseDraftOf, ruleOf } from '../src/pages/points/lapseDraft.ts'

const draft = lapseDraftOf(null)

describe('a lapse rule in the form', () => {
  it('is read from a rule and written as the same rule', () => {
    for (const rule of [
      { after: { days: 90 } },
      { after: { months: 3, roundTo: 'day' as const } },
      { after: { months: 24, roundTo: 'year' as const } },
      { on: ['06-30', '12-31'] },
      { idle: { months: 18, by: ['spent' as const] } },
      { idle: { months: 1, by: ['earned' as const, 'spent' as const] } },
    ])
      assert.deepEqual(ruleOf(lapseDraftOf(rule)), rule)
    assert.equal(ruleOf(draft), null)
  })

  it('takes dates in any order and with any separator', () => {
    assert.deepEqual(ruleOf({ ...draft, kind: 'on', on: '12-31; 06-30 02-29,06-30' }), {
      on: ['02-29', '06-30', '12-31'],
    })
  })

  it('is not valid where the server refuses it', () => {
    for (const wrong of [
      { kind: 'days', days: '0' },
      { kind: 'days', days: '401' },
      { kind: 'days', days: '1.5' },
      { kind: 'months', months: '13', roundTo: 'day' },
      { kind: 'months', months: '121', roundTo: 'year' },
      { kind: 'idle', idle: '0' },
      { kind: 'idle', idle: '121' },
      { kind: 'on', on: '' },
      { kind: 'on', on: '02-30' },
      { kind: 'on', on: '6-30' },
    ] as const)
      assert.equal(ruleOf({ ...draft, ...wrong }), undefined, JSON.stringify(wrong))
    assert.ok(ruleOf({ ...draft, kind: 'months', months: '13', roundTo: 'month' }))
  })
})
