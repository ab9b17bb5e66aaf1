import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import { dateOf, dayOfLapse } from '../../src/realms/index.ts'
import { forUs } from '../files/exports/books.ts'
import { openBooks } from './books.ts'
import { both, idleSuite, longestAway } from './idling.ts'
import { today } from './sweeping.ts'

const { database, make, makeIdle, setIdle, give, write, pass, sweep, lapsesOf, sql } = idleSuite()

describe('a rule for members without activity', () => {
  it('takes the whole balance after so many months, and names the last entry that counted', async () => {
    const realm = await makeIdle()
    await give(realm, '1', 5n)
    await give(realm, '1', 7n)
    await write(realm, { kind: 'adjust', member: '1', tokens: 9n, point: 'silver' })
    await give(realm, '2', 3n)
    await pass(realm, 58)
    await give(realm, '2', 4n)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 5)
    await sweep(realm)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 12, 2]])
    await assertBooks(database())
  })

  it('lapses nothing in the months after it was set, even of members who were away before', async () => {
    const realm = await make(['1'])
    await give(realm, '1', 5n)
    await pass(realm, 1_000)
    await setIdle(realm, 2)
    await sweep(realm)
    await pass(realm, 50)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 13)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await assertBooks(database())
  })

  it('does not count a transfer, to or from a member', async () => {
    const realm = await makeIdle()
    await give(realm, '1', 5n)
    await give(realm, '2', 5n)
    await pass(realm, 61)
    await write(realm, { kind: 'transfer', member: '1', recipient: '2', tokens: 2n })
    await pass(realm, 2)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [
      [1, 3, 1],
      [2, 7, 2],
    ])
  })

  it('counts the first points of a member that was never active, however it got them', async () => {
    const realm = await makeIdle()
    await give(realm, '1', 5n)
    await pass(realm, 30)
    await write(realm, { kind: 'transfer', member: '1', recipient: '2', tokens: 2n })
    await pass(realm, 33)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 3, 1]])
    await write(realm, { kind: 'transfer', member: '2', recipient: '1', tokens: 1n })
    await pass(realm, 30)
    await sweep(realm)
    assert.deepEqual((await lapsesOf(realm)).slice(1), [
      [1, 1, 1],
      [2, 1, 2],
    ])
    await assertBooks(database())
  })

  it('does not count a reversal, a hold, its release, or a pending award that is cancelled', async () => {
    const realm = await makeIdle()
    await give(realm, '1', 5n)
    await give(realm, '1', 5n)
    await pass(realm, 61)
    await write(realm, { kind: 'reverse', entry: 2n })
    const [hold] = await write(realm, { kind: 'hold', member: '1', tokens: 3n, forUs })
    await write(realm, { kind: 'release', hold })
    const asked = { kind: 'award', member: '1', tokens: 1n, grantUs: undefined } as const
    const [award] = await write(realm, asked)
    await write(realm, { kind: 'cancel', award })
    await pass(realm, 2)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 2]])
    await assertBooks(database())
  })

  for (const [by, spends, lapses] of [
    [['earned'], true, 1],
    [['earned', 'spent'], true, 0],
    [['spent'], true, 0],
    [['spent'], false, 1],
  ] as const)
    it(`by ${by.join(' and ')}: a member that ${spends ? 'spent' : 'earned'} some last`, async () => {
      const realm = await makeIdle({ by })
      await give(realm, '1', 9n)
      await give(realm, '1', -1n)
      await give(realm, '2', 9n)
      const [hold] = await write(realm, { kind: 'hold', member: '2', tokens: 3n, forUs })
      await pass(realm, 50)
      for (const member of ['1', '2']) if (!spends) await give(realm, member, 1n)
      if (spends) {
        await give(realm, '1', -1n)
        await write(realm, { kind: 'capture', hold, tokens: 1n })
      }
      await pass(realm, 13)
      await sweep(realm)
      assert.equal((await lapsesOf(realm)).length, lapses * 2, JSON.stringify(await lapsesOf(realm)))
      await assertBooks(database())
    })

  it('spares held points; a capture is activity though it changes no spendable balance', async () => {
    const realm = await makeIdle()
    await give(realm, '1', 9n)
    await give(realm, '2', 9n)
    for (const member of ['1', '2'])
      await write(realm, { kind: 'hold', member, tokens: 4n, forUs: forUs * 1_000_000n })
    await pass(realm, 58)
    await write(realm, { kind: 'capture', hold: 4n, tokens: undefined })
    await pass(realm, 5)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await write(realm, { kind: 'release', hold: 3n })
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [
      [1, 5, 1],
      [1, 4, 1],
    ])
    await assertBooks(database())
  })

  it('is saved by an award on the last day', async () => {
    const realm = await makeIdle({ members: ['1'] })
    await give(realm, '1', 9n)
    await pass(realm, longestAway())
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await give(realm, '1', 1n)
    await pass(realm, 1)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
  })

  it('takes them the day after without that award', async () => {
    const realm = await makeIdle({ members: ['1'] })
    await give(realm, '1', 9n)
    await pass(realm, longestAway() + 1)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 9, 1]])
  })

  it('keeps the points of frozen members, and of others for 24 hours after they were unfrozen', async () => {
    const realm = await makeIdle()
    for (const member of ['1', '2']) await give(realm, member, 5n)
    await pass(realm, 63)
    await sql('update members set frozen_at = now() where realm = $1 and account = 1', [realm])
    await sql('update members set unfrozen_at = now() where realm = $1 and account = 2', [realm])
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await sql(
      `update members set frozen_at = null, unfrozen_at = now() - interval '24 hours' where realm = $1`,
      [realm],
    )
    await sweep(realm)
    assert.equal((await lapsesOf(realm)).length, 2)
  })

  it('gives points that come back from a lapse all their months again', async () => {
    const realm = await makeIdle({ members: ['1'], by: ['spent'] })
    await give(realm, '1', 5n)
    await pass(realm, 63)
    await sweep(realm)
    await write(realm, { kind: 'reverse', entry: 2n, isAdmin: true })
    await pass(realm, 58)
    await sweep(realm)
    assert.equal((await lapsesOf(realm)).length, 1)
    await pass(realm, 5)
    await sweep(realm)
    assert.deepEqual((await lapsesOf(realm))[1], [1, 5, 3])
    await assertBooks(database())
  })

  it('lapses each balance once, if two processes sweep at once', async () => {
    const members = Array.from({ length: 200 }, (_, at) => String(at + 1))
    const realm = await makeIdle({ members })
    await Promise.all(members.map((member) => give(realm, member, 2n)))
    await pass(realm, 63)
    const other = openBooks(database().serverUrl)
    const writer = Promise.all(members.slice(0, 50).map((member) => give(realm, member, 1n)))
    await Promise.all([sweep(realm), sweep(realm, other), writer])
    await other.close()
    const lapses = await lapsesOf(realm)
    assert.equal(new Set(lapses.map(([account]) => account)).size, lapses.length)
    assert.ok(lapses.length >= 150)
    await assertBooks(database())
  })
})

describe('a notice', () => {
  it('names the member once, at most seven days before, if a webhook asks for it', async () => {
    const realm = await makeIdle()
    await sql(
      `insert into endpoints (realm, number, url, ordered, include_details, parallel, secret, types)
        values ($1, 1, 'https://a.example/', false, false, 8, 'a', '{points.lapsing}')`,
      [realm],
    )
    await give(realm, '1', 9n)
    await pass(realm, 30)
    await give(realm, '2', 9n)
    await pass(realm, 27)
    await sweep(realm)
    await sweep(realm)
    const lapsesOn = dateOf(dayOfLapse(today() - 57, { idle: { months: 2, by: both } }))
    const data = { realmPointId: 'gold', tokens: '9', lapsesOn }
    const found = await sql('select account, data::json as data from notices where realm = $1', [realm])
    assert.deepEqual(found, [{ account: 1, data }])
  })
})
