import assert from 'node:assert/strict'
import { it } from 'node:test'
import { poor, rich } from '../../tests/support/fixture.ts'
import { entryCount } from '../../tests/support/query.ts'
import { suite } from '../../tests/support/suite.ts'
import { Realm } from '../src/index.ts'
import { startFlaky } from './flaky.ts'

const made = suite()
const transfers = 500
const atOnce = 25

it(`${transfers} transfers through a proxy that drops or delays one in five are each made once`, async () => {
  const flaky = await startFlaky(made.app.url)
  const { id, key } = made.fixture.realm
  const realm = new Realm({ url: flaky.url, realm: id, key, timeoutMs: 1_000, retries: 12 })
  const direct = new Realm({ url: made.app.url, realm: id, key })
  try {
    const has = async (member: string) => (await direct.member(member).get()).tokenBalance
    const before = [await has(rich), await has(poor), await entryCount(made)]
    let left = transfers
    const answers = new Set<string>()
    const work = async () => {
      while (left-- > 0) answers.add((await realm.member(rich).transfer(poor, 1)).transactionId)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    assert.equal(answers.size, transfers)
    const [gave = 0, got = 0, counted = 0] = before
    const after = [await has(rich), await has(poor), await entryCount(made)]
    assert.deepEqual(after, [gave - transfers, got + transfers, counted + transfers])
    const hurt = [...flaky.seen]
      .filter(([fate]) => fate !== 'well')
      .reduce((sum, [, times]) => sum + times, 0)
    assert.ok(hurt > transfers / 8, `only ${hurt} were lost or late`)
  } finally {
    await flaky.close()
  }
})
