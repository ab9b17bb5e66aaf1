import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scopes } from '../../server/src/keys/scopes.ts'
import { rowsOf } from '../../tests/support/books.ts'
import { empty, evmWallet, poor, rich, solanaWallet, unknownMember } from '../../tests/support/fixture.ts'
import { tokenIn, useLink } from '../../tests/support/person.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { ExchequerError, Operator, Realm, RefusedError, UnauthorizedError } from '../src/index.ts'

let operator: Operator
let realm: Realm
const made = suite({}, async ({ app: { url }, fixture }) => {
  operator = new Operator({ url, token: operatorToken })
  const wanted = { name: 'manager', scopes: [...scopes] }
  const { key } = await operator.realm(fixture.realm.id).keys.issue(wanted)
  realm = new Realm({ url, realm: fixture.realm.id, key })
})

const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const gathered: T[] = []
  for await (const one of list) gathered.push(one)
  return gathered
}

/** A fetch whose first response to a method is lost. */
function losing(method: string): typeof fetch {
  let lost = false
  return async (input, init) => {
    const answer = await fetch(input, init)
    if (lost || init?.method !== method) return answer
    lost = true
    throw new TypeError('lost')
  }
}
const operatorWithLost = (method: string): Operator =>
  new Operator({ url: made.app.url, token: operatorToken, fetch: losing(method) })
const withLost = async (method: string): Promise<Realm> => {
  const { key } = await realm.keys.issue({ name: 'unlucky', scopes: [...scopes] })
  return new Realm({ url: made.app.url, realm: realm.id, key, fetch: losing(method) })
}

const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
const mismatch = 'This cursor belongs to another list, or to other filters.'

it('a list is read by page, as an array, and from a cursor on', async () => {
  const listed = idsOf(await all(realm.members.list()))
  const page = await realm.members.list().page({ limit: 2 })
  assert.deepEqual(idsOf(page.data), listed.slice(0, 2))
  const { nextCursor: cursor } = page
  assert.ok(cursor)
  assert.deepEqual(idsOf((await realm.members.list({ cursor, limit: 1 }).page()).data), listed.slice(2, 3))
  assert.deepEqual(idsOf(await realm.members.list({ limit: 2 }).toArray({ max: 5 })), listed.slice(0, 5))
  assert.deepEqual(await realm.members.list().toArray({ max: 0 }), [])
  assert.deepEqual(idsOf(await all(realm.members.list({ limit: 100, cursor }))), listed.slice(2))
  await assert.rejects(realm.members.list({ search: 'a', cursor }).page(), {
    errors: [
      { pointer: 'query:cursor', in: 'query', name: 'cursor', detail: mismatch, code: 'cursor_mismatch' },
    ],
  })
})

describe('members', () => {
  it('are listed over several pages, found, created and changed', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => String(5_000_000_000_000_000_001n + BigInt(index)))
    assert.deepEqual(await realm.members.put(ids.map((id) => ({ id }))), { created: 250, updated: 0 })
    const listed = (await all(realm.members.list())).map(({ id }) => id)
    assert.deepEqual(listed, [rich, poor, empty, ...ids])
    await realm.member(empty).put({ username: 'Emptor', note: 'a note', metadata: { team: 7 } })
    assert.deepEqual(
      (await all(realm.members.list({ search: 'empt' }))).map(({ id }) => id),
      [empty],
    )
    assert.deepEqual(
      (await all(realm.members.list({ wallet: evmWallet }))).map(({ id }) => id),
      [rich],
    )
    assert.deepEqual(await all(realm.members.list({ id: unknownMember })), [])
    assert.deepEqual((await realm.member(empty).profile()).metadata, { team: 7 })
  })

  it('who are frozen can’t spend points', async () => {
    assert.equal((await realm.member(poor).freeze()).frozen, true)
    await assert.rejects(realm.member(poor).adjust(-1), { code: 'member_frozen' })
    await realm.member(poor).freeze(false)
    await realm.member(poor).adjust(-1)
  })

  it('are removed and erased, also when the first response was lost', async () => {
    await realm.members.put([{ id: '101' }, { id: '102' }, { id: '103' }])
    await realm.member('101').remove()
    await assert.rejects(realm.member('101').remove(), { code: 'member_not_found' })
    await (await withLost('DELETE')).member('102').remove()
    assert.deepEqual(await (await withLost('POST')).member('103').erase(), { erased: true })
    await assert.rejects(realm.member(rich).remove(), RefusedError)
  })

  it('have wallets that are linked and unlinked', async () => {
    await realm.members.put([{ id: '104' }])
    const address = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
    assert.equal((await realm.member('104').link({ address })).address, address)
    await (await withLost('DELETE')).member('104').unlink(address)
    assert.deepEqual((await realm.member('104').web3()).wallets, [])
    assert.equal((await realm.includes([address, solanaWallet])).includes, false)
  })

  it('are ranked, with those next to them', async () => {
    const { member, total } = await realm.member(rich).rank({ neighbours: 3 })
    assert.equal(member.id, rich)
    assert.deepEqual((await all(realm.leaderboard({ limit: 1 }))).length, total)
    assert.ok(!(await all(realm.leaderboard({ exclude: [rich] }))).some(({ id }) => id === rich))
  })

  it('have holds that are listed, read and ended by id', async () => {
    const { id } = await realm.member(rich).hold(10)
    for (const list of [realm.member(rich).holds(), realm.holds()])
      assert.deepEqual(
        (await all(list)).map(({ holdId }) => holdId),
        [id],
      )
    assert.equal((await realm.hold(id).get()).status, 'open')
    await realm.hold(id).release()
    assert.equal((await realm.hold(id).get()).status, 'released')
  })
})

