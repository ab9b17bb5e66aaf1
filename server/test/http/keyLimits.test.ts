import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed, type Send } from '../../../tests/support/manager.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** Limits of points in a key: set on one server, and posted to it and to another in turn. */
const anotherApp = moreApps()
const made = suite()
let realm: ManagedRealm
let url = ''

beforeEach(async () => {
  realm = await managed(made, { point: { id: 'gold' } })
  url = (await anotherApp(made)).url
  await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
  await realm.send('PATCH /members/1/tokenBalance', { tokens: 1_000 })
})

type Limited = {
  readonly id: string
  readonly send: (line: string, body?: unknown, headers?: Record<string, string>) => ReturnType<Send>
}

/** A key of the realm with these limits; its requests go to both servers in turn. */
async function limited(limits: object): Promise<Limited> {
  const issued = await realm.send('POST /keys', { scopes: ['members:read', 'points:write'], ...limits })
  assert.equal(issued.status, 201, issued.text)
  const { id, key } = issued.json
  let turn = 0
  return {
    id,
    send: (line, body, headers = {}) => {
      turn += 1
      return asRealm(turn % 2 === 0 ? url : made.app.url, { id: realm.id, key }, { line, body, headers })
    },
  }
}

const adjust = 'PATCH /members/1/tokenBalance'

/** What is stored for a key, and what its entries add up to. */
async function countedFor(key: string): Promise<{ moved: number; entries: number }> {
  const [row] = await rowsOf(
    made.database.superuserUrl,
    `select coalesce((select moved from key_days d where d.realm = r.realm and d.key = $2), 0) as moved,
        coalesce((select sum(amount) from journal j where j.realm = r.realm and j.key = $2
          and j.kind <> 6), 0) as entries
      from realms r where r.id = $1`,
    [realm.id, Number(key)],
  )
  return { moved: Number(row.moved), entries: Number(row.entries) }
}

describe('maxPerChange', () => {
  it('refuses one change above it, whatever its type, and says which limit', async () => {
    const { send } = await limited({ maxPerChange: 100 })
    const refused = await send(adjust, { tokens: 101 })
    assertProblem(refused, 422, 'key_limit')
    assert.deepEqual([refused.json.required, refused.json.limit, refused.json.resetAt], [101, 100, undefined])
    assertProblem(await send(adjust, { tokens: -101 }), 422, 'key_limit')
    assertProblem(
      await send('PATCH /members/1/transfer', { recipientId: '2', tokens: 101 }),
      422,
      'key_limit',
    )
    assertProblem(await send('POST /members/1/holds', { tokens: 101 }), 422, 'key_limit')
    assertProblem(await send('POST /members/1/awards', { tokens: 101 }), 422, 'key_limit')
    for (const tokens of [100, -100, 100]) assert.equal((await send(adjust, { tokens })).status, 200)
  })

  it('is for each change of a list, and what other keys have done is bound by it too', async () => {
    const { send } = await limited({ maxPerChange: 100 })
    const changes = [100, 100].map((tokens) => ({ memberId: '1', tokens }))
    const both = await send('POST /changes', { changes, atomic: true })
    assert.equal(both.status, 200, both.text)
    const above = await send('POST /changes', {
      changes: [...changes, { memberId: '1', tokens: 101 }],
      atomic: true,
    })
    assertProblem(above, 422, 'changes_refused')
    assert.equal(above.json.error.code, 'key_limit')
    assert.equal(above.json.index, 2)
    const big = (await realm.send(adjust, { tokens: 500 })).json.transactionId
    assertProblem(await send(`POST /entries/${big}/reverse`), 422, 'key_limit')
    const hold = (await realm.send('POST /members/1/holds', { tokens: 300 })).json.holdId
    assertProblem(await send(`POST /holds/${hold}/capture`), 422, 'key_limit')
    assert.equal((await send(`POST /holds/${hold}/release`)).status, 200)
  })
})

