import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../server/src/dev/postgres.ts'
import { asSuperuser, serverRole } from '../../server/src/dev/prepare.ts'
import { openSingle, type Single } from '../chaos/stage.ts'
import { award, makeRealm } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import type { DetailedChecks } from './detailed.ts'
import { Prometheus } from './prometheus.ts'
import { atOnce, metricsIn, rulesText } from './rules.ts'
import { checkCommands, checkNames } from './runbooks.ts'

/** PostgreSQL is read twice a minute at most. */
const factsSeconds = 45
const soonSeconds = 20
/** A task is late after two minutes and three of its intervals. */
const taskSeconds = 180

/** Of exporters that docs/operate/alerts/README.md describes. */
const exported: ReadonlySet<string> = new Set([
  'up',
  'exchequer_backup_last_success_timestamp_seconds',
  'node_filesystem_avail_bytes',
  'node_filesystem_size_bytes',
  'probe_ssl_earliest_cert_expiry',
])

/** An archive that fails, and few sessions: both are true before the server looks for the first time. */
const settings = {
  archive_mode: 'on',
  archive_command: 'false',
  max_connections: '30',
  wal_level: 'logical',
}

type Stage = Single & { readonly metricsUrl: string; readonly folder: string }

/** Every name in the real /metrics; a histogram has three more. */
async function namesIn(url: string): Promise<ReadonlySet<string>> {
  const text = await (await fetch(url)).text()
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    kinds.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
}

async function checkMetrics({ metricsUrl }: Stage, checks: DetailedChecks): Promise<void> {
  const names = await namesIn(metricsUrl)
  const used = metricsIn(rulesText)
  checks.that(used.length > 30, 'the rules use metrics', used.join(' '))
  const unknown = used.filter((name) => !names.has(name) && !exported.has(name))
  checks.that(unknown.length === 0, 'every metric of a rule exists in /metrics', unknown.join(', '))
  checkNames(new Set([...names, ...exported]), checks)
}

/** Whether an alert begins, or ends, in time. */
type Expect = (alert: string, wanted: boolean, seconds?: number) => Promise<void>

const expecting =
  (prometheus: Prometheus, checks: DetailedChecks): Expect =>
  async (alert, wanted, seconds = soonSeconds) => {
    const ok = await prometheus.becomes(alert, wanted, seconds)
    const said = ok ? '' : `firing: ${(await prometheus.firing()).join(', ')}`
    checks.that(ok, `${alert} ${wanted ? 'fires' : 'ends'}`, said)
    if (ok) console.log(`  ${alert} ${wanted ? 'fires' : 'ends'}`)
  }

type Given = { readonly held: readonly pg.Client[]; readonly isLong: boolean }

/** What was wrong from the start. The long form also sees that it ends. */
async function checkPostgres(stage: Stage, expect: Expect, { held, isLong }: Given): Promise<void> {
  await expect('ExchequerArchiveFailing', true)
  await expect('ExchequerSessionsHigh', true)
  await Promise.all(held.map((client) => client.end()))
  if (!isLong) return
  await asSuperuser(stage.superuserUrl, [
    `alter system set archive_command = 'true'`,
    'select pg_reload_conf()',
    'select pg_switch_wal()',
  ])
  await expect('ExchequerSessionsHigh', false, factsSeconds)
  await expect('ExchequerArchiveFailing', false, 2 * factsSeconds)
}

/** Without a verification and a backup, these two fire on any new server. */
async function checkVerify(stage: Stage, expect: Expect): Promise<void> {
  await expect('ExchequerBackupOld', true)
  await expect('ExchequerNotVerified', true)
  const ran = await stage.verify()
  if (!ran.ok) throw new Error(ran.said)
  await expect('ExchequerNotVerified', false)
}

async function checkWrong(stage: Stage, expect: Expect): Promise<void> {
  await asSuperuser(stage.superuserUrl, [
    'update exchequer.balances set balance = balance + 1 where balance > 0',
  ])
  await stage.verify()
  await expect('ExchequerLedgerWrong', true, soonSeconds)
}

async function checkOutages(stage: Stage, expect: Expect): Promise<void> {
  const [server] = stage.servers
  if (!server) throw new Error('there is no server')
  await stage.postmaster.stop('immediate')
  await expect('ExchequerDatabaseDown', true)
  await stage.postmaster.start()
  await expect('ExchequerDatabaseDown', false)
  await server.kill()
  await expect('ExchequerDown', true)
  await server.start()
  await expect('ExchequerDown', false)
}

/** A right that is missing, as after a migration by hand: the process serves, and its task fails. */
async function checkTask(stage: Stage, expect: Expect): Promise<void> {
  const right = 'execute on function exchequer.due_holds(integer)'
  await asSuperuser(stage.superuserUrl, [`revoke ${right} from ${serverRole}`])
  await expect('ExchequerTaskLate', true, taskSeconds)
  await asSuperuser(stage.superuserUrl, [`grant ${right} to ${serverRole}`])
  await expect('ExchequerTaskLate', false)
}

/** Alerts of a real server, PostgreSQL and Prometheus, and the commands of the runbooks. */
export async function checkLive(folder: string, checks: DetailedChecks, isLong: boolean): Promise<void> {
  const port = await freePort()
  const metricsUrl = `http://127.0.0.1:${port}/metrics`
  const env = { METRICS_PORT: String(port) }
  const single = await openSingle({ folder, settings, env })
  const stage = { ...single, metricsUrl, folder }
  const url = stage.urls[0] ?? ''
  let prometheus: Prometheus | undefined
  try {
    const access = { baseUrl: url, token: operatorToken }
    await award(url, await makeRealm(access, { unknownMembers: 'create' }), { 1: 100 })
    await asSuperuser(stage.superuserUrl, [
      `grant pg_monitor to ${serverRole}`,
      `select pg_create_physical_replication_slot('unused', true)`,
      'select pg_switch_wal()',
    ])
    const held = Array.from({ length: 21 }, () => new pg.Client({ connectionString: stage.superuserUrl }))
    await Promise.all(held.map((client) => client.connect()))
    await checkMetrics(stage, checks)
    const options = { folder, rules: atOnce(rulesText), target: `127.0.0.1:${port}` }
    prometheus = await Prometheus.open(options)
    const expect = expecting(prometheus, checks)
    await checkPostgres(stage, expect, { held, isLong })
    await checkVerify(stage, expect)
    await checkCommands(await variablesOf(stage, url, prometheus.url), checks)
    await checkOutages(stage, expect)
    if (isLong) await checkTask(stage, expect)
    await checkWrong(stage, expect)
  } finally {
    await prometheus?.close()
    await stage.close()
  }
}

/** Those of docs/operate/alerts/README.md. */
async function variablesOf({ databaseUrls, metricsUrl, folder }: Stage, url: string, prometheusUrl: string) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    PGDATA: join(folder, 'data'),
    URL: url,
    METRICS_URL: metricsUrl,
    PROMETHEUS_URL: prometheusUrl,
    DATABASE_URL: databaseUrls.serverUrl,
    DATABASE_OWNER_URL: databaseUrls.ownerUrl,
    KEY_SECRETS: `k1:${'0123456789abcdef'.repeat(4)}`,
  }
}
