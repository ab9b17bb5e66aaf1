import { setTimeout as sleep } from 'node:timers/promises'
import { keyForm } from '../../server/src/keys/text.ts'
import { call } from '../support/call.ts'
import { operator, type RealmAccess } from '../support/fixture.ts'
import { accessOf, freshId, makeRealmIn } from './realms.ts'
import type { Scene } from './scene.ts'
import type { Cell } from './stage.ts'

const readForMs = 2_500
const readEveryMs = 20

/** Keys of other cells, unknown keys, and revoked ones, by every process and through HAProxy. */
export async function checkKeys({ stage, checks }: Scene): Promise<void> {
  const first = await makeRealmIn(stage, stage.one, { id: freshId('keys'), unknownMembers: 'create' })
  const second = await makeRealmIn(stage, stage.two, { id: freshId('keys'), unknownMembers: 'create' })
  const statusOf = async (url: string, id: string, key: string) =>
    (await call('GET', `${url}/api/v4/realms/${id}/members/1`, { key })).status
  const expect = async (words: string, got: Promise<number>, wanted: number) => {
    const status = await got
    checks.check(status === wanted, `${words}: ${status}, not ${wanted}`)
  }
  for (const [own, other, cell] of [
    [first, second, stage.one],
    [second, first, stage.two],
  ] as const) {
    for (const url of [stage.url, ...cell.servers.map((server) => server.url)]) {
      await expect('a key of another cell’s realm', statusOf(url, own.id, other.key), 403)
      await expect('an unknown key', statusOf(url, own.id, keyForm.make()), 401)
      await expect('no key at all', statusOf(url, own.id, 'junk'), 401)
      await expect('the realm’s own key', statusOf(url, own.id, own.key), 200)
    }
    const [server] = cell.servers
    await expect('a realm elsewhere', statusOf(server?.url ?? '', other.id, other.key), 503)
  }
  await Promise.all([
    checkRevoked({ stage, checks }, first, stage.one),
    checkRevoked({ stage, checks }, second, stage.two),
  ])
}

/** How long a revoked key is still accepted by any process of its cell. */
async function checkRevoked(
  { stage, checks }: Pick<Scene, 'stage' | 'checks'>,
  realm: RealmAccess,
  cell: Cell,
): Promise<void> {
  const path = `/realms/${realm.id}/keys`
  const issued = (await operator(accessOf(stage), 'POST', { path, body: {} })) as { id: string; key: string }
  const urls = [stage.url, ...cell.servers.map((server) => server.url)]
  const read = (url: string) => call('GET', `${url}/api/v4/realms/${realm.id}/members/1`, { key: issued.key })
  for (const url of urls) await read(url)
  await operator(accessOf(stage), 'DELETE', { path: `${path}/${issued.id}` })
  const revokedMs = performance.now()
  let latestMs = 0
  let last = 0
  while (performance.now() - revokedMs < readForMs) {
    for (const url of urls) {
      last = (await read(url)).status
      if (last !== 401) latestMs = performance.now() - revokedMs
    }
    await sleep(readEveryMs)
  }
  checks.check(last === 401, `a revoked key was answered ${last}`)
  checks.atMost(latestMs, 1_000, 'last accepted request after a revocation, ms')
}
