import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks } from '../../../tests/support/books.ts'
import { makeRealm, type RealmAccess } from '../../../tests/support/fixture.ts'
import { asRealm, manage } from '../../../tests/support/operator.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'

/** Settings are changed at one server; readers and writers use another, which has the old realm in memory. */
const anotherApp = moreApps()
const made = suite()

const newRealm = (body: object = {}) => makeRealm({ baseUrl: made.app.url, token: operatorToken }, body)
const set = (line: string, body?: unknown) => manage(made.app.url, line, body)
const elsewhere = async (realm: RealmAccess, request: Parameters<typeof asRealm>[2]) =>
  asRealm((await anotherApp(made)).url, realm, request)
const read = (realm: RealmAccess, member: string) => elsewhere(realm, { line: `GET /members/${member}` })
const adjust = (realm: RealmAccess, member: string, body: object) =>
  elsewhere(realm, { line: `PATCH /members/${member}/tokenBalance`, body })

describe('200', () => {
  it('a realm that is opened accepts unseen members at once on every server', async () => {
    const realm = await newRealm()
    assert.equal((await read(realm, '5')).status, 404)
    assert.equal((await adjust(realm, '5', { tokens: 1 })).status, 404)
    await set(`PATCH /realms/${realm.id}`, { unknownMembers: 'create' })
    const seen = await read(realm, '5')
    assert.equal(seen.status, 200)
    assert.equal(seen.json.tokenBalance, 0)
    assert.equal((await adjust(realm, '6', { tokens: 3 })).json?.newBalance, 3)
  })

  it('its wallets are open at once too', async () => {
    const realm = await newRealm()
    const web3 = () => elsewhere(realm, { line: 'GET /web3/members/5' })
    assert.equal((await web3()).json.code, 'member_not_found')
    await set(`PATCH /realms/${realm.id}`, { unknownMembers: 'create' })
    assert.deepEqual((await web3()).json.wallets, [])
  })

  it('a write goes to the new default at once, though the server wrote to the old one before', async () => {
    const realm = await newRealm({ unknownMembers: 'create' })
    const { id } = realm
    await set(`POST /realms/${id}/points`, { id: 'silver' })
    assert.equal((await adjust(realm, '5', { tokens: 10 })).json.newBalance, 10)
    await set(`PATCH /realms/${id}`, { defaultPointId: 'silver' })
    assert.equal((await adjust(realm, '5', { tokens: 3 })).json.newBalance, 3)
    const { json } = await read(realm, '5')
    assert.deepEqual(json.balances, { silver: 3, [realm.pointId]: 10 })
  })

  it('a read shows the new default first at once, though the server read the old one before', async () => {
    const realm = await newRealm({ unknownMembers: 'create' })
    await set(`POST /realms/${realm.id}/points`, { id: 'silver' })
    await adjust(realm, '5', { tokens: 10 })
    assert.equal((await read(realm, '5')).json.tokenBalance, 10)
    await set(`PATCH /realms/${realm.id}`, { defaultPointId: 'silver' })
    const { json } = await read(realm, '5')
    assert.equal(json.tokenBalance, 0)
    assert.deepEqual(Object.keys(json.balances), ['silver', realm.pointId])
  })

  it('a transfer follows the new default at once', async () => {
    const realm = await newRealm({ unknownMembers: 'create' })
    await set(`POST /realms/${realm.id}/points`, { id: 'silver' })
    await adjust(realm, '5', { tokens: 10 })
    await adjust(realm, '5', { tokens: 20, realmPointId: 'silver' })
    await set(`PATCH /realms/${realm.id}`, { defaultPointId: 'silver' })
    const line = 'PATCH /members/5/transfer'
    const moved = await elsewhere(realm, { line, body: { recipientId: '6', tokens: 15 } })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual([moved.json.newBalance, moved.json.recipientBalance], [5, 15])
  })

  it('a point type can be used at once on a server that did not know it', async () => {
    const realm = await newRealm({ unknownMembers: 'create' })
    const copper = { tokens: 4, realmPointId: 'copper' }
    assert.equal((await adjust(realm, '5', copper)).json.code, 'point_not_found')
    await set(`POST /realms/${realm.id}/points`, { id: 'copper' })
    assert.equal((await adjust(realm, '5', copper)).json?.newBalance, 4)
    assert.equal((await read(realm, '5')).json.balances.copper, 4)
  })

  it('while the default changes back and forth every write and read is answered correctly', async () => {
    const realm = await newRealm({ unknownMembers: 'create' })
    await set(`POST /realms/${realm.id}/points`, { id: 'silver' })
    for (const realmPointId of [realm.pointId, 'silver']) {
      await adjust(realm, '5', { tokens: 1_000_000, realmPointId })
    }
    const wrong: string[] = []
    const startMs = Date.now()
    let changed = 0
    // On a slow machine it takes longer until there were enough changes.
    const isGoingOn = () => {
      const tookMs = Date.now() - startMs
      return tookMs < 3_000 || (changed <= 20 && tookMs < 20_000)
    }
    const switcher = async () => {
      while (isGoingOn()) {
        const defaultPointId = changed++ % 2 === 0 ? 'silver' : realm.pointId
        const { status, text } = await set(`PATCH /realms/${realm.id}`, { defaultPointId })
        if (status !== 200) wrong.push(text)
        await sleep(2)
      }
    }
    const client = async (work: () => ReturnType<typeof read>) => {
      while (isGoingOn()) {
        const { status, text } = await work()
        if (status !== 200) wrong.push(text)
      }
    }
    const writers = Array.from({ length: 4 }, (_, index) =>
      client(() => adjust(realm, '5', { tokens: index % 2 === 0 ? 1 : -1 })),
    )
    const readers = Array.from({ length: 4 }, () => client(() => read(realm, '5')))
    await Promise.all([switcher(), ...writers, ...readers])
    assert.deepEqual(wrong.slice(0, 3), [])
    assert.ok(changed > 20, `only ${changed} changes`)
    await assertBooks(made.database)
  })
})

describe('404', () => {
  it('a realm that is closed rejects unseen members at once everywhere, and keeps its members', async () => {
    const realm = await newRealm({ unknownMembers: 'create' })
    assert.equal((await adjust(realm, '5', { tokens: 1 })).status, 200)
    assert.equal((await read(realm, '6')).status, 200)
    await set(`PATCH /realms/${realm.id}`, { unknownMembers: 'refuse' })
    assert.equal((await read(realm, '6')).json.code, 'member_not_found')
    assert.equal((await adjust(realm, '6', { tokens: 1 })).json.code, 'member_not_found')
    assert.equal((await adjust(realm, '5', { tokens: 1 })).json.newBalance, 2)
  })

  it('a write without a read in between is rejected by a closed realm at once', async () => {
    const realm = await newRealm({ unknownMembers: 'create' })
    assert.equal((await adjust(realm, '5', { tokens: 1 })).status, 200)
    await set(`PATCH /realms/${realm.id}`, { unknownMembers: 'refuse' })
    assert.equal((await adjust(realm, '6', { tokens: 1 })).json.code, 'member_not_found')
  })
})
