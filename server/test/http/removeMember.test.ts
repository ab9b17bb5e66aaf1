import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { evmWallet } from '../../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

const anotherApp = moreApps()
let realm: ManagedRealm
let open: ManagedRealm
const made = suite({}, async (suited) => {
  realm = await managed(suited)
  open = await managed(suited, { unknownMembers: 'create' })
})

const put = (id: string, body: object = {}) => realm.send(`PUT /members/${id}`, body)
const adjust = (id: string, body: object, at = realm) => at.send(`PATCH /members/${id}/tokenBalance`, body)
const remove = (id: string, at = realm) => at.send(`DELETE /members/${id}`)
const erase = (id: string, at = realm) => at.send(`POST /members/${id}/erasure`)
const both = { remove, erase }
const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)
const realmNumber = '(select realm from realms where id = $1)'

describe('200', () => {
  for (const [name, leave] of Object.entries(both)) {
    it(`${name}: a member without points is removed with its wallets, and is unknown at once`, async () => {
      await put('1', { username: 'gone' })
      await realm.send('POST /members/1/wallets', { address: evmWallet })
      await adjust('1', { tokens: 5 })
      await adjust('1', { tokens: -5 })
      const answer = await leave('1')
      assert.ok(answer.status < 300, answer.text)
      assertProblem(await adjust('1', { tokens: 1 }), 404, 'member_not_found')
      assertProblem(await realm.send('GET /members/1'), 404, 'member_not_found')
      assert.deepEqual((await realm.send(`GET /members?wallet=${evmWallet}`)).json.data, [])
      assert.deepEqual((await realm.send('GET /members?search=gone')).json.data, [])
      await put('2')
      assert.equal((await realm.send('POST /members/2/wallets', { address: evmWallet })).status, 201)
      await realm.send(`DELETE /members/2/wallets/${evmWallet}`)
    })

    it(`${name}: the id can join again, as a new account`, async () => {
      const accounts = async () =>
        (await rows(`select account from members where id = 3 and realm = ${realmNumber}`, [open.id])).map(
          ({ account }) => account as number,
        )
      await adjust('3', { tokens: 5 }, open)
      await adjust('3', { tokens: -5 }, open)
      const [account] = await accounts()
      assert.ok((await leave('3', open)).status < 300)
      assert.equal((await open.send('GET /members/3')).json.joinedAt, null)
      assertProblem(await adjust('3', { tokens: -1 }, open), 422, 'insufficient_points')
      assert.equal((await adjust('3', { tokens: 2 }, open)).json.newBalance, 2)
      const [next] = await accounts()
      assert.ok(account !== undefined && next !== undefined && next > account)
      await adjust('3', { tokens: -2 }, open)
      await assertBooks(made.database)
    })

    it(`${name}: takes effect at once on another server, which decides from memory`, async () => {
      const { url } = await anotherApp(made)
      const line = 'PATCH /members/4/tokenBalance'
      const there = (tokens: number) => asRealm(url, realm, { line, body: { tokens } })
      await put('4')
      for (const tokens of [3, -1, -2]) assert.equal((await there(tokens)).status, 200)
      assert.ok((await leave('4')).status < 300)
      assertProblem(await there(1), 404, 'member_not_found')
    })
  }

  it('remove: details of its entries stay', async () => {
    await put('5')
    const { json } = await adjust('5', { tokens: 1, reason: 'a welcome' })
    await adjust('5', { tokens: -1 })
    await remove('5')
    const text = `select reason from details where realm = ${realmNumber} and seq = $2`
    assert.deepEqual(await rows(text, [realm.id, json.transactionId]), [{ reason: 'a welcome' }])
  })
})

