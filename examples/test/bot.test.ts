import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Realm } from '@exchequer/sdk'
import { poor, rich, unknownMember } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { handle, type Interaction } from '../bot/points.ts'

const made = suite()
const open = () => {
  const { id, key } = made.fixture.realm
  return new Realm({ url: made.app.url, realm: id, key })
}
let count = 0
const asked = (command: string, options: Interaction['options'] = {}, userId = rich): Interaction => ({
  id: String(++count),
  userId,
  command,
  options,
})
const balanceOf = async (id: string) => (await open().member(id).get()).tokenBalance

describe('the bot', () => {
  it('replies with the member’s balance', async () => {
    const { content, onlyForMember } = await handle(open(), asked('balance'))
    assert.equal(content, `<@${rich}> has 100,000 points.`)
    assert.equal(onlyForMember, true)
    const other = await handle(open(), asked('balance', { member: poor }))
    assert.equal(other.content, `<@${poor}> has 5 points.`)
  })

  it('moves a tip once, however often its interaction is handled', async () => {
    const before = [await balanceOf(rich), await balanceOf(poor)]
    const interaction = asked('tip', { member: poor, amount: 7, note: 'thanks' })
    const replies = await Promise.all([1, 2, 3].map(() => handle(open(), interaction)))
    for (const { content } of replies) assert.equal(content, `<@${rich}> gave 7 points to <@${poor}>.`)
    const [had = 0, got = 0] = before
    assert.deepEqual([await balanceOf(rich), await balanceOf(poor)], [had - 7, got + 7])
    await handle(open(), asked('tip', { member: poor, amount: 1 }))
    assert.equal(await balanceOf(poor), got + 8)
  })

  it('moves a tip once when its response was lost, and the bot handles it again', async () => {
    const got = await balanceOf(poor)
    const { id, key } = made.fixture.realm
    const lost: typeof fetch = async (...call) => {
      await (await fetch(...call)).text()
      throw new TypeError('the connection was lost')
    }
    const cut = new Realm({ url: made.app.url, realm: id, key, retries: 0, fetch: lost })
    const interaction = asked('tip', { member: poor, amount: 3 })
    await assert.rejects(handle(cut, interaction), { name: 'UnavailableError' })
    const { content } = await handle(open(), interaction)
    assert.equal(content, `<@${rich}> gave 3 points to <@${poor}>.`)
    assert.equal(await balanceOf(poor), got + 3)
  })

  it('explains why it rejects a request', async () => {
    const reply = async (command: string, options: Interaction['options']) =>
      (await handle(open(), asked(command, options, poor))).content
    assert.equal(await reply('tip', { member: rich, amount: 5_000 }), 'You do not have that many points.')
    assert.equal(await reply('tip', { member: poor, amount: 1 }), 'You can’t tip yourself.')
    assert.equal(await reply('tip', { member: unknownMember, amount: 1 }), 'No member has that id.')
    assert.equal(await reply('tip', { member: rich, amount: 0.5 }), 'A tip is 1 point or more.')
    assert.equal(await reply('dance', {}), 'There is no /dance.')
  })

  it('lists the leaders', async () => {
    const { content } = await handle(open(), asked('leaderboard'))
    const [first = '', second = ''] = content.split('\n')
    assert.match(first, new RegExp(`^1\\. <@${rich}>: [0-9,]+ points$`))
    assert.match(second, new RegExp(`^2\\. <@${poor}>: [0-9]+ points$`))
  })
})
