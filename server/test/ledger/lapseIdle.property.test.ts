import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reached, Sequence } from './idleSequence.ts'

/** 10,000 in the long form: LAPSE_SEQUENCES=10000 npm test -- lapseIdle.property */
const sequences = Number(process.env['LAPSE_SEQUENCES'] ?? 300)

describe('balances of members without activity', () => {
  it(`are those of a model that reads diaries, in ${sequences} random histories`, async () => {
    for (let seed = 1; seed <= sequences; seed += 1) {
      const sequence = new Sequence(seed)
      try {
        for (let step = 0; step < 80; step += 1) sequence.step()
        await sequence.verify()
      } catch (error) {
        throw new Error(`sequence ${seed}`, { cause: error })
      }
    }
    for (const name of [
      'a lapse',
      'a rule removed',
      'a capture',
      'a stale one',
      'a capture meanwhile',
      'a rule meanwhile',
      'a merge undone',
      'planted faults',
      ...['earned', 'spent', 'transfer', 'lapse'].map((type) => `a reversal of ${type}`),
    ])
      assert.ok((reached.get(name) ?? 0) > 3, `${name}: ${reached.get(name) ?? 0}`)
  })
})
