import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertConflict, mergingSuite } from './merging.ts'

/** Pending awards of members that are merged. */
const { send, give, put, merge, merged } = mergingSuite()

const award = async (member: string): Promise<string> => {
  const { status, json, text } = await send(`POST /members/${member}/awards`, { tokens: 7 })
  assert.equal(status, 201, text)
  return json.awardId
}

describe('a merge and pending awards', () => {
  it('is refused while either member has one', async () => {
    await put('910')
    await give('911', 3)
    const awardId = await award('911')
    assertConflict(await merge('910', '911'), 'member_has_holds')
    assertConflict(await merge('911', '910'), 'member_has_holds')
    await send(`POST /awards/${awardId}/cancel`, {})
    await merged('910', '911')
  })

  it('keeps promise and grant in the survivor’s history, and their reversal takes from it', async () => {
    await put('920')
    await put('921')
    const awardId = await award('921')
    const granted = await send(`POST /awards/${awardId}/grant`, {})
    assert.equal(granted.status, 200, granted.text)
    await merged('920', '921')
    const { json } = await send('GET /members/920/history')
    const seen = json.data.map((one: Record<string, unknown>) => [one['type'], one['mergedFrom']])
    assert.deepEqual(seen, [
      ['merge', null],
      ['grant', '921'],
      ['award', '921'],
    ])
    const reversed = await send(`POST /entries/${granted.json.transactionId}/reverse`, {})
    assert.deepEqual(reversed.json.balances, [{ memberId: '920', newBalance: 0 }], reversed.text)
  })

  it('an award to the old id is the survivor’s', async () => {
    await give('930', 1)
    await give('931', 2)
    await merged('930', '931')
    await award('931')
    const { json } = await send('GET /members/930')
    assert.deepEqual([json.tokenBalance, Object.values(json.pending)], [3, [7]])
  })
})
