import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { keySecrets } from '../../../tests/support/process.ts'
import { Plans } from '../src/plans.ts'
import { checkAltered, checkOnce, plan } from './checkPlans.ts'
import { ann, call, type Fields, type Place, refusal } from './place.ts'
import type { Checks } from './run.ts'

/** Plans over HTTP: made by one process of the server, and applied by another. */

/** Written again, and not taken from the server: what its plans are signed with. */
const secrets = keySecrets.split(',').map((one) =>
  createHmac('sha256', one.slice(one.indexOf(':') + 1))
    .update('sign plans of assistants')
    .digest(),
)

async function checkHolders(place: Place, { check }: Checks): Promise<void> {
  const { realm, entries, keys } = place
  const planner = await place.open(keys.manager)

  await check('a plan of another key of the realm: refused', async () => {
    const before = await entries()
    const other = await place.open(keys.owner, 'second')
    const { plan: made } = await plan(planner, { memberId: ann, tokens: 1 })
    assert.equal((await refusal(other, 'apply_plan', { plan: made }))['code'], 'plan_invalid')
    assert.equal(await entries(), before)
    await other.close()
  })

  await check('a plan of the program on stdio: refused, and the other way round', async () => {
    const stdio = await place.connect('manager', ['--allow-writes'])
    const { plan: theirs } = await plan(stdio, { memberId: ann, tokens: 1 })
    const { plan: ours } = await plan(planner, { memberId: ann, tokens: 1 })
    assert.equal((await refusal(planner, 'apply_plan', { plan: theirs }))['code'], 'plan_invalid')
    assert.equal((await refusal(stdio, 'apply_plan', { plan: ours }))['code'], 'plan_invalid')
    await stdio.close()
  })

  await check(
    'a plan just before five minutes: applied by another process; after them: refused',
    async () => {
      const applier = await place.open(keys.manager, 'second')
      const list = await realm.keys.list().toArray({ max: 100 })
      const { id } = list.find(({ name }) => name === 'manager') ?? { id: '' }
      const holder = JSON.stringify([place.realmId, Number(id)])
      const { etag: version = '' } = await realm.member(ann).get()
      const agedMs = async (ms: number): Promise<Fields> => {
        const plans = new Plans({ secrets, holder, now: () => Date.now() - ms })
        return { ...plans.sign({ memberId: ann, tokens: 1, realmPointId: place.pointId, version }) }
      }
      const [old, young] = await Promise.all([agedMs(300_000), agedMs(270_000)])
      const before = await entries()
      assert.equal((await refusal(applier, 'apply_plan', { plan: old }))['code'], 'plan_expired')
      assert.equal(await entries(), before)
      await call(applier, 'apply_plan', { plan: young })
      assert.equal(await entries(), before + 1)
      await applier.close()
    },
  )

  await check('an entry of a plan names the key, as any other', async () => {
    const { plan: made } = await plan(planner, { memberId: ann, tokens: 1 })
    const { transactionId } = await call(planner, 'apply_plan', { plan: made })
    assert.equal((await realm.entry(String(transactionId))).keyName, 'manager')
  })
  await planner.close()
}

export async function checkDoorPlans(place: Place, checks: Checks): Promise<void> {
  const planner = await place.open(place.keys.manager)
  const applier = await place.open(place.keys.manager, 'second')
  const check: Checks['check'] = (what, work) => checks.check(`on two processes: ${what}`, work)
  await checkOnce(place, { planner, applier }, { ...checks, check })
  await checkAltered(place, { planner, applier }, { ...checks, check })
  await Promise.all([planner.close(), applier.close()])
  await checkHolders(place, checks)
}