describe('maxPerDay', () => {
  it('counts every change but a release, in all point types, and names the end of the day', async () => {
    const { id, send } = await limited({ maxPerDay: 100 })
    await realm.send('POST /points', { id: 'gems', name: 'Gems' })
    assert.equal((await send(adjust, { tokens: 10 })).status, 200)
    assert.equal((await send(adjust, { tokens: 10, realmPointId: 'gems' })).status, 200)
    assert.equal((await send(adjust, { tokens: -10 })).status, 200)
    assert.equal((await send('PATCH /members/1/transfer', { recipientId: '2', tokens: 10 })).status, 200)
    const hold = (await send('POST /members/1/holds', { tokens: 10 })).json.holdId
    assert.equal((await send(`POST /holds/${hold}/release`)).status, 200)
    const { awardId } = (await send('POST /members/1/awards', { tokens: 10 })).json
    const entry = (await send(`POST /awards/${awardId}/grant`)).json.transactionId
    assert.equal((await send(`POST /entries/${entry}/reverse`)).status, 200)
    assert.deepEqual(await countedFor(id), { moved: 80, entries: 80 })
    const refused = await send(adjust, { tokens: 21 })
    assertProblem(refused, 422, 'key_limit')
    const resetAt = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString()
    assert.deepEqual([refused.json.required, refused.json.limit, refused.json.resetAt], [21, 100, resetAt])
    assert.equal((await send(adjust, { tokens: 20 })).status, 200)
    assertProblem(await send(adjust, { tokens: 1 }), 422, 'key_limit')
    assert.deepEqual(await countedFor(id), { moved: 100, entries: 100 })
    assert.equal((await realm.send(adjust, { tokens: 1 })).status, 200)
    await assertBooks(made.database)
  })

  it('counts nothing for a dry run, a refusal or a retry, and a dry run shows the refusal', async () => {
    const { id, send } = await limited({ maxPerDay: 100 })
    assert.equal((await send(`${adjust}?dryRun=true`, { tokens: 100 })).status, 200)
    assertProblem(await send(adjust, { tokens: -9_000 }), 422, 'insufficient_points')
    for (let time = 0; time < 3; time++) {
      const retry = await send(adjust, { tokens: 60 }, { 'idempotency-key': 'once' })
      assert.equal(retry.status, 200, retry.text)
    }
    assert.deepEqual(await countedFor(id), { moved: 60, entries: 60 })
    assertProblem(await send(`${adjust}?dryRun=true`, { tokens: 41 }), 422, 'key_limit')
    assert.equal((await send(adjust, { tokens: 40 })).status, 200)
  })

  it('begins again with the UTC day, in the same row', async () => {
    const { id, send } = await limited({ maxPerDay: 100 })
    assert.equal((await send(adjust, { tokens: 100 })).status, 200)
    assertProblem(await send(adjust, { tokens: 1 }), 422, 'key_limit')
    const yesterday = 'update key_days set day = day - 1 where key = $1 returning 1'
    assert.ok((await rowsOf(made.database.superuserUrl, yesterday, [Number(id)])).length > 0)
    assert.equal((await send(adjust, { tokens: 100 })).status, 200)
    assertProblem(await send(adjust, { tokens: 1 }), 422, 'key_limit')
  })

  it('holds for an atomic list and a batch as a whole: nothing of them is posted', async () => {
    const { id, send } = await limited({ maxPerDay: 100 })
    const changes = [60, 41].map((tokens) => ({ memberId: '1', tokens }))
    assertProblem(await send('POST /changes', { changes, atomic: true }), 422, 'changes_refused')
    assert.deepEqual(await countedFor(id), { moved: 0, entries: 0 })
    const apart = await send('POST /changes', { changes })
    assert.deepEqual(
      apart.json.data.map((one: { status: number }) => one.status),
      [200, 422],
    )
    assert.deepEqual(await countedFor(id), { moved: 60, entries: 60 })
  })

  it('a refused first award leaves no member behind', async () => {
    await realm.send('PATCH ', { unknownMembers: 'create' })
    const { send } = await limited({ maxPerDay: 10 })
    assertProblem(await send('POST /members/77/awards', { tokens: 11 }), 422, 'key_limit')
    const found = 'select 1 from members join realms using (realm) where realms.id = $1 and members.id = 77'
    assert.equal((await rowsOf(made.database.superuserUrl, found, [realm.id])).length, 0)
    assert.equal((await send('POST /members/77/awards', { tokens: 10 })).status, 201)
  })
})

