import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call } from '../support/call.ts'
import { poor, rich } from '../support/fixture.ts'
import { suite } from '../support/suite.ts'

const made = suite()
const at = (member: string) => `${made.app.url}/api/v4/realms/${made.fixture.realm.id}/members/${member}`
const adjust = (member: string, body: object, headers = {}) =>
  call('PATCH', `${at(member)}/tokenBalance`, { key: made.fixture.realm.key, body, headers })

describe('200', () => {
  it('a credit adds and a debit subtracts, each answering the new balance', async () => {
    const added = await adjust(rich, { tokens: 25 })
    assert.equal(added.status, 200)
    assert.equal(added.json.newBalance, 100_025)
    assert.equal((await adjust(rich, { tokens: -25 })).json.newBalance, 100_000)
  })
})

describe('422', () => {
  it('a debit of more than there is changes nothing', async () => {
    const refused = await adjust(poor, { tokens: -6 })
    assert.equal(refused.status, 422)
    assert.equal(refused.json.code, 'insufficient_points')
    assert.match(refused.json.detail, /has 5 points; 6 were asked for/)
  })
})
