import { setTimeout as sleep } from 'node:timers/promises'
import { latenciesOf } from '../../bench/tools.ts'
import { linkForm } from '../../server/src/keys/text.ts'
import { type Answer, call } from '../support/call.ts'
import type { RealmAccess } from '../support/fixture.ts'
import { operate } from '../support/operator.ts'
import { anOperator } from '../support/person.ts'
import { freshId, makeRealmIn, persistently, untilRouted } from './realms.ts'
import type { Scene } from './scene.ts'
import { type CellStage, startServers, untilReady } from './stage.ts'

const clients = 4
const p50Ratio = 1.5
/** Below this a p50 says more about the machine than about a cell. */
const leastMs = 5

type Used = { readonly times: readonly number[]; readonly errors: readonly string[] }

/** Reads and changes of these realms, one after the other in each client, for so long. */
async function use(stage: CellStage, realms: readonly RealmAccess[], forMs: number): Promise<Used> {
  const times: number[] = []
  const errors: string[] = []
  const untilMs = performance.now() + forMs
  const one = async (place: number) => {
    for (let nth = place; performance.now() < untilMs; nth++) {
      const realm = realms[nth % realms.length]
      const url = `${stage.url}/api/v4/realms/${realm?.id}/members/${1 + (nth % 20)}`
      const startMs = performance.now()
      const answer: Pick<Answer, 'status' | 'text'> = await (nth % 3 === 0
        ? call('GET', url, { key: realm?.key })
        : call('PATCH', `${url}/tokenBalance`, { key: realm?.key, body: { tokens: 1 } })
      ).catch((error: Error) => ({ status: 0, text: error.message }))
      times.push(performance.now() - startMs)
      if (answer.status !== 200) errors.push(`${answer.status} ${answer.text.slice(0, 200)}`)
      await sleep(5)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, place) => one(place)))
  return { times, errors }
}

async function openRealm(stage: CellStage, number: 1 | 2): Promise<RealmAccess> {
  const realm = await makeRealmIn(stage, stage.cell(number), {
    id: freshId('outage'),
    unknownMembers: 'create',
  })
  for (let member = 1; member <= 20; member++) {
    const url = `${stage.url}/api/v4/realms/${realm.id}/members/${member}/tokenBalance`
    await call('PATCH', url, { key: realm.key, body: { tokens: 1 } })
  }
  return realm
}

/** kill -9 of all of a cell: its realms are away, and those of the other do not notice. */
export async function checkKilledCell({ stage, checks }: Scene, forMs: number): Promise<void> {
  const [own, lost] = [await openRealm(stage, 1), await openRealm(stage, 2)]
  await use(stage, [own], forMs / 4)
  const before = await use(stage, [own], forMs)
  await Promise.all(stage.two.servers.map((server) => server.kill()))
  stage.two.postmaster.kill('all')
  const during = await use(stage, [own], forMs)
  const away = await call('GET', `${stage.url}/api/v4/realms/${lost.id}/members/1`, { key: lost.key })
  await stage.two.postmaster.start()
  await startServers(stage.two)
  const [calm, hit] = [latenciesOf(before.times), latenciesOf(during.times)]
  console.log(
    `  ${during.times.length} requests, p50 ${hit.p50Ms.toFixed(1)} ms (${calm.p50Ms.toFixed(1)} before), ` +
      `p99 ${hit.p99Ms.toFixed(1)} ms (${calm.p99Ms.toFixed(1)} before)`,
  )
  checks.check(during.times.length > 50, `only ${during.times.length} requests while a cell was away`)
  checks.check(during.errors.length === 0, `with a killed cell: ${during.errors.slice(0, 3).join('; ')}`)
  checks.check(away.status === 503, `a realm of the killed cell was answered ${away.status}`)
  checks.atMost(hit.p50Ms, Math.max(calm.p50Ms, leastMs) * p50Ratio, 'p50 with a killed cell, ms')
  // The proxy has to find its servers ready again.
  await untilRouted(stage, lost)
  const back = await use(stage, [lost], 1_000)
  checks.check(back.errors.length === 0, `after the cell was back: ${back.errors.slice(0, 3).join('; ')}`)
}

/** Without the directory, realm keys work; what is about people and new realms is 503. */
export async function checkDirectoryAway({ stage, checks }: Scene, forMs: number): Promise<void> {
  const realms = [await openRealm(stage, 1), await openRealm(stage, 2)]
  const person = await anOperator(stage.url)
  const [known, wrong] = [realms[0], realms[1]]
  await use(stage, realms, 500)
  await stage.directory.postmaster.stop('immediate')
  const using = use(stage, realms, forMs)
  await sleep(forMs / 2)
  const token = { body: { token: linkForm.make() }, headers: { origin: stage.url } }
  const asked: readonly (readonly [string, Promise<Answer>])[] = [
    ['sign-in', call('POST', `${stage.url}/console/sign-in/link`, token)],
    ['a console call', person.send('GET', '/console/session')],
    ['a new realm', operate(stage.url, 'POST /realms?cell=1', { id: freshId('none') })],
    [
      'a key of another cell',
      call('GET', `${stage.url}/api/v4/realms/${known?.id}/members/1`, { key: wrong?.key }),
    ],
  ]
  for (const [words, asking] of asked) {
    const { status, text } = await asking
    checks.check(status === 503, `${words} without the directory: ${status} ${text.slice(0, 200)}`)
  }
  const { times, errors } = await using
  const { p50Ms, p99Ms } = latenciesOf(times)
  console.log(
    `  ${times.length} requests with realm keys, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  )
  checks.check(times.length > 50, `only ${times.length} requests without the directory`)
  checks.check(
    errors.length === 0,
    `${errors.length} errors without the directory: ${errors.slice(0, 3).join('; ')}`,
  )
  await stage.directory.postmaster.start()
  await untilReady(stage.directory)
  const { status } = await persistently(() => person.send('GET', '/console/session'))
  checks.check(status === 200, `a console call with the directory back: ${status}`)
}
