import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { moreApps } from '../../../tests/support/apps.ts'
import { call } from '../../../tests/support/call.ts'
import { poor, rich } from '../../../tests/support/fixture.ts'
import { Link } from '../../../tests/support/link.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { environment, operatorToken, runCommand } from '../../../tests/support/process.ts'
import { suite, testConfig } from '../../../tests/support/suite.ts'
import { startApp } from '../../src/app/index.ts'
import { parse, scrape, sum } from './scrape.ts'

const other = moreApps()
const made = suite({ METRICS_PORT: '0' })
const base = () => `${made.app.url}/api/v4/realms/${made.fixture.realm.id}`
const numbers = () => scrape(made.app.metricsUrl)
const award = (tokens: number, headers: Record<string, string> = {}) =>
  call('PATCH', `${base()}/members/${rich}/tokenBalance`, {
    key: made.fixture.realm.key,
    headers,
    body: { tokens },
  })

const adjusts = '/api/v4/realms/{realmID}/members/{memberID}/tokenBalance'

describe('an unauthenticated client', () => {
  it('finds no /metrics on the port of the service, even with a key or a token', async () => {
    for (const key of [undefined, made.fixture.realm.key, operatorToken])
      assertProblem(await call('GET', `${made.app.url}/metrics`, { key }), 404, 'route_not_found')
  })

  it('finds no /metrics when no port is configured', async () => {
    const app = await other(made)
    assert.equal(app.metricsUrl, undefined)
    assertProblem(await call('GET', `${app.url}/metrics`), 404, 'route_not_found')
  })

  it('can connect only from this machine, unless an address is configured', () => {
    assert.match(made.app.metricsUrl ?? '', /^http:\/\/127\.0\.0\.1:\d+$/)
  })
})

describe('the port of /metrics', () => {
  it('serves nothing else, and accepts no writes', async () => {
    for (const path of ['/', '/healthz', '/api/v4/realms', '/metrics/', '/operator/v1/realms'])
      assertProblem(await call('GET', made.app.metricsUrl + path), 404, 'route_not_found')
    const answer = await call('POST', `${made.app.metricsUrl}/metrics`, { body: {} })
    assertProblem(answer, 405, 'method_not_allowed')
  })

  it('uses the text format, each metric with its help and type, once', async () => {
    const { text, headers } = await call('GET', `${made.app.metricsUrl}/metrics`)
    assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
    const samples = parse(text)
    const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '']) => name)
    assert.equal(new Set(kinds).size, kinds.length)
    const lines = samples.map(({ name, labels }) => JSON.stringify([name, labels]))
    assert.equal(new Set(lines).size, lines.length)
    for (const { name, value } of samples) {
      assert.ok(Number.isFinite(value), name)
      assert.ok(kinds.includes(name.replace(/_(bucket|sum|count)$/, '')), name)
    }
  })
})

