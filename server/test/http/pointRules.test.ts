import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** The rules of a point type, set on one server and enforced by another that decides from memory. */
const anotherApp = moreApps()
const made = suite()
let realm: ManagedRealm
let url = ''

beforeEach(async () => {
  realm = await managed(made, { point: { id: 'gold' } })
  url = (await anotherApp(made)).url
  await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
  await adjust(100)
})

const there = (line: string, body: object) => asRealm(url, realm, { line, body })
const adjust = (tokens: number) => there('PATCH /members/1/tokenBalance', { tokens })
const transfer = (tokens: number, from = 1) =>
  there(`PATCH /members/${from}/transfer`, { recipientId: String(3 - from), tokens })
const rule = async (body: object) => {
  const { status, text } = await realm.send('PATCH /points/gold', body)
  assert.equal(status, 200, text)
}

describe('422', () => {
  it('balance_limit: no balance rises above maxBalance, and a member above it keeps the points', async () => {
    await rule({ maxBalance: 120 })
    assertProblem(await adjust(21), 422, 'balance_limit')
    assert.equal((await adjust(20)).json.newBalance, 120)
    await rule({ maxBalance: 50 })
    assertProblem(await adjust(1), 422, 'balance_limit')
    assertProblem(await transfer(51), 422, 'balance_limit')
    assert.equal((await transfer(50)).json.newBalance, 70)
    await rule({ maxBalance: 'none' })
    assert.equal((await adjust(30)).json.newBalance, 100)
  })

  it('not_transferable: members can’t transfer it, a key can still deduct it', async () => {
    await rule({ transferable: false })
    assertProblem(await transfer(1), 422, 'not_transferable')
    assert.equal((await adjust(-1)).status, 200)
    await rule({ transferable: true })
    assert.equal((await transfer(1)).status, 200)
  })

  it('transfer_limit: at most maxPerTransfer in one transfer', async () => {
    await rule({ maxPerTransfer: 10 })
    assertProblem(await transfer(11), 422, 'transfer_limit')
    assert.equal((await transfer(10)).status, 200)
    assert.equal((await transfer(10)).status, 200)
    await rule({ maxPerTransfer: 'none' })
    assert.equal((await transfer(11)).status, 200)
  })

  it('daily_limit: at most maxPerDay by one sender, whatever others send', async () => {
    await rule({ maxPerDay: 20 })
    assert.equal((await transfer(15)).status, 200)
    assertProblem(await transfer(6), 422, 'daily_limit')
    assert.equal((await transfer(15, 2)).status, 200)
    assert.equal((await adjust(-1)).status, 200)
    assert.equal((await transfer(5)).status, 200)
    assertProblem(await transfer(1), 422, 'daily_limit')
    await rule({ maxPerDay: 'none' })
    assert.equal((await transfer(30)).status, 200)
  })

  it('daily_limit: of many concurrent transfers no more than the limit succeed', async () => {
    await rule({ maxPerDay: 7 })
    const answers = await Promise.all(Array.from({ length: 30 }, () => transfer(1)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 7)
    assert.equal(answers.filter(({ json }) => json.code === 'daily_limit').length, 23)
    await assertBooks(made.database)
  })

  it('daily_limit: a day ends at midnight in the realm’s time zone', async () => {
    await rule({ maxPerDay: 10 })
    assert.equal((await transfer(10)).status, 200)
    await backdate(5)
    const { midnight, later } = await zones(5)
    const zone = async (timeZone: string) =>
      assert.equal((await realm.send('PATCH ', { timeZone })).status, 200)
    await zone(later)
    assertProblem(await transfer(1), 422, 'daily_limit')
    await zone(midnight)
    assert.equal((await transfer(10)).status, 200)
  })
})

/** Moves the realm's entries some hours into the past; they are not verified afterwards. */
async function backdate(hours: number): Promise<void> {
  const text = `update journal set at_us = at_us - $2::bigint * 3600000000
    where realm = (select realm from realms where id = $1)`
  await rowsOf(made.database.superuserUrl, `alter table journal disable trigger journal_append_only`)
  await rowsOf(made.database.superuserUrl, text, [realm.id, hours])
  await rowsOf(made.database.superuserUrl, `alter table journal enable trigger journal_append_only`)
}

/** A time zone in which midnight was less than this many hours ago, and one in which it was longer ago. */
async function zones(hours: number) {
  const hourAt = (offset: number) => (new Date().getUTCHours() + offset + 24) % 24
  const named = (offset: number) =>
    offset === 0 ? 'Etc/GMT' : `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`
  const offsets = Array.from({ length: 24 }, (_, index) => index - 11)
  const midnight = offsets.find((offset) => hourAt(offset) === hours - 3)
  const later = offsets.find((offset) => hourAt(offset) === hours + 3)
  assert.ok(midnight !== undefined && later !== undefined)
  return { midnight: named(midnight), later: named(later) }
}

describe('404', () => {
  it('point_not_found: an archived point type can’t be used, and is in no balance', async () => {
    await realm.send('POST /points', { id: 'silver' })
    const silver = (tokens: number) =>
      there('PATCH /members/1/tokenBalance', { tokens, realmPointId: 'silver' })
    const balances = async () => (await asRealm(url, realm, { line: 'GET /members/1' })).json.balances
    assert.equal((await silver(5)).status, 200)
    await realm.send('PATCH /points/silver', { archived: true })
    assertProblem(await silver(1), 404, 'point_not_found')
    assertProblem(await silver(-1), 404, 'point_not_found')
    const body = { recipientId: '2', tokens: 1, realmPointId: 'silver' }
    assertProblem(await there('PATCH /members/1/transfer', body), 404, 'point_not_found')
    assert.deepEqual(await balances(), { gold: 100 })
    await realm.send('PATCH /points/silver', { archived: false })
    assert.deepEqual(await balances(), { gold: 100, silver: 5 })
    assert.equal((await silver(-5)).json.newBalance, 0)
  })
})
