import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { suite } from '../../../tests/support/suite.ts'
import { scrape, sum } from './scrape.ts'

const other = moreApps()
const made = suite({ METRICS_PORT: '0' })

describe('PostgreSQL', () => {
  it('reports its size, ids, sessions, WAL and checkpoints', async () => {
    const samples = await scrape(made.app.metricsUrl)
    const value = (name: string) => sum(samples, `exchequer_postgres_${name}`)
    assert.ok((value('database_bytes') ?? 0) > 1e6)
    assert.ok((value('transaction_id_age') ?? 0) > 0)
    const [sessions = 0, limit = 0] = [value('sessions'), value('sessions_limit')]
    assert.ok(sessions >= 1 && sessions < limit, `${sessions} of ${limit}`)
    assert.ok((value('wal_bytes_total') ?? 0) > 1e6)
    assert.ok(value('checkpoints_timed_total') !== undefined)
    assert.ok(value('checkpoints_requested_total') !== undefined)
    for (const [task, name] of [
      ['postgres', 'exchequer_task_last_success_timestamp_seconds'],
      ['expiry', 'exchequer_task_last_success_timestamp_seconds'],
    ] as const) {
      const ageSeconds = Date.now() / 1000 - (sum(samples, name, { task }) ?? 0)
      assert.ok(ageSeconds < 60, `${task}: ${ageSeconds}`)
    }
  })

  it('shows what its role may see, and the metrics of the rest are absent', async () => {
    const samples = await scrape(made.app.metricsUrl)
    for (const name of ['oldest_transaction_seconds', 'wal_folder_bytes', 'archive_failing'])
      assert.equal(sum(samples, `exchequer_postgres_${name}`), undefined, name)
    const role = new URL(made.database.serverUrl).username
    await rowsOf(made.database.superuserUrl, `grant pg_monitor to ${role}`)
    try {
      const seeing = await scrape((await other(made, { METRICS_PORT: '0', LANES: '2' })).metricsUrl)
      assert.ok((sum(seeing, 'exchequer_postgres_wal_folder_bytes') ?? 0) >= 16 * 1024 ** 2)
      assert.ok(sum(seeing, 'exchequer_postgres_oldest_transaction_seconds') !== undefined)
    } finally {
      await rowsOf(made.database.superuserUrl, `revoke pg_monitor from ${role}`)
    }
  })

  it('shows each replication slot, and the WAL that it keeps', async () => {
    const slot = `watched_${process.pid}`
    const url = made.database.superuserUrl
    await rowsOf(url, `select pg_create_physical_replication_slot('${slot}', true)`)
    try {
      const samples = await scrape((await other(made, { METRICS_PORT: '0', LANES: '3' })).metricsUrl)
      assert.ok((sum(samples, 'exchequer_postgres_slot_retained_bytes', { slot }) ?? -1) >= 0)
      assert.equal(sum(samples, 'exchequer_postgres_slot_lost', { slot }), 0)
    } finally {
      await rowsOf(url, `select pg_drop_replication_slot('${slot}')`)
    }
  })

  it('names the largest realms, by one process of several', async () => {
    await rowsOf(made.database.superuserUrl, `update exchequer.leases set until = now() where name = 'watch'`)
    const first = await scrape((await other(made, { METRICS_PORT: '0', LANES: '4' })).metricsUrl)
    const realm = made.fixture.realm.id
    const [{ seq } = { seq: 0 }] = await rowsOf(
      made.database.superuserUrl,
      `select h.seq::integer as seq from exchequer.heads h join exchequer.settings s using (realm)
        where s.realm_id = '${realm}'`,
    )
    assert.ok(Number(seq) > 0)
    assert.equal(sum(first, 'exchequer_top_realm_entries', { realm }), Number(seq))
    const second = await scrape((await other(made, { METRICS_PORT: '0', LANES: '5' })).metricsUrl)
    assert.equal(sum(second, 'exchequer_top_realm_entries'), undefined)
  })
})

describe('what follows a write', () => {
  it('is timed: leaderboards that were requested lately', async () => {
    // Its projector knows no earlier write: a realm that waits for a minute already would go on to.
    const app = await other(made, { METRICS_PORT: '0', LANES: '6' })
    const { id, key } = made.fixture.realm
    const realm = `${app.url}/api/v4/realms/${id}`
    await call('GET', `${realm}/leaderboard`, { key })
    await call('PATCH', `${realm}/members/${rich}/tokenBalance`, { key, body: { tokens: 1 } })
    const count = async () =>
      sum(await scrape(app.metricsUrl), 'exchequer_leaderboard_delay_seconds_count') ?? 0
    for (let time = 0; time < 50 && (await count()) === 0; time++) await sleep(100)
    assert.ok((await count()) > 0)
  })
})