describe('requests', () => {
  it('are counted by method, route and status, and timed by route', async () => {
    const before = await numbers()
    for (let time = 0; time < 3; time++) assert.equal((await award(1)).status, 200)
    assert.equal((await award(-1e12)).status, 422)
    const after = await numbers()
    const more = (name: string, labels: Record<string, string>) =>
      (sum(after, name, labels) ?? 0) - (sum(before, name, labels) ?? 0)
    const ofRoute = { route: adjusts }
    assert.equal(more('exchequer_http_requests_total', { ...ofRoute, method: 'PATCH', status: '200' }), 3)
    assert.equal(more('exchequer_http_requests_total', { ...ofRoute, status: '422' }), 1)
    assert.equal(more('exchequer_http_request_duration_seconds_count', ofRoute), 4)
    assert.equal(more('exchequer_http_request_duration_seconds_bucket', { ...ofRoute, le: '+Inf' }), 4)
    assert.ok(more('exchequer_http_request_duration_seconds_sum', ofRoute) > 0)
    assert.equal(more('exchequer_refusals_total', { code: 'insufficient_points' }), 1)
    assert.equal(more('exchequer_batch_commands_sum', {}), 4)
    assert.ok(more('exchequer_batches_total', { end: 'committed' }) >= 1)
  })

  it('put no request data into labels, and add no labels, whatever is sent', async () => {
    // Those of the top realms begin and end with a minute, and name realms of authenticated callers only.
    const isTop = (name: string) => name.startsWith('exchequer_top_realm_')
    const lineCount = async () => (await numbers()).filter(({ name }) => !isTop(name)).length
    const strange = async (round: number) => {
      const secret = `amber${round}`
      const { key } = made.fixture.realm
      await call('GET', `${made.app.url}/${secret}/${secret}?${secret}=1`)
      await call('GET', `${made.app.url}/api/v4/realms/${secret}/members/1`, { key })
      await call('GET', `${base()}/members/${secret}`, { key })
      await call('GET', `${base()}/members/${1000 + round}`, { key: `xq_${secret}` })
      await call('PROPFIND', `${base()}/members/1`, { key })
      await award(1, { 'idempotency-key': secret, traceparent: secret })
    }
    await strange(0)
    const before = await lineCount()
    for (let round = 1; round < 20; round++) await strange(round)
    const { text } = await call('GET', `${made.app.metricsUrl}/metrics`)
    assert.equal(parse(text).filter(({ name }) => !isTop(name)).length, before)
    const { realm } = made.fixture
    for (const forbidden of ['amber', realm.key, rich, operatorToken])
      assert.ok(!text.includes(forbidden), forbidden)
    const others = text.split('\n').filter((line) => !isTop(line))
    assert.ok(!others.some((line) => line.includes(realm.id)), realm.id)
    assert.ok((sum(parse(text), 'exchequer_http_requests_total', { method: 'other' }) ?? 0) >= 19)
  })

  it('that are replayed are counted as replays, in a list of changes too', async () => {
    const before = sum(await numbers(), 'exchequer_replays_total') ?? 0
    await award(5, { 'idempotency-key': 'again' })
    await award(5, { 'idempotency-key': 'again' })
    const changes = [
      { memberId: rich, tokens: 1, idempotencyKey: 'listed' },
      { memberId: rich, tokens: -1e12 },
    ]
    const refusals = { code: 'insufficient_points' }
    const refused = sum(await numbers(), 'exchequer_refusals_total', refusals) ?? 0
    for (let time = 0; time < 2; time++) {
      const call1 = { key: made.fixture.realm.key, body: { changes } }
      assert.equal((await call('POST', `${base()}/changes`, call1)).status, 200)
    }
    const after = await numbers()
    assert.equal(sum(after, 'exchequer_replays_total'), before + 2)
    assert.equal(sum(after, 'exchequer_refusals_total', refusals), refused + 2)
  })
})

describe('waiting work', () => {
  it('shows in lane depth and waiting commands while a head is locked, and drops again', async () => {
    const holder = new pg.Client({ connectionString: made.database.superuserUrl })
    await holder.connect()
    await holder.query('begin; select from exchequer.heads for update')
    const answers = Array.from({ length: 5 }, () => award(1))
    await sleep(300)
    const during = await numbers()
    await holder.query('commit')
    await holder.end()
    for (const { status } of await Promise.all(answers)) assert.equal(status, 200)
    assert.equal(sum(during, 'exchequer_commands_waiting'), 5)
    assert.ok(sum(during, 'exchequer_lane_depth') !== undefined)
    assert.ok(sum(during, 'exchequer_lane_contended') !== undefined)
    assert.equal(sum(await numbers(), 'exchequer_commands_waiting'), 0)
  })

  it('shows in the leaderboards’ lag, until they have caught up', async () => {
    const slow = await other(made, { METRICS_PORT: '0', STANDINGS_EVERY_MS: '700' })
    const realm = `${slow.url}/api/v4/realms/${made.fixture.realm.id}`
    await call('GET', `${realm}/leaderboard`, { key: made.fixture.realm.key })
    const url = `${realm}/members/${poor}/tokenBalance`
    await call('PATCH', url, { key: made.fixture.realm.key, body: { tokens: 1 } })
    await sleep(300)
    const behind = await scrape(slow.metricsUrl)
    assert.equal(sum(behind, 'exchequer_projection_realms_due'), 1)
    const lag = sum(behind, 'exchequer_projection_lag_seconds') ?? 0
    assert.ok(lag >= 0.25 && lag < 5, String(lag))
    await sleep(1_500)
    const level = await scrape(slow.metricsUrl)
    assert.equal(sum(level, 'exchequer_projection_realms_due'), 0)
    assert.equal(sum(level, 'exchequer_projection_lag_seconds'), 0)
  })

  it('shows in the waits for a session of the pool', async () => {
    const before = sum(await numbers(), 'exchequer_pool_waits_total') ?? 0
    const { key } = made.fixture.realm
    const reads = Array.from({ length: 60 }, () => call('GET', `${base()}/statistics`, { key }))
    for (const { status } of await Promise.all(reads)) assert.equal(status, 200)
    const after = await numbers()
    assert.ok((sum(after, 'exchequer_pool_waits_total') ?? 0) > before)
    assert.ok((sum(after, 'exchequer_pool_sessions') ?? 0) >= 1)
    assert.equal(sum(after, 'exchequer_pool_waiting'), 0)
  })

  it('shows in the delay of the event loop', async () => {
    const late = async () => {
      const samples = await numbers()
      const count = (le: string) => sum(samples, 'exchequer_event_loop_delay_seconds_bucket', { le }) ?? 0
      return count('+Inf') - count('0.1')
    }
    const before = await late()
    const untilMs = performance.now() + 400
    while (performance.now() < untilMs);
    await sleep(100)
    assert.ok((await late()) > before)
  })
})

