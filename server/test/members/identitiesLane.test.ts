import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { drawMemberId, isIdentity, isNamed, splitIdentity } from '../../src/members/identities/index.ts'
import { type Books, openBooks } from '../ledger/books.ts'
import { changeCommand } from '../ledger/commands.ts'

/** What an identity costs in the lanes, and what a numeric id does not. */
let database: TestDatabase
let books: Books
let realm: number
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
})
after(async () => {
  await assertBooks(database)
  assert.deepEqual(books.faults, [])
  await books.close()
  await database.drop()
})
beforeEach(async () => {
  realm = await books.make({ open: true, points: ['gold'], members: ['1'] })
})

let count = 0
const post = (member: string, tokens = 10n) =>
  books.ledger.post(changeCommand(realm, { member, tokens, idempotencyKey: `key-${++count}` }))

/** The statements of the next batch, by round trip. */
async function tripsOf(work: () => Promise<unknown>): Promise<string[]> {
  books.trips.length = 0
  await work()
  return books.trips.map((trip) => trip.map((name) => name.replace(/^(ledger|wall)_/, '')).join(' '))
}

const optimisticTrip = 'begin bind move_heads confirm_requests update_balances copy_entries commit'

describe('a batch', () => {
  it('by an identity that is in memory sends what one by a numeric id sends', async () => {
    await post('shop:a')
    await post('1')
    assert.deepEqual(await tripsOf(() => post('shop:a')), [optimisticTrip])
    assert.deepEqual(await tripsOf(() => post('1')), [optimisticTrip])
    assert.deepEqual(await tripsOf(() => Promise.all([post('shop:a'), post('1')])), [optimisticTrip])
  })

  it('without identities looks none up under the lock; with one it takes a round trip more', async () => {
    const numeric = await tripsOf(() => post('1'))
    assert.equal(numeric.at(-2), 'begin bind lock_free_heads read_parties read_requests')
    realm = await books.make({ open: true, points: ['gold'], members: ['1'] })
    const named = await tripsOf(() => post('shop:b'))
    assert.ok(named.includes('begin bind lock_free_heads identities_find'), named.join(' | '))
    assert.equal(
      named.at(-1),
      'move_heads insert_members identities_insert insert_balances copy_entries commit',
    )
  })

  it('reads a member by its identity outside the lock, when the realm is in memory', async () => {
    const other = openBooks(database.serverUrl)
    try {
      await other.ledger.post(changeCommand(realm, { member: 'shop:c', tokens: 1n, idempotencyKey: 'c' }))
      await post('1')
      await post('1')
      const trips = await tripsOf(() => post('shop:c'))
      assert.deepEqual(trips, [optimisticTrip])
    } finally {
      await other.close()
    }
  })

  it('draws another id when a member has the one that was drawn', async () => {
    await rowsOf(
      database.superuserUrl,
      `create sequence draws;
      grant usage on sequence draws to public;
      create function refuse_first() returns trigger language plpgsql as $$
      begin
        if nextval('exchequer.draws') = 1 then
          raise exception 'taken' using errcode = '23505', constraint = 'members_id_unique';
        end if;
        return new;
      end $$;
      create trigger refuse_first before insert on members for each row
        when (new.id >= 4611686018427387904) execute function refuse_first()`,
    )
    try {
      const outcome = await post('shop:taken')
      assert.equal(outcome.kind, 'done')
      assert.equal(
        (await rowsOf(database.superuserUrl, 'select last_value::text from draws'))[0].last_value,
        '2',
      )
    } finally {
      await rowsOf(database.superuserUrl, 'drop trigger refuse_first on members')
    }
  })
})

describe('the form of an identity', () => {
  it('no text is both a numeric id and an identity', () => {
    for (const text of ['1', '42', '9223372036854775807'])
      assert.deepEqual([isIdentity(text), isNamed(text)], [false, false])
    for (const text of ['shop:1', 'a:b:c', 'x-1:😀'])
      assert.deepEqual([isIdentity(text), isNamed(text)], [true, true])
  })

  it('the first colon separates', () => {
    assert.deepEqual(splitIdentity('urn:a:b'), { provider: 'urn', subject: 'a:b' })
  })

  it('lone surrogates, NUL and control characters are not part of one', () => {
    for (const text of ['a:\ud800', 'a:\0', 'a:b\nc', 'a:\u007f', 'a:']) assert.equal(isIdentity(text), false)
  })

  it('drawn ids are from 2^62 to 2^63 - 1, and differ', () => {
    const drawn = Array.from({ length: 1000 }, () => BigInt(drawMemberId()))
    assert.ok(drawn.every((id) => id >= 2n ** 62n && id < 2n ** 63n))
    assert.equal(new Set(drawn).size, drawn.length)
  })
})
