import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { managed } from '../../../tests/support/manager.ts'
import { suite } from '../../../tests/support/suite.ts'

const made = suite()

describe('an entry', () => {
  it('has the name of its key for a key with realm:admin, and for no other key', async () => {
    const realm = await managed(made, { unknownMembers: 'create' })
    await realm.send('PATCH /members/1/tokenBalance', { tokens: 9 })
    const other = await realm.without('realm:admin')
    const namesFor = async (send: typeof other) => {
      const { data: entries } = (await send('GET /members/1/history')).json
      return [entries[0].keyName, (await send('GET /entries/1')).json.keyName]
    }
    const [name, ...rest] = await namesFor(realm.send)
    assert.equal(typeof name, 'string')
    assert.deepEqual([rest, await namesFor(other)], [[name], [null, null]])
  })
})

describe('a leaderboard', () => {
  it('has wallets for a key with wallets:read, and omits them for any other', async () => {
    const realm = await managed(made, { unknownMembers: 'create' })
    await realm.send('PATCH /members/1/tokenBalance', { tokens: 9 })
    await realm.send('PATCH /members/2/tokenBalance', { tokens: 8 })
    await realm.send('POST /members/1/wallets', { address: evmWallet })
    const blind = await realm.without('wallets:read')
    for (const [send, wallet] of [
      [realm.send, evmWallet],
      [blind, undefined],
    ] as const) {
      const { members } = (await send('GET /leaderboard')).json
      const { member } = (await send('GET /leaderboard/1?neighbours=1')).json
      const { above } = (await send('GET /leaderboard/2?neighbours=1')).json
      assert.equal(members.length, 2)
      for (const first of [members[0], member, above[0]]) {
        assert.equal(first.wallet, wallet)
        assert.equal(Object.hasOwn(first, 'wallet'), wallet !== undefined)
      }
    }
  })
})
