import assert from 'node:assert/strict'
import { beforeEach, describe, it, mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../tests/support/manager.ts'
import { assertProblem } from '../../tests/support/problem.ts'
import { suite } from '../../tests/support/suite.ts'

const made = suite()
let realm: ManagedRealm
beforeEach(async () => {
  realm = await managed(made, { point: { id: 'gold' }, unknownMembers: 'create' })
  assert.equal((await award()).status, 200)
})

const award = () => realm.send('PATCH /members/1/tokenBalance', { tokens: 10 })
const hold = () => realm.send('POST /members/1/holds', { tokens: 1, expiresIn: 60 })
/** Its response is at most half a second old. */
async function ready() {
  await sleep(600)
  return call('GET', `${made.app.url}/readyz`)
}

const hoursMs = 3_600_000
for (const [way, apartMs] of [
  ['ahead of', -72 * hoursMs],
  ['behind', 72 * hoursMs],
] as const) {
  describe(`a database whose clock is ${way} the server's`, () => {
    it('is not written to until the clocks agree again', async () => {
      const real = Date.now
      const wrong = mock.method(Date, 'now', () => real() + apartMs)
      // Decided from memory, which still has the right time.
      await award()
      for (const answer of [await award(), await hold()]) {
        assertProblem(answer, 503, 'unavailable')
        assert.match(answer.json.detail, /clocks .* differ by more than a minute/)
      }
      const { status, text } = await ready()
      assert.equal(status, 503)
      assert.match(text, new RegExp(`clock of the database is 2592\\d\\d seconds ${way} the clock of this`))
      wrong.mock.restore()
      assert.equal((await award()).status, 200)
      assert.equal((await hold()).status, 201)
      assert.equal((await ready()).status, 200)
      const late = `select seq from journal where at_us > extract(epoch from clock_timestamp()) * 1000000`
      assert.deepEqual(await rowsOf(made.database.superuserUrl, late), [])
      await assertBooks(made.database)
    })
  })
}