describe('the database', () => {
  it('is up, with no synchronous standby and none required', async () => {
    const samples = await numbers()
    assert.equal(sum(samples, 'exchequer_database_up'), 1)
    assert.equal(sum(samples, 'exchequer_synchronous_standbys'), 0)
    assert.equal(sum(samples, 'exchequer_synchronous_standby_needed'), 0)
  })

  it('that is unreachable is reported as down, without metrics that only it knows', async () => {
    const link = await Link.to(made.database.serverUrl)
    const app = await startApp(
      testConfig({ ...made.database, serverUrl: link.url }, { METRICS_PORT: '0', REALM_RATE: 'off' }),
    )
    try {
      assert.equal(sum(await scrape(app.metricsUrl), 'exchequer_database_up'), 1)
      link.cut()
      await sleep(1_100)
      const samples = await scrape(app.metricsUrl)
      assert.equal(sum(samples, 'exchequer_database_up'), 0)
      assert.equal(sum(samples, 'exchequer_synchronous_standbys'), undefined)
      link.repair()
      await sleep(1_100)
      assert.equal(sum(await scrape(app.metricsUrl), 'exchequer_database_up'), 1)
    } finally {
      await app.close()
      await link.close()
    }
  })

  it('reports when the ledger was last verified, and the result', async () => {
    assert.equal(sum(await numbers(), 'exchequer_last_verify_ok'), undefined)
    const env = environment(made.database)
    assert.equal((await runCommand(['verify', '--hurry'], env)).code, 0)
    const right = await scrape((await other(made, { METRICS_PORT: '0', LANES: '2' })).metricsUrl)
    assert.equal(sum(right, 'exchequer_last_verify_ok'), 1)
    const ageSeconds = Date.now() / 1000 - (sum(right, 'exchequer_last_verify_timestamp_seconds') ?? 0)
    assert.ok(Math.abs(ageSeconds) < 60, String(ageSeconds))
    const owner = new pg.Client({ connectionString: made.database.superuserUrl })
    await owner.connect()
    await owner.query('update exchequer.balances set balance = balance + 1 where balance > 5')
    await owner.end()
    const one = await runCommand(['verify', '--full', '--realm', made.fixture.realm.id], env)
    assert.equal(one.code, 1, one.out)
    const wrong = await scrape((await other(made, { METRICS_PORT: '0', LANES: '3' })).metricsUrl)
    assert.equal(sum(wrong, 'exchequer_last_verify_ok'), 0)
  })
})

describe('the process', () => {
  it('reports its memory, CPU time, open files and release', async () => {
    const samples = await numbers()
    const rss = sum(samples, 'process_resident_memory_bytes') ?? 0
    assert.ok(rss > 30e6 && rss < 2e9, String(rss))
    assert.ok((sum(samples, 'process_cpu_seconds_total') ?? 0) > 0.1)
    assert.ok((sum(samples, 'exchequer_connections') ?? 0) >= 1)
    const heapUsed = sum(samples, 'nodejs_heap_size_used_bytes') ?? 0
    assert.ok(heapUsed > 1e6 && heapUsed <= (sum(samples, 'nodejs_heap_size_total_bytes') ?? 0))
    const node = samples.find(({ name }) => name === 'nodejs_version_info')
    assert.equal(node?.labels['version'], process.version)
    // Only Linux reports them.
    const openFiles = sum(samples, 'process_open_fds') ?? (process.platform === 'linux' ? 0 : 1)
    assert.ok(openFiles > 0 && openFiles <= (sum(samples, 'process_max_fds') ?? openFiles))
    assert.match(samples.find(({ name }) => name === 'exchequer_build_info')?.labels['version'] ?? '', /^\d/)
    assert.equal(samples.find(({ name }) => name === 'exchequer_cell_info')?.labels['cell'], '0')
    const startedAgo = Date.now() / 1000 - (sum(samples, 'process_start_time_seconds') ?? 0)
    assert.ok(startedAgo > 0 && startedAgo < 600)
  })
})