describe('a realm', () => {
  it('has point types with rules, an archive and a default', async () => {
    const { id } = await realm.points.create({ id: 'gems', name: 'Gems', maxBalance: 10 })
    await assert.rejects(realm.member(rich).adjust(11, { realmPointId: id }), { code: 'balance_limit' })
    await realm.points.change(id, { maxBalance: 'none' })
    await realm.member(rich).adjust(11, { realmPointId: id })
    assert.equal((await realm.points.archive(id)).archived, true)
    assert.equal((await realm.points.restore(id)).archived, false)
    const [was] = await all(realm.points.list())
    assert.equal((await realm.points.makeDefault(id)).default, true)
    assert.equal((await realm.get()).defaultPointId, id)
    await realm.points.makeDefault(was?.id ?? '')
  })

  it('has settings, and an audit log that records who changed them', async () => {
    assert.equal((await realm.change({ timeZone: 'Asia/Tokyo' })).timeZone, 'Asia/Tokyo')
    const acts = await all(realm.audit())
    assert.ok(acts.some(({ action, actor }) => action === 'realm.change' && actor.includes('manager')))
    assert.deepEqual((await all(realm.audit({ limit: 1 }))).length, acts.length)
    assert.equal((await realm.statistics({ from: '2026-01-01', to: '2026-01-04' })).days.length, 3)
  })

  it('has keys that are issued, changed, rotated and revoked', async () => {
    const { id, key } = await realm.keys.issue({ name: 'bot', scopes: ['members:read'] })
    const bot = new Realm({ url: made.app.url, realm: realm.id, key })
    await bot.member(rich).get()
    await assert.rejects(bot.member(rich).adjust(1), { code: 'insufficient_scope' })
    const until = new Date(Date.now() + 3_600_000)
    assert.equal((await realm.keys.change(id, { expiresAt: until })).expiresAt, until.toISOString())
    assert.equal((await realm.keys.change(id, { expiresAt: 'never' })).expiresAt, null)
    const rotated = await realm.keys.rotate(id, { overlapSeconds: 60 })
    assert.equal(rotated.replaced.id, id)
    await realm.keys.revoke(rotated.id)
    const gone = new Realm({ url: made.app.url, realm: realm.id, key: rotated.key })
    await assert.rejects(gone.member(rich).get(), UnauthorizedError)
    assert.ok((await all(realm.keys.list({ status: 'revoked' }))).some(({ id: one }) => one === rotated.id))
  })

  it('has keys with limits of points', async () => {
    const { id, key } = await realm.keys.issue({ name: 'agent', maxPerChange: 5, maxPerDay: 8 })
    const agent = new Realm({ url: made.app.url, realm: realm.id, key })
    await assert.rejects(agent.member(rich).adjust(6), { code: 'key_limit', limit: 5 })
    await agent.member(rich).adjust(5)
    await assert.rejects(agent.member(rich).adjust(-4), { code: 'key_limit', limit: 8 })
    assert.equal((await realm.keys.change(id, { maxPerDay: 'none' })).maxPerDay, null)
    await realm.member(rich).adjust(-5)
    await realm.keys.revoke(id)
  })

  it('reverses many entries, after a dry run that changes nothing', async () => {
    const { tokenBalance } = await realm.member(rich).get()
    for (const tokens of [3, 4]) await realm.member(rich).adjust(tokens, { reference: 'round 1' })
    const [dry] = await all(realm.reverseMany({ reference: 'round 1' }, { dryRun: true }))
    assert.equal(dry?.reversed.length, 2)
    assert.equal((await realm.member(rich).get()).tokenBalance, tokenBalance + 7)
    await all((await withLost('POST')).reverseMany({ reference: 'round 1' }, { reason: 'a mistake' }))
    assert.equal((await realm.member(rich).get()).tokenBalance, tokenBalance)
  })
})

it('a snapshot is deleted, also when the first response was lost', async () => {
  // Snapshots include only proved wallets.
  await rowsOf(
    made.database.superuserUrl,
    `update wallets set verified_at = now() where chain = 'eip155' and realm =
      (select realm from realms where id = $1)`,
    [realm.id],
  )
  await realm.snapshots.take({ id: 'mistaken', chain: 'eip155:8453' })
  await (await withLost('DELETE')).snapshots.delete('mistaken')
  await assert.rejects(realm.snapshots.delete('mistaken'), { code: 'snapshot_not_found' })
})

