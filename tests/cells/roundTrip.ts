import { query } from '../chaos/books.ts'
import { call } from '../support/call.ts'
import { managerKey } from '../support/fixture.ts'
import { moveRealm } from './mover.ts'
import { checkHanded } from './moves.ts'
import { purgeCopies } from './purging.ts'
import { accessOf, freshId, makeRealmIn, numberOf, persistently } from './realms.ts'
import type { Scene } from './scene.ts'

const erased = '77'
const secret = 'a reason that only this member has'

const tracesText = `select (select count(*) from exchequer.members where realm = $1 and id = '${erased}')
  + (select count(*) from exchequer.details where realm = $1 and reason = '${secret}') as traces`

/** There, back and there again; in between a member is erased, who stays so everywhere. */
export async function checkRoundTrip(scene: Scene): Promise<void> {
  const { stage, checks } = scene
  const realm = await makeRealmIn(stage, stage.one, { id: freshId('trip'), unknownMembers: 'create' })
  const number = await numberOf(stage, realm.id)
  const key = await managerKey(accessOf(stage), realm.id)
  const at = `${stage.url}/api/v4/realms/${realm.id}/members`
  const adjust = async (member: string, tokens: number) => {
    const body = { tokens, reason: member === erased ? secret : 'a gift' }
    const sent = await persistently(() => call('PATCH', `${at}/${member}/tokenBalance`, { key, body }))
    checks.check(sent.status === 200, `a write on the way: ${sent.status} ${sent.text}`)
  }
  for (const tokens of [5, -5]) await adjust(erased, tokens)
  await adjust('1', 10)
  await moveRealm(stage, realm.id, 2)
  await adjust('1', 1)
  const erasing = await persistently(() => call('POST', `${at}/${erased}/erasure`, { key, body: {} }))
  checks.check(erasing.status < 300, `the erasure: ${erasing.status} ${erasing.text}`)
  await purgeCopies(stage, realm.id)
  await moveRealm(stage, realm.id, 1)
  await checkHanded(scene, stage.one, realm.id)
  await adjust('1', 2)
  await purgeCopies(stage, realm.id)
  await moveRealm(stage, realm.id, 2)
  await checkHanded(scene, stage.two, realm.id)
  const { json } = await persistently(() => call('GET', `${at}/1`, { key }))
  checks.check(json?.tokenBalance === 13, `the balance after three moves is ${json?.tokenBalance}, not 13`)
  for (const { number: cell, postmaster } of [stage.one, stage.two]) {
    const [row] = await query<{ traces: string }>(postmaster.superuserUrl, tracesText, [number])
    checks.check(row?.traces === '0', `cell ${cell} has ${row?.traces} traces of the erased member`)
  }
}
