import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Gain, isGain, planOf } from '../src/pages/member/gains.ts'

const gain = (transactionId: string, tokens: number, more: Partial<Gain> = {}): Gain => ({
  transactionId,
  tokens,
  type: 'adjust',
  realmPointId: 'gold',
  counterpartyId: null,
  ...more,
})

const nothing: ReadonlySet<string> = new Set()
const statesOf = ({ rows }: ReturnType<typeof planOf>) => rows.map(({ state }) => state)

describe('gains to undo', () => {
  it('are the newest that the balance covers, in each currency by itself', () => {
    const gains = [
      gain('5', 10),
      gain('4', 100),
      gain('3', 7, { realmPointId: 'gems' }),
      gain('2', 30),
      gain('1', 1, { realmPointId: 'gems' }),
    ]
    const plan = planOf(gains, { balances: { gold: 45, gems: 7 }, kept: nothing })
    assert.deepEqual(statesOf(plan), ['undo', 'short', 'undo', 'undo', 'short'])
    assert.deepEqual(plan.effects, [
      { point: 'gold', tokens: 40, before: 45, after: 5 },
      { point: 'gems', tokens: 7, before: 7, after: 0 },
    ])
  })

  it('leave room for others when one is kept', () => {
    const gains = [gain('2', 40), gain('1', 50)]
    const balances = { gold: 50 }
    assert.deepEqual(statesOf(planOf(gains, { balances, kept: nothing })), ['undo', 'short'])
    assert.deepEqual(statesOf(planOf(gains, { balances, kept: new Set(['2']) })), ['kept', 'undo'])
  })

  it('do not include a transfer from a removed member, which has nowhere to go', () => {
    const gains = [
      gain('2', 5, { type: 'transfer' }),
      gain('1', 5, { type: 'transfer', counterpartyId: '8' }),
    ]
    assert.deepEqual(statesOf(planOf(gains, { balances: { gold: 50 }, kept: nothing })), ['gone', 'undo'])
  })

  it('are neither what was undone before, nor what can’t be, nor a loss', () => {
    const all = [
      { tokens: 5, reversible: true },
      { tokens: 5, reversible: false },
      { tokens: -5, reversible: true },
      { tokens: 0, reversible: true },
    ]
    assert.deepEqual(all.map(isGain), [true, false, false, false])
  })
})
