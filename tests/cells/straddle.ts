import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../chaos/books.ts'
import { type Answer, call } from '../support/call.ts'
import type { RealmAccess } from '../support/fixture.ts'
import { cellOf } from './heads.ts'
import { moveRealm } from './mover.ts'
import { freshId, makeFilled, numberOf, persistently } from './realms.ts'
import type { Scene } from './scene.ts'
import type { Cell, CellStage } from './stage.ts'

export type StraddleSizes = { readonly holds: number; readonly entries: number; readonly seconds: number }

/** Holds that end at times before, while and after the realm moves. */
async function makeHolds(stage: CellStage, realm: RealmAccess, sizes: StraddleSizes): Promise<void> {
  for (let nth = 0; nth < sizes.holds; nth++) {
    const url = `${stage.url}/api/v4/realms/${realm.id}/members/${1 + (nth % 50)}/holds`
    const body = { tokens: 1, expiresIn: 1 + (nth % sizes.seconds) }
    const { status, text } = await call('POST', url, { key: realm.key, body })
    if (status !== 200 && status !== 201) throw new Error(`a hold: ${status} ${text}`)
  }
}

const endsText = `select count(*) filter (where h.ended_seq is null) as open, count(*) as all,
    count(*) filter (where e.ends <> 1) as wrong
  from exchequer.holds h cross join lateral (
    select count(*) as ends from exchequer.journal j
    where j.realm = h.realm and j.kind in (5, 6, 7) and j.link = h.seq
  ) e where h.realm = $1`

type Ends = Readonly<Record<'open' | 'all' | 'wrong', string>>

async function endsOf({ postmaster }: Cell, realm: number): Promise<Ends> {
  const [ends] = await query<Ends>(postmaster.superuserUrl, endsText, [realm])
  if (!ends) throw new Error('no holds')
  return ends
}

const adjust = (stage: CellStage, realm: RealmAccess, nth: number): Promise<Answer> =>
  persistently(() =>
    call('PATCH', `${stage.url}/api/v4/realms/${realm.id}/members/${1 + (nth % 50)}/tokenBalance`, {
      key: realm.key,
      body: { tokens: nth + 1 },
      headers: { 'idempotency-key': `straddle-${nth}` },
    }),
  )

const retried = 40
const dueMs = 20_000

/** Holds that are due while a realm moves end once; a retry after the move has the first answer. */
export async function checkStraddle({ stage, checks }: Scene, sizes: StraddleSizes): Promise<void> {
  const realm = await makeFilled(stage, stage.one, { id: freshId('straddle'), entries: sizes.entries })
  const number = await numberOf(stage, realm.id)
  const first: Answer[] = []
  for (let nth = 0; nth < retried; nth++) first.push(await adjust(stage, realm, nth))
  await makeHolds(stage, realm, sizes)
  const moving = moveRealm(stage, realm.id, 2)
  // Some retries are sent before the move, some while it runs, some after it.
  const early: Answer[] = []
  for (let nth = 0; nth < retried; nth++) {
    early.push(await adjust(stage, realm, nth))
    await sleep(50)
  }
  await moving
  for (let nth = 0; nth < retried; nth++) {
    const late = await adjust(stage, realm, nth)
    const same = [early[nth], late].every((one) => one?.status === 200 && one.text === first[nth]?.text)
    checks.check(same, `retry ${nth}: first ${first[nth]?.text}, then ${early[nth]?.text} and ${late.text}`)
  }
  const cell = await cellOf(stage, realm.id)
  checks.check(cell === stage.two, `the realm is in cell ${cell.number}`)
  let ends = await endsOf(cell, number)
  for (const untilMs = performance.now() + dueMs; ends.open !== '0' && performance.now() < untilMs; ) {
    await sleep(200)
    ends = await endsOf(cell, number)
  }
  console.log(`  ${ends.all} holds, ${ends.open} still open, ${ends.wrong} not ended exactly once`)
  checks.check(Number(ends.all) === sizes.holds, `${ends.all} holds arrived, of ${sizes.holds}`)
  checks.check(ends.open === '0' && ends.wrong === '0', `holds: ${JSON.stringify(ends)}`)
}
