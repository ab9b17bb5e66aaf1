import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { empty, evmWallet, poor, rich, unknownMember } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import {
  MovedError,
  NotFoundError,
  Realm,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from '../src/index.ts'

const made = suite()
const open = (more: object = {}) => {
  const { id, key } = made.fixture.realm
  return new Realm({ url: made.app.url, realm: id, key, ...more })
}

describe('a realm', () => {
  it('reads, changes and transfers', async () => {
    const realm = open()
    const { tokenBalance } = await realm.member(rich).get()
    assert.equal((await realm.member(BigInt(rich)).adjust(5)).newBalance, tokenBalance + 5)
    const { newBalance, recipientBalance } = await realm.member(rich).transfer(poor, 5)
    assert.equal(newBalance, tokenBalance)
    assert.equal((await realm.member(poor).get()).tokenBalance, recipientBalance)
    assert.equal((await realm.includes([evmWallet])).includes, true)
    assert.equal((await realm.member(rich).web3()).wallets.length > 0, true)
  })

  it('names the key when it was copied with a line break', () => {
    assert.throws(() => open({ key: `${made.fixture.realm.key}\n` }), { message: /line break/ })
  })

  it('holds, captures and reverses', async () => {
    const realm = open()
    const { tokenBalance } = await realm.member(rich).get()
    const hold = await realm.member(rich).hold(10, { reason: 'an order' })
    assert.equal((await hold.capture({ tokens: 4 })).released, 6)
    assert.equal((await realm.member(rich).get()).tokenBalance, tokenBalance - 4)
    const { transactionId } = await realm.member(rich).adjust(7)
    await realm.reverse(transactionId)
    await assert.rejects(realm.reverse(transactionId), { code: 'already_reversed' })
  })

  it('makes many changes, atomically or independently', async () => {
    const realm = open()
    const { balances } = await realm.batch([
      { member: rich, tokens: 1 },
      { member: empty, tokens: 1 },
    ])
    assert.equal(balances.length, 2)
    const outcomes = await realm.changes([
      { member: rich, tokens: 1 },
      { member: unknownMember, tokens: 1 },
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [200, 404],
    )
  })

  it('makes a conditional change only while the balance is unchanged', async () => {
    const realm = open()
    const { etag = '' } = await realm.member(rich).get()
    await realm.member(rich).adjust(1, { ifMatch: etag })
    await assert.rejects(realm.member(rich).adjust(1, { ifMatch: etag }), MovedError)
  })

  it('a dry run changes nothing', async () => {
    const realm = open()
    const before = await realm.member(rich).get()
    await realm.member(rich).adjust(5, { dryRun: true })
    assert.deepEqual(await realm.member(rich).get(), before)
  })
})

describe('an error', () => {
  it('has a class and a code', async () => {
    const realm = open()
    await assert.rejects(realm.member(unknownMember).get(), NotFoundError)
    await assert.rejects(realm.member(rich).adjust(-9_000_000), (error) => {
      assert.ok(error instanceof RefusedError)
      assert.equal(error.code, 'insufficient_points')
      assert.ok(error.requestId)
      return true
    })
    const wrong = open({ key: 'exq_wrong' })
    await assert.rejects(wrong.member(rich).get(), UnauthorizedError)
    const away = new Realm({ url: 'http://127.0.0.1:9', realm: 'x', key: 'y', retries: 1 })
    await assert.rejects(away.member(rich).adjust(1), UnavailableError)
  })

  it('a number is not accepted as an id, as rounding may yield another member’s', () => {
    const realm = open()
    assert.throws(() => realm.member(Number(rich) as never), TypeError)
    assert.throws(() => realm.member('1e5'), TypeError)
  })

  it('an aborted call ends at once', async () => {
    const away = new Realm({ url: 'http://127.0.0.1:9', realm: 'x', key: 'y', retries: 100 })
    const signal = AbortSignal.timeout(300)
    await assert.rejects(away.member(rich).adjust(1, { signal }), { name: 'TimeoutError' })
  })
})
