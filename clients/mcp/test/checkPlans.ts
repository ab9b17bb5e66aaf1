import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ann, bob, type Connected, call, type Fields, type Place, refusal } from './place.ts'
import type { Checks } from './run.ts'

/** Plans: applied twice, altered, after a change, after five minutes. */

type Planned = Fields & { readonly plan: Fields }
export const plan = async (connected: Connected, args: Fields): Promise<Planned> =>
  (await call(connected, 'plan_change', args)) as Planned

/** The clients that plan and apply, which may be of two processes. */
export type Pair = { readonly planner: Connected; readonly applier: Connected }

export async function checkOnce(place: Place, pair: Pair, { check }: Checks): Promise<void> {
  const { realm, entries } = place
  const { planner, applier } = pair

  await check('a plan changes nothing, and says what would be', async () => {
    const [before, { tokenBalance }] = [await entries(), await realm.member(ann).get()]
    const answer = await plan(planner, { memberId: ann, tokens: -25, reason: 'a hat' })
    assert.deepEqual([answer['balanceBefore'], answer['balanceAfter']], [tokenBalance, tokenBalance - 25])
    assert.equal((answer['member'] as Fields)['displayName'], 'Ann')
    assert.equal(await entries(), before)
    assert.equal((await realm.member(ann).get()).tokenBalance, tokenBalance)
  })

  await check('a plan applied: one change, with its reason; applied twice: still one', async () => {
    const before = await entries()
    const { plan: made, balanceAfter } = await plan(planner, {
      memberId: ann,
      tokens: -25,
      reason: 'a hat',
    })
    const first = await call(applier, 'apply_plan', { plan: made })
    const second = await call(applier, 'apply_plan', { plan: made })
    assert.equal(first['newBalance'], balanceAfter)
    assert.deepEqual(second, first)
    assert.equal(await entries(), before + 1)
    const entry = await realm.entry(String(first['transactionId']))
    assert.deepEqual([entry.fromId, entry.tokens, entry.reason], [ann, 25, 'a hat'])
  })

  await check('a plan applied ten times at once: one change', async () => {
    const before = await entries()
    const { plan: made } = await plan(planner, { memberId: ann, tokens: 3 })
    const ten = await Promise.all(
      Array.from({ length: 10 }, (_, nth) =>
        call(nth % 2 === 0 ? applier : planner, 'apply_plan', { plan: made }),
      ),
    )
    assert.equal(new Set(ten.map(({ transactionId }) => transactionId)).size, 1)
    assert.equal(await entries(), before + 1)
  })

  await check('a transfer: planned with both balances, and made once', async () => {
    const before = await entries()
    const answer = await plan(planner, { memberId: ann, recipientId: bob, tokens: 5 })
    const made = await call(applier, 'apply_plan', { plan: answer.plan })
    await call(applier, 'apply_plan', { plan: answer.plan })
    assert.equal(made['newBalance'], answer['balanceAfter'])
    assert.equal(made['recipientBalance'], answer['recipientBalanceAfter'])
    assert.equal(await entries(), before + 1)
  })
}

export async function checkAltered(
  place: Place,
  { planner, applier }: Pair,
  { check }: Checks,
): Promise<void> {
  const { realm, entries } = place

  await check('a plan altered in any field: refused, and nothing is changed', async () => {
    const before = await entries()
    const args = { memberId: ann, recipientId: bob, tokens: 2, reason: 'thanks', reference: 'r 1' }
    const { plan: made } = await plan(planner, args)
    const signature = String(made['signature'])
    const altered: Fields = {
      planId: crypto.randomUUID(),
      memberId: bob,
      recipientId: '77',
      tokens: 3,
      realmPointId: 'silver',
      reason: 'Thanks',
      reference: 'r 2',
      version: '"0"',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      signature: `${signature[0] === 'a' ? 'b' : 'a'}${signature.slice(1)}`,
    }
    assert.deepEqual(Object.keys(altered).sort(), Object.keys(made).sort())
    for (const [field, value] of Object.entries(altered)) {
      const { code } = await refusal(applier, 'apply_plan', { plan: { ...made, [field]: value } })
      assert.equal(code, 'plan_invalid', field)
    }
    const { reason: _, ...less } = made
    assert.equal((await refusal(applier, 'apply_plan', { plan: less }))['code'], 'plan_invalid')
    assert.equal(await entries(), before)
  })

  await check('a plan after a change of the member: refused', async () => {
    const { plan: made } = await plan(planner, { memberId: ann, tokens: 1 })
    await realm.member(ann).adjust(1)
    const before = await entries()
    const { code, status } = await refusal(applier, 'apply_plan', { plan: made })
    assert.deepEqual([code, status], ['precondition_failed', 412])
    assert.equal(await entries(), before)
  })
}

