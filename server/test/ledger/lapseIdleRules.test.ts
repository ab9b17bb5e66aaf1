import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertBooks } from '../../../tests/support/books.ts'
import { wrong } from './history.ts'
import { both, idleSuite } from './idling.ts'
import { Planter } from './plant.ts'

const { database, makeIdle, set, setIdle, give, write, pass, sweep, lapsesOf } = idleSuite()

describe('a change of the rule', () => {
  it('lapses nothing sooner than the rule before, and longer ones apply to all', async () => {
    const realm = await makeIdle({ members: ['1'] })
    await give(realm, '1', 5n)
    await pass(realm, 40)
    await setIdle(realm, 1)
    await sweep(realm)
    await pass(realm, 50)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [], 'two months from the change')
    await setIdle(realm, 12)
    await pass(realm, 200)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 80)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await assertBooks(database())
  })

  it('ends it, and set again it waits its whole time', async () => {
    const realm = await makeIdle({ members: ['1'] })
    await give(realm, '1', 5n)
    await set(realm, null)
    await pass(realm, 400)
    await sweep(realm)
    await setIdle(realm, 2)
    await pass(realm, 50)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [])
    await pass(realm, 13)
    await sweep(realm)
    assert.deepEqual(await lapsesOf(realm), [[1, 5, 1]])
    await assertBooks(database())
  })

  it('is refused between rules with days and those without', async () => {
    const realm = await makeIdle()
    await assert.rejects(set(realm, { after: { days: 3 } }), /only another `idle` is possible/)
    await set(realm, null)
    await assert.rejects(set(realm, { on: ['12-31'] }), /only another `idle` is possible/)
    await set(realm, { after: { days: 3 } }, 'silver')
    await assert.rejects(set(realm, { idle: { months: 3, by: both } }, 'silver'), /`idle` is not possible/)
  })
})

describe('verify', () => {
  let planter: Planter
  let realm: number
  before(async () => {
    realm = await makeIdle()
    await give(realm, '1', 5n)
    await give(realm, '2', 5n)
    await give(realm, '1', 5n)
    await write(realm, { kind: 'transfer', member: '2', recipient: '1', tokens: 1n })
    await pass(realm, 63)
    await sweep(realm)
    planter = await Planter.open(database().superuserUrl, realm)
  })
  after(() => planter?.close())

  const day = 86_400_000_000n
  const faults: readonly [title: string, entry: number, why: RegExp, plant: string][] = [
    ['a lapse that names an entry before the last that counted', 5, /active last by entry 3/, 'link = 1'],
    ['one that names an entry after it', 5, /active last by entry 3/, 'link = 4'],
    ['one that names an entry of another member', 5, /was not active/, 'link = 2'],
    ['one that names none', 5, /was not active/, 'link = null, encoding = 1'],
    ['one that came before its day', 5, /lapsed before/, `at_us = at_us - ${10n * day}`],
  ]
  for (const [title, seq, why, plant] of faults)
    it(`finds ${title}`, async () => {
      const verdict = await planter.planted(
        async () => {
          await planter.run(`update journal set ${plant} where realm = $1 and seq = $2`, [realm, seq])
          await planter.rewrite(() => {})
        },
        () => planter.verify(),
      )
      wrong(verdict, `entry ${seq}`, why)
    })

  it('finds one that left some', async () => {
    const verdict = await planter.planted(
      () =>
        planter.rewrite((rows) => {
          const row = rows[4]
          if (row) Object.assign(row, { amount: row.amount - 1n, from_balance: 1n })
        }),
      () => planter.verify(),
    )
    wrong(verdict, 'entry 5', /whole balance/)
  })

  it('finds one where no rule applied', async () => {
    const verdict = await planter.planted(
      async () => {
        await planter.run('alter table lapse_rules disable trigger all')
        await planter.change('delete from lapse_rules where realm = $1')
      },
      () => planter.verify(),
    )
    wrong(verdict, 'entry 5', /no rule applied/)
  })
})
