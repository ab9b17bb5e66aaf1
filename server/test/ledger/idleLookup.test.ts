import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Activity } from '../../src/ledger/index.ts'
import type { ActivityType, LapseStep } from '../../src/realms/index.ts'
import { Days } from '../../src/realms/index.ts'
import { forUs } from '../files/exports/books.ts'
import { idleSuite } from './idling.ts'
import { Random } from './random.ts'

const { books, make, write, sql } = idleSuite()

const people = ['1', '2', '3', '4']
const types = [
  'adjust',
  'adjust',
  'opening',
  'spend',
  'transfer',
  'hold',
  'capture',
  'release',
  'reverse',
  'grant',
]
const bys: readonly (readonly ActivityType[])[] = [['earned'], ['spent'], ['earned', 'spent']]

/** Entries of two point types, some of which the realm refuses. */
async function writeSome(realm: number, random: Random): Promise<void> {
  const holds: bigint[] = []
  for (let count = 0; count < 120; count += 1) {
    const point = random.pick(['gold', 'gold', 'silver'])
    const [member, recipient] = [random.pick(people), random.pick(people)]
    const tokens = BigInt(1 + random.below(9))
    const hold = holds[random.below(holds.length || 1)]
    const entry = BigInt(1 + random.below(count + 1))
    const asked = {
      adjust: { kind: 'adjust', member, tokens, point },
      opening: { kind: 'opening', member, tokens, point },
      spend: { kind: 'adjust', member, tokens: -tokens, point },
      transfer: { kind: 'transfer', member, recipient, tokens, point },
      hold: { kind: 'hold', member, tokens, point, forUs },
      capture: { kind: 'capture', hold, tokens: 1n },
      release: { kind: 'release', hold },
      reverse: { kind: 'reverse', entry },
      grant: { kind: 'award', member, tokens, point, grantUs: undefined },
    }[random.pick(types)]
    if (!asked || ('hold' in asked && asked.hold === undefined)) continue
    const made = await write(realm, asked as Parameters<typeof write>[1]).catch(() => [])
    if (asked.kind === 'hold') holds.push(...made)
    if (asked.kind === 'award' && made[0]) await write(realm, { kind: 'grant', award: made[0] })
  }
}

it('the last activity of each member is that of its entries read one by one', async () => {
  let compared = 0
  for (let seed = 1; seed <= 4; seed += 1) {
    const realm = await make(people)
    await writeSome(realm, new Random(seed * 104_729))
    const entries = await sql(
      `select seq::integer, kind, from_account as f, to_account as t from journal
        where realm = $1 and point = 1 order by seq desc`,
      [realm],
    )
    const balances = await sql(
      'select account from balances where realm = $1 and point = 1 and account > 0 and balance > 0',
      [realm],
    )
    for (const by of bys) {
      const step = { number: 1, fromSeq: 1n, baseDay: 0, notBefore: null, rule: { idle: { months: 1, by } } }
      const steps: LapseStep[] = [{ ...step, days: new Days('UTC') }]
      const accounts = balances.map(({ account }) => account as number)
      const found = await new Activity(books().db).of(realm, { point: 1, steps, accounts })
      for (const account of accounts) {
        const counted = entries.find(
          ({ kind, f, t }) =>
            (by.includes('earned') && t === account && [1, 8, 13].includes(kind)) ||
            (by.includes('spent') && ((kind === 1 && f === account) || (kind === 5 && f === -account))),
        )
        const first = entries.findLast(({ t }) => t === account)
        assert.equal(
          Number(found.get(account)?.seq),
          (counted ?? first)?.seq,
          `${seed} ${account} ${by.join()}`,
        )
        compared += 1
      }
    }
  }
  assert.ok(compared > 30)
})