describe('the limits of a key', () => {
  it('are shown, changed, cleared, audited, and kept by a rotation', async () => {
    const { id } = await limited({ maxPerChange: 5, maxPerDay: 50 })
    const shown = async () => {
      const { json } = await realm.send(`GET /keys/${id}`)
      return [json.maxPerChange, json.maxPerDay]
    }
    assert.deepEqual(await shown(), [5, 50])
    assert.equal((await realm.send(`PATCH /keys/${id}`, { maxPerDay: 60 })).status, 200)
    assert.deepEqual(await shown(), [5, 60])
    const rotated = (await realm.send(`POST /keys/${id}/rotate`, {})).json
    assert.deepEqual([rotated.maxPerChange, rotated.maxPerDay], [5, 60])
    await realm.send(`PATCH /keys/${id}`, { maxPerChange: null, maxPerDay: 'none' })
    assert.deepEqual(await shown(), [null, null])
    const at = `/realms/${realm.id}/keys`
    const issued = await operate(made.app.url, `POST ${at}`, { maxPerDay: 7 })
    assert.deepEqual([issued.json.maxPerChange, issued.json.maxPerDay], [null, 7])
    const changed = await operate(made.app.url, `PATCH ${at}/${issued.json.id}`, { maxPerChange: 3 })
    assert.deepEqual([changed.json.maxPerChange, changed.json.maxPerDay], [3, 7])
    const acts = (await realm.send('GET /audit')).json.data.map((one: { subject: string }) => one.subject)
    assert.ok(acts.includes(`key ${id}, 5 points a change, 50 points a day`), acts.join('\n'))
    assert.ok(acts.includes(`key ${id}, expires never, 5 points a change, 60 points a day`), acts.join('\n'))
  })

  it('are whole numbers from 1', async () => {
    for (const wrong of [0, -1, 1.5, '5', 2 ** 53])
      assertInvalid(await realm.send('POST /keys', { maxPerDay: wrong }), '/maxPerDay')
  })

  it('take effect on every server within a second', async () => {
    const { id, send } = await limited({})
    for (const _ of [1, 2]) assert.equal((await send(adjust, { tokens: 50 })).status, 200)
    await realm.send(`PATCH /keys/${id}`, { maxPerDay: 10 })
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    for (const _ of [1, 2]) assertProblem(await send(adjust, { tokens: 11 }), 422, 'key_limit')
  })
})

describe('a key with limits and every right', () => {
  const scopes = ['members:read', 'members:write', 'points:write', 'realm:admin']

  it('issues and changes keys up to its own limit of a change', async () => {
    const { id, send } = await limited({ scopes, maxPerChange: 100 })
    assert.equal((await send('POST /keys', {})).json.maxPerChange, 100)
    assert.equal((await send('POST /keys', { maxPerChange: 99 })).json.maxPerChange, 99)
    const free = (await realm.send('POST /keys', {})).json.id
    for (const wish of [{ maxPerChange: 101 }, { maxPerChange: null }, { maxPerChange: 'none' }]) {
      assertProblem(await send('POST /keys', wish), 403, 'forbidden')
      for (const key of [id, free]) assertProblem(await send(`PATCH /keys/${key}`, wish), 403, 'forbidden')
    }
    assertProblem(await send(`POST /keys/${free}/rotate`, {}), 403, 'forbidden')
    assert.equal((await send(`POST /keys/${id}/rotate`, {})).json.maxPerChange, 100)
    assert.equal((await send(`PATCH /keys/${id}`, { name: 'renamed' })).json.maxPerChange, 100)
  })

  it('with one for the day issues and replaces none: each would begin a day of its own', async () => {
    const { id, send } = await limited({ scopes, maxPerDay: 100 })
    assertProblem(await send('POST /keys', { maxPerDay: 1 }), 403, 'forbidden')
    assertProblem(await send(`POST /keys/${id}/rotate`, {}), 403, 'forbidden')
    assertProblem(await send(`PATCH /keys/${id}`, { maxPerDay: 101 }), 403, 'forbidden')
    assert.equal((await send(`PATCH /keys/${id}`, { maxPerDay: 99 })).json.maxPerDay, 99)
  })

  it('can’t do what moves points uncounted, nor let people in, who have no limits', async () => {
    const { send } = await limited({ scopes, maxPerChange: 100 })
    assertProblem(await send('POST /members/1/merges', { from: '2' }), 403, 'forbidden')
    assertProblem(await send('POST /members/1/merges?dryRun=true', { from: '2' }), 403, 'forbidden')
    assertProblem(await send('POST /invitations', { name: 'Ada', role: 'owner' }), 403, 'forbidden')
    assertProblem(await send('POST /people/1/link'), 403, 'forbidden')
    const snapshot = { id: 'all', chain: 'eip155:1', claimable: true }
    assertProblem(await send('POST /snapshots', snapshot), 403, 'forbidden')
  })
})
