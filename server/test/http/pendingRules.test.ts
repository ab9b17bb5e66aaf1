import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks } from '../../../tests/support/books.ts'
import { poor, rich, unknownMember } from '../../../tests/support/fixture.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { asManager, asOperator } from '../../../tests/support/v4.ts'
import { pendings, soon, until } from './pendings.ts'

const { made, send, adjust, point, award, grant, cancel, read, standing } = pendings()

describe('the limit of a balance', () => {
  const limited = async (maxBalance: number | null) =>
    asManager(made, 'PATCH', {
      path: `/realms/${made.fixture.realm.id}/points/${point()}`,
      body: { maxBalance },
    })

  it('applies to the grant: an award may exceed it, and a grant on request is rejected', async () => {
    const [had] = await standing(rich)
    await limited(had + 10)
    const { status, json } = await award(rich, { tokens: 20 })
    assert.equal(status, 201)
    assertProblem(await grant(json.awardId), 422, 'balance_limit')
    assert.equal((await read(json.awardId)).status, 'pending')
    await adjust(rich, { tokens: -10 })
    assert.equal((await grant(json.awardId)).status, 200)
    await limited(null)
  })

  it('postpones a due grant that does not fit, says why, and grants it when there is room', async () => {
    const [had] = await standing(rich)
    await limited(had + 10)
    const { awardId } = (await award(rich, { tokens: 20, grantAt: soon(500) })).json
    await until(async () => (await read(awardId)).postponedBy === 'balance_limit')
    assert.equal((await read(awardId)).status, 'pending')
    await limited(null)
    await until(async () => (await read(awardId)).status === 'granted', 15_000)
    assert.equal((await read(awardId)).postponedBy, null)
    assert.deepEqual(await standing(rich), [had + 20, 0])
  })
})

describe('a frozen member', () => {
  it('receives awards and grants: freezing only stops spending', async () => {
    await asManager(made, 'PUT', {
      path: `/realms/${made.fixture.realm.id}/members/${rich}`,
      body: { frozen: true },
    })
    const { awardId } = (await award(rich, { tokens: 5 })).json
    assert.equal((await grant(awardId)).status, 200)
    const second = (await award(rich, { tokens: 5 })).json.awardId
    assert.equal((await cancel(second)).status, 200)
    await asManager(made, 'PUT', {
      path: `/realms/${made.fixture.realm.id}/members/${rich}`,
      body: { frozen: false },
    })
  })
})

describe('a suspended realm', () => {
  it('postpones due grants until it is resumed', async () => {
    const { awardId } = (await award(rich, { tokens: 5, grantAt: soon(1_500) })).json
    const path = `/realms/${made.fixture.realm.id}`
    await asOperator(made, 'PATCH', { path, body: { suspended: { reason: 'a test' } } })
    await sleep(3_500)
    await asOperator(made, 'PATCH', { path, body: { suspended: null } })
    await until(async () => (await read(awardId)).status === 'granted', 15_000)
  })
})

describe('a member with a pending award', () => {
  it('can’t be removed', async () => {
    const path = `/realms/${made.fixture.realm.id}/members/4711`
    await asManager(made, 'PUT', { path, body: {} })
    const { awardId } = (await award('4711', { tokens: 5 })).json
    await assert.rejects(asManager(made, 'DELETE', { path }), /member_has_points/)
    await cancel(awardId)
    await asManager(made, 'DELETE', { path })
  })
})

describe('rejected', () => {
  it('an unknown member, point type and award, and an award that has ended', async () => {
    assertProblem(await award(unknownMember, { tokens: 1 }), 404, 'member_not_found')
    assertProblem(await award(rich, { tokens: 1, realmPointId: 'lead' }), 404, 'point_not_found')
    assertProblem(await grant('99999999'), 404, 'award_not_found')
    const { transactionId } = (await adjust(rich, { tokens: 1 })).json
    assertProblem(await cancel(transactionId), 404, 'award_not_found')
    const { awardId } = (await award(rich, { tokens: 5 })).json
    assertProblem(await send('POST', `/holds/${awardId}/release`), 404, 'hold_not_found')
    const ended = (await cancel(awardId)).json
    const refused = await grant(awardId)
    assertProblem(refused, 422, 'award_ended')
    assert.equal(refused.json.transactionId, ended.transactionId)
  })

  it('an invalid amount or time', async () => {
    assertInvalid(await award(rich, { tokens: 0 }), '/tokens')
    assertInvalid(await award(rich, { tokens: -1 }), '/tokens')
    assertInvalid(await award(rich, { tokens: 1, grantAt: 'tomorrow' }), '/grantAt')
    assertInvalid(await award(rich, { tokens: 1, grantAt: '2099-01-01T00:00:00Z' }), '/grantAt')
  })

  it('pending points of more than 2^53 - 1', async () => {
    const { awardId } = (await award(poor, { tokens: Number.MAX_SAFE_INTEGER })).json
    assertProblem(await award(poor, { tokens: 1 }), 422, 'balance_limit')
    await cancel(awardId)
  })
})

it('the ledger verifies afterwards', () => assertBooks(made.database))