async function checkRefused(place: Place, connected: Connected, { check }: Checks): Promise<void> {
  const { realm, pointId } = place
  const other = await realm.points.create({ name: 'Silver' })

  await check('a plan of another process: refused', async () => {
    const second = await place.connect('manager', ['--allow-writes'])
    const { plan: made } = await plan(second, { memberId: ann, tokens: 1 })
    await second.close()
    assert.equal((await refusal(connected, 'apply_plan', { plan: made }))['code'], 'plan_invalid')
  })

  await check('a plan without a point type: of the default when it was planned', async () => {
    const { plan: made } = await plan(connected, { memberId: ann, tokens: 1 })
    await realm.points.makeDefault(other.id)
    try {
      const applied = await call(connected, 'apply_plan', { plan: made })
      assert.equal((await realm.entry(String(applied['transactionId']))).realmPointId, pointId)
    } finally {
      await realm.points.makeDefault(pointId)
    }
  })

  await check('what the ledger refuses can’t be planned', async () => {
    const poor = await refusal(connected, 'plan_change', { memberId: bob, tokens: -1_000_000 })
    assert.equal(poor['code'], 'insufficient_points')
    assert.ok(Number(poor['required']) > Number(poor['balance']))
    await realm.member(bob).freeze()
    const frozen = await refusal(connected, 'plan_change', { memberId: bob, tokens: -1 })
    await realm.member(bob).freeze(false)
    assert.equal(frozen['code'], 'member_frozen')
    for (const tokens of [0, 1.5, 2 ** 53, '5'])
      assert.ok((await refusal(connected, 'plan_change', { memberId: ann, tokens }))['text'], String(tokens))
  })
}

/** Longer than a process takes to learn of a changed key. */
export const knownMs = 1_100

async function checkLimits(place: Place, { check }: Checks): Promise<void> {
  const { realm, entries } = place
  const key = (await realm.keys.list().toArray({ max: 100 })).find(({ name }) => name === 'plain')
  await realm.keys.change(String(key?.id), { maxPerChange: 10, maxPerDay: 15 })
  await sleep(knownMs)
  const connected = await place.link({ key: 'plain' })

  await check('a plan above a limit of the key: refused, whatever was asked for', async () => {
    const big = await refusal(connected, 'plan_change', { memberId: ann, tokens: 11 })
    assert.deepEqual([big['code'], big['limit']], ['key_limit', 10])
    const { plan: made } = await plan(connected, { memberId: ann, tokens: 10 })
    await call(connected, 'apply_plan', { plan: made })
    const before = await entries()
    const day = await refusal(connected, 'plan_change', { memberId: ann, tokens: 6 })
    assert.deepEqual([day['code'], day['limit']], ['key_limit', 15])
    assert.equal(await entries(), before)
  })

  await connected.close()
  await realm.keys.change(String(key?.id), { maxPerChange: null, maxPerDay: null })
  await sleep(knownMs)
}

async function checkAge(place: Place, { check }: Checks): Promise<void> {
  let nowMs = Date.now()
  const connected = await place.link({ now: () => nowMs })

  await check('a plan just before five minutes: applied; after them: refused', async () => {
    const { plan: young } = await plan(connected, { memberId: ann, tokens: 1 })
    nowMs += 299_999
    await call(connected, 'apply_plan', { plan: young })
    const { plan: old } = await plan(connected, { memberId: ann, tokens: 1 })
    const before = await place.entries()
    nowMs += 300_000
    assert.equal((await refusal(connected, 'apply_plan', { plan: old }))['code'], 'plan_expired')
    assert.equal((await refusal(connected, 'apply_plan', { plan: young }))['code'], 'plan_expired')
    assert.equal(await place.entries(), before)
  })
  await connected.close()
}

export async function checkPlans(place: Place, checks: Checks): Promise<void> {
  const connected = await place.connect('manager', ['--allow-writes'])
  const pair = { planner: connected, applier: connected }
  await checkOnce(place, pair, checks)
  await checkAltered(place, pair, checks)
  await checkRefused(place, connected, checks)
  await connected.close()
  await checkLimits(place, checks)
  await checkAge(place, checks)
}