it('people are invited, sign in, get another role and are removed', async () => {
  const { id, link } = await realm.people.invite({ name: 'Ann', role: 'viewer' })
  assert.deepEqual(idsOf(await all(realm.people.invitations())), [id])
  assert.equal((await useLink(made.app.url, tokenIn(link))).status, 200)
  assert.deepEqual(await all(realm.people.invitations()), [])
  const [ann] = await all(realm.people.list())
  assert.deepEqual([ann?.name, ann?.role], ['Ann', 'viewer'])
  const personId = ann?.id ?? ''
  assert.equal((await realm.people.change(personId, 'manager')).role, 'manager')
  assert.match((await realm.people.link(personId)).link, /#link=/)
  assert.equal((await realm.people.get(personId)).role, 'manager')
  await (await withLost('DELETE')).people.remove(personId)
  await assert.rejects(realm.people.get(personId), { code: 'person_not_found' })
  assert.deepEqual(await all(realm.keys.orphaned()), [])
  assert.deepEqual(await all(realm.people.list()), [])
  const other = await realm.people.invite({ name: 'Ben', role: 'owner' })
  assert.equal((await realm.people.invitation(other.id)).name, 'Ben')
  await realm.people.withdraw(other.id)
  await assert.rejects(realm.people.invitation(other.id), { code: 'invitation_not_found' })
  const third = await realm.people.invite({ name: 'Cleo', role: 'owner' })
  await (await withLost('DELETE')).people.withdraw(third.id)
  assert.equal((await useLink(made.app.url, tokenIn(other.link))).status === 200, false)
})

describe('the operator', () => {
  it('creates a realm, its keys and its rate limit', async () => {
    const { id } = await operator.createRealm({ name: 'New' })
    const at = operator.realm(id)
    assert.deepEqual((await at.change({ rateLimit: { rate: 5, burst: 9 } })).rateLimit, { rate: 5, burst: 9 })
    const { key } = await at.keys.issue({ name: 'bot' })
    assert.equal((await new Realm({ url: made.app.url, realm: id, key }).get()).name, 'New')
    assert.ok((await all(operator.realms())).some((listed) => listed.id === id))
    assert.ok((await all(at.audit())).some(({ action }) => action === 'key.issue'))
  })

  it('names the cell of a new realm, which a server of another cell refuses', async () => {
    const { id, cell } = await operator.createRealm({ name: 'Here' }, { cell: 0 })
    assert.equal(cell, 0)
    assert.ok((await all(operator.realms({ cell }))).some((listed) => listed.id === id))
    const once = new Operator({ url: made.app.url, token: operatorToken, retries: 0 })
    await assert.rejects(once.createRealm({ name: 'There' }, { cell: 7 }), { code: 'wrong_cell' })
    assert.deepEqual(await all(operator.realms({ cell: 7 })), [])
  })

  it('creates and revokes operator tokens', async () => {
    const { id, token } = await operator.tokens.issue({ name: 'ann' })
    const ann = new Operator({ url: made.app.url, token })
    assert.ok((await all(ann.tokens.list())).some((listed) => listed.id === id))
    assert.equal((await operator.tokens.get(id)).status, 'active')
    await operator.tokens.revoke(id)
    assert.equal((await operator.tokens.get(id)).status, 'revoked')
    await assert.rejects(operator.tokens.revoke(id), { code: 'token_not_found' })
    assert.ok((await all(operator.audit())).some(({ action }) => action === 'token.issue'))
  })
})

it('operators are invited, sign in, get another link, read the health and are erased', async () => {
  const { id, link } = await operator.people.invite({ name: 'Olga', email: 'olga@example.com' })
  assert.deepEqual(idsOf(await all(operator.people.invitations())), [id])
  await useLink(made.app.url, tokenIn(link))
  assert.deepEqual(await all(operator.people.invitations()), [])
  const [olga] = await all(operator.people.list())
  assert.equal(olga?.name, 'Olga')
  const personId = olga?.id ?? ''
  assert.match((await operator.people.link(personId)).link, /#link=/)
  assert.equal((await operator.people.get(personId)).name, 'Olga')
  await operator.people.forget(personId)
  assert.deepEqual(await operator.people.issued(personId), { keys: [], tokens: [] })
  await assert.rejects(operator.people.forget(personId), { code: 'person_not_found' })
  assert.deepEqual(await all(operator.people.list()), [])
  const other = await operator.people.invite({ name: 'Otto' })
  assert.equal((await operator.people.invitation(other.id)).name, 'Otto')
  await operator.people.withdraw(other.id)
  const third = await operator.people.invite({ name: 'Oda' })
  await operatorWithLost('DELETE').people.withdraw(third.id)
  const { ready, database } = await operator.health()
  assert.deepEqual([ready, database.up], [true, true])
})

it('every route throws an ExchequerError', async () => {
  const wrong = new Operator({ url: made.app.url, token: 'exq_wrong' })
  await assert.rejects(wrong.realm('x').get(), ExchequerError)
})