describe('200, an erasure', () => {
  it('leaves no text of the member, all of other members, and a ledger that verifies', async () => {
    const mark = 'erase-me'
    await put('77001', { username: mark, displayName: mark, note: mark, metadata: { a: mark } })
    await put('77002', { username: 'stays' })
    await adjust('77001', { tokens: 9, reason: mark })
    await adjust('77002', { tokens: 9, reason: 'stays' })
    await adjust('77002', { tokens: 1, reason: mark, actorId: '77001' })
    await realm.send('PATCH /members/77002/transfer', { recipientId: '77001', tokens: 1, reason: mark })
    await realm.send('PATCH /members/77001/transfer', { recipientId: '77002', tokens: 10, reference: mark })
    const key = { headers: { 'idempotency-key': 'refused-1' } }
    const line = 'PATCH /members/77001/tokenBalance'
    const refused = await asRealm(made.app.url, realm, { line, body: { tokens: -5 }, ...key })
    assertProblem(refused, 422, 'insufficient_points')

    const { status, json, text } = await erase('77001')
    assert.equal(status, 200, text)
    assert.deepEqual(json, { erased: true, details: 4 })
    for (const table of ['members', 'details', 'refusals', 'wallets']) {
      const left = await rows(`select t::text as row from ${table} t`)
      const traces = left.filter(({ row }) => /erase-me|\b77001\b/.test(row as string))
      assert.deepEqual(traces, [], table)
    }
    const kept = await rows(`select reason from details where realm = ${realmNumber} and reason = 'stays'`, [
      realm.id,
    ])
    assert.equal(kept.length, 1)
    assert.equal((await realm.send('GET /members/77002')).json.tokenBalance, 19)
    await assertBooks(made.database)
    const [act] = (await realm.send('GET /audit')).json.data
    assert.equal(act.action, 'member.erase')
    assert.match(act.subject, /^account \d+$/)
  })

  it('works in batches on a member with very many entries', async () => {
    await put('6', { username: 'busy' })
    const batch = Array.from({ length: 6_000 }, () => adjust('6', { tokens: 1, reason: 'busy' }))
    for (const { status } of await Promise.all(batch)) assert.equal(status, 200)
    await adjust('6', { tokens: -6_000 })
    assert.deepEqual((await erase('6')).json, { erased: true, details: 6_000 })
    assert.deepEqual(await rows(`select seq from details where reason = 'busy'`), [])
    await assertBooks(made.database)
  })
})

describe('403', () => {
  it('removing needs members:write, erasing realm:admin', async () => {
    const writer = await realm.without('realm:admin')
    assertProblem(await writer('POST /members/1/erasure'), 403, 'insufficient_scope')
    const admin = await realm.without('members:write')
    assertProblem(await admin('DELETE /members/1'), 403, 'insufficient_scope')
  })
})

describe('404', () => {
  it('an unknown member can’t be removed, not from an open realm either', async () => {
    for (const leave of Object.values(both)) {
      assertProblem(await leave('404'), 404, 'member_not_found')
      assertProblem(await leave('404', open), 404, 'member_not_found')
    }
  })
})

describe('422', () => {
  for (const [name, leave] of Object.entries(both)) {
    it(`${name}: a member with points of any type is not changed`, async () => {
      const second = `second-${name}`
      await realm.send('POST /points', { id: second })
      await put('8', { username: 'full' })
      const { json } = await adjust('8', { tokens: 1, realmPointId: second, reason: 'kept' })
      assertProblem(await leave('8'), 422, 'member_has_points')
      await realm.send(`PATCH /points/${second}`, { archived: true })
      assertProblem(await leave('8'), 422, 'member_has_points')
      await realm.send(`PATCH /points/${second}`, { archived: false })
      const kept = `select reason from details where realm = ${realmNumber} and seq = $2`
      assert.deepEqual(await rows(kept, [realm.id, json.transactionId]), [{ reason: 'kept' }])
      assert.equal((await realm.send('GET /members/8')).json.username, 'full')
      await adjust('8', { tokens: -1, realmPointId: second })
      assert.ok((await leave('8')).status < 300)
    })
  }

  it('a member whose points are held is not removed either', async () => {
    await put('9')
    await adjust('9', { tokens: 5 })
    const held = await realm.send('POST /members/9/holds', { tokens: 5, reason: 'held' })
    assert.equal(held.status, 201, held.text)
    for (const leave of Object.values(both)) assertProblem(await leave('9'), 422, 'member_has_points')
    const captured = await realm.send(`POST /holds/${held.json.holdId}/capture`, { reason: 'captured' })
    assert.equal(captured.status, 200, captured.text)
    assert.deepEqual((await erase('9')).json, { erased: true, details: 2 })
    await assertBooks(made.database)
  })
})
