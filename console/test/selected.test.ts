import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvOf } from '../src/pages/members/csv.ts'

const member = {
  id: '1190194345295482952',
  realmId: 'guild',
  username: 'ann',
  displayName: '=HYPERLINK("x")',
  balances: { gold: 5, gems: 9_007_199_254_740_991 },
  held: { gold: 2 },
  tokenBalance: 5,
  frozen: true,
  hidden: false,
  joinedAt: '2026-11-19T10:00:00.000Z',
  updatedAt: null,
} as unknown as Parameters<typeof csvOf>[0][number]

describe('a file of selected members', () => {
  it('has the columns of an export, keeps every digit of an id, and has no formula', () => {
    assert.deepEqual(csvOf([member], ['gold', 'gems']), [
      'id,username,displayName,balance:gold,held:gold,balance:gems,held:gems,frozen,hidden,joinedAt\r\n',
      '"=""1190194345295482952""",ann,"\'=HYPERLINK(""x"")",5,2,"=""9007199254740991""",0,' +
        'true,false,2026-11-19T10:00:00.000Z\r\n',
    ])
  })
})
