import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call } from '../../../tests/support/call.ts'
import { type RealmAccess, rich } from '../../../tests/support/fixture.ts'
import { heldBack } from '../../../tests/support/hold.ts'
import { Link } from '../../../tests/support/link.ts'
import {
  environment,
  operatorToken,
  type ServerProcess,
  startServerProcess,
} from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { scrape, sum } from './scrape.ts'

let talkative: ServerProcess
let quiet: ServerProcess
let link: Link

after(async () => {
  link?.repair()
  await Promise.all([talkative?.stop(), quiet?.stop()])
  await link?.close()
})
const made = suite({}, async ({ database }) => {
  talkative = await startServerProcess(environment(database, { LOG_LEVEL: 'debug' }))
  link = await Link.to(database.serverUrl)
  const urls = { ...database, serverUrl: link.url }
  quiet = await startServerProcess(environment(urls, { WRITE_DEADLINE_MS: '2500', METRICS_PORT: '0' }))
})

type Line = { readonly [field: string]: unknown; readonly msg: string; readonly requestId?: string }
const linesOf = ({ said }: ServerProcess) => said.map((line) => JSON.parse(line) as Line)

/** The log lines of a process, once one of them has this message. */
async function linesUntil(server: ServerProcess, msg: string): Promise<Line[]> {
  for (let tries = 0; tries < 100; tries++) {
    const lines = linesOf(server).filter((line) => line.msg === msg)
    if (lines.length > 0) return lines
    await sleep(20)
  }
  throw new Error(`no log line has the message: ${msg}`)
}

const awardAt = (server: ServerProcess, realm = made.fixture.realm as RealmAccess) =>
  call('PATCH', `${server.baseUrl}/api/v4/realms/${realm.id}/members/${rich}/tokenBalance`, {
    key: realm.key,
    body: { tokens: 1, reason: 'a unique test phrase' },
  })

describe('the log, at debug', () => {
  it('has a line for every request, with the request id of its response', async () => {
    const { key } = made.fixture.realm
    const paths = ['/healthz', '/nowhere', `/api/v4/realms/${made.fixture.realm.id}/members/${rich}`]
    const answers = [await awardAt(talkative)]
    for (const path of paths) answers.push(await call('GET', talkative.baseUrl + path, { key }))
    await linesUntil(talkative, 'answered')
    await sleep(100)
    for (const { headers, status } of answers) {
      const mine = linesOf(talkative).filter((line) => line.requestId === headers['x-request-id'])
      assert.equal(mine.length, 1)
      assert.equal(mine[0]?.['status'], status)
    }
    const patterns = linesOf(talkative).map((line) => line['route'])
    assert.ok(patterns.includes('/api/v4/realms/{realmID}/members/{memberID}'))
  })

  it('contains no key, no member, no path and no text of a client', async () => {
    await call('GET', `${talkative.baseUrl}/amber?amber=${made.fixture.realm.key}`, { key: operatorToken })
    await sleep(100)
    const text = talkative.said.join('\n')
    for (const forbidden of [made.fixture.realm.key, operatorToken, rich, 'amber', 'unique test'])
      assert.ok(!text.includes(forbidden), forbidden)
  })
})

describe('the log, by default', () => {
  it('has no line for a request that is answered normally', async () => {
    assert.equal((await awardAt(quiet)).status, 200)
    assert.equal(linesOf(quiet).filter(({ requestId }) => requestId).length, 0)
  })

  it('has a line for a slow request, and for its batch, both with its id', async () => {
    const nothing = async () => undefined
    const starts = [() => awardAt(quiet), ...Array.from({ length: 6 }, () => nothing)]
    const [answer] = await heldBack<Answer | undefined>(made.database, starts)
    assert.equal(answer?.status, 200)
    const id = String(answer?.headers['x-request-id'])
    const [request] = await linesUntil(quiet, 'a slow request')
    assert.equal(request?.requestId, id)
    assert.equal(request?.['status'], 200)
    const [batch] = await linesUntil(quiet, 'a slow batch')
    assert.deepEqual(batch?.['requestIds'], [id])
  })

  it('has a line for an unknown outcome, with its id, and the metrics count it', async () => {
    const { open } = made.fixture
    // The realm is in memory, so the batch is optimistic: everything is sent together with its COMMIT.
    for (let time = 0; time < 3; time++) assert.equal((await awardAt(quiet, open)).status, 200)
    link.silence()
    const answer = await awardAt(quiet, open)
    assert.equal(answer.json.code, 'outcome_unknown', answer.text)
    const id = String(answer.headers['x-request-id'])
    const lost = await linesUntil(quiet, 'a COMMIT got no answer')
    assert.ok(lost.some(({ requestIds }) => (requestIds as string[]).includes(id)))
    assert.ok((await linesUntil(quiet, 'an outcome is unknown')).some(({ requestId }) => requestId === id))
    const [settled] = await linesUntil(quiet, 'the outcome of a COMMIT without an answer')
    assert.equal(settled?.['found'], 'unknown')
    const samples = await scrape(String(linesOf(quiet).find(({ msg }) => msg === 'listening')?.['metrics']))
    assert.equal(sum(samples, 'exchequer_lost_commits_total', { found: 'unknown' }), 1)
    assert.equal(sum(samples, 'exchequer_refusals_total', { code: 'outcome_unknown' }), 1)
    assert.ok((sum(samples, 'exchequer_batches_total', { end: 'unknown' }) ?? 0) >= 1)
  })
})
