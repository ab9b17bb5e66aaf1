import { setTimeout as sleep } from 'node:timers/promises'
import { fill } from '../../bench/generate.ts'
import { query } from '../chaos/books.ts'
import { everyone } from '../chaos/load.ts'
import type { Answer } from '../support/call.ts'
import { makeRealm, manager, type RealmAccess } from '../support/fixture.ts'
import { asRealm } from '../support/operator.ts'
import { operatorToken } from '../support/process.ts'
import { checkDeadline } from '../support/timeLimit.ts'
import { headAt } from './heads.ts'
import type { Cell, CellStage } from './stage.ts'

const routedMs = 15_000

export const accessOf = ({ url }: CellStage) => ({ baseUrl: url, token: operatorToken })

/** Answers that are worth a retry, as the server says. */
const isTemporary = ({ status }: Answer): boolean => status === 503

/** Sends until the answer is not 503, as clients do. */
export async function persistently(send: () => Promise<Answer>, forMs = 20_000): Promise<Answer> {
  const deadlineMs = performance.now() + forMs
  for (;;) {
    const answer = await send()
    if (!isTemporary(answer) || performance.now() > deadlineMs) return answer
    await sleep(100)
  }
}

/** Until requests for the realm are answered through HAProxy. */
export async function untilRouted(stage: CellStage, realm: RealmAccess): Promise<void> {
  const deadlineMs = performance.now() + routedMs
  for (;;) {
    const { status } = await asRealm(stage.url, realm, { line: 'GET /members/1' })
    if (status === 200 || status === 404) return
    checkDeadline(deadlineMs, `a route to ${realm.id}`)
    await sleep(50)
  }
}

/** A new realm in this cell, once it can be reached through HAProxy. */
export async function makeRealmIn(stage: CellStage, cell: Cell, body: object): Promise<RealmAccess> {
  const realm = await makeRealm({ baseUrl: cell.servers[0]?.url ?? '', token: operatorToken }, body)
  await untilRouted(stage, realm)
  if (!(await headAt(cell, realm.id))) throw new Error(`${realm.id} is not in cell ${cell.number}`)
  return realm
}

/** With the members that the writers of the chaos tests know. */
export async function makeWritable(stage: CellStage, cell: Cell, id: string): Promise<RealmAccess> {
  const realm = await makeRealmIn(stage, cell, { id })
  const members = everyone.map((member) => ({ id: member }))
  await manager(accessOf(stage), 'POST', { path: `/realms/${id}/members`, body: { members } })
  return realm
}

export async function numberOf({ directory }: CellStage, id: string): Promise<number> {
  const text = 'select realm from exchequer.realms where id = $1'
  const [row] = await query<{ realm: number }>(directory.postmaster.superuserUrl, text, [id])
  if (!row) throw new Error(`the directory does not know ${id}`)
  return row.realm
}

/** A realm with that many entries and a right chain, loaded by COPY. */
export async function makeFilled(
  stage: CellStage,
  cell: Cell,
  { id, entries }: { readonly id: string; readonly entries: number },
): Promise<RealmAccess> {
  const made = await makeRealmIn(stage, cell, { id, point: { id: 'gold' } })
  const { binaries, ownerUrl, superuserUrl } = cell.postmaster
  const members = everyone.length
  await fill({ binaries, url: ownerUrl }, [
    {
      realm: await numberOf(stage, id),
      realmId: id,
      point: 'gold',
      members,
      entries: entries - members,
      wallets: true,
    },
  ])
  await query(superuserUrl, 'analyze')
  return made
}

/** One that no other check of a run has used. */
let used = 0
export const freshId = (name: string): string => `${name}-${++used}`
