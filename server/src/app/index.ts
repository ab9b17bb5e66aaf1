import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { Audit, AuditRetention, auditEverySeconds } from '../audit/index.ts'
import type { Config } from '../config/index.ts'
import { openDatabase } from '../db/database.ts'
import { FeedRetention, feedEverySeconds } from '../events/changes/index.ts'
import { createHandler } from '../http/handler.ts'
import { createMetricsListener } from '../http/public/metrics.ts'
import type { Services } from '../http/route/route.ts'
import { routesAt, withoutConsole } from '../http/routes.ts'
import { makeAddressOf, makeIsProxy } from '../http/wire/address.ts'
import { Cors } from '../http/wire/cors.ts'
import { type Listening, type ListenOptions, listen } from '../http/wire/server.ts'
import { Limits } from '../limits/index.ts'
import { Watch } from '../observability/index.ts'
import { makeLog } from '../observability/log.ts'
import { Probe, type Readiness } from '../observability/probe.ts'
import { checkAtStart } from '../observability/startChecks.ts'
import { openChecks, storeUseEverySeconds } from '../people/index.ts'
import { openCell } from './cell.ts'
import { type Ground, type Nouns, openNouns } from './services.ts'

export type App = {
  readonly url: string
  /** Where /metrics is served, if configured. */
  readonly metricsUrl: string | undefined
  readonly log: Logger
  close(): Promise<void>
}

/** Unique across processes and restarts, and short. */
function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** How long a request may take to arrive and to read data; a write has its own deadline in addition. */
const patienceMs = 30_000

function listenOptions({ config, log, watch }: Ground): ListenOptions {
  return {
    host: config.host,
    port: config.port,
    isProxy: makeIsProxy(config.trustedProxies),
    bounds: { connections: config.maxConnections, connectionsPerAddress: config.maxConnectionsPerAddress },
    onRefused: (count) => {
      watch.metrics.connectionsRefused.inc(count)
      log.warn({ count }, 'connections were rejected: too many in total, or from one address')
    },
  }
}

/** Monitoring needs few connections. */
const watchers = 64

/** A separate port, so that clients of the API can't read metrics. */
async function openMetrics({ config, log, watch }: Ground): Promise<Listening | undefined> {
  if (!config.metrics) return undefined
  const listener = createMetricsListener({
    text: () => watch.text(),
    contentType: watch.metrics.registry.contentType,
    makeRequestId: requestIds(),
    log,
  })
  return listen(listener, { ...config.metrics, bounds: { connections: watchers } })
}

function lookAround({ db, directory, watch }: Ground, nouns: Nouns, listening: Listening): void {
  watch.metrics.inCell(directory.cell)
  watch.lookAt({
    ledger: () => nouns.ledger.depths(),
    pool: () => db.pool(),
    due: () => nouns.standings.due(),
    connections: () => listening.connections(),
    streams: () => nouns.streams.size,
  })
}

const openAuthentication = ({ directory, config, watch }: Ground) =>
  openChecks(directory, config.keySecrets, watch.tasks.add('key uses', storeUseEverySeconds))

/** What deletes old rows. */
function openRetention({ db, config, log, watch }: Ground): { close(): Promise<unknown> } {
  const audit = new AuditRetention({
    db,
    keepDays: config.auditDays,
    onDone: config.auditDays === 0 ? undefined : watch.tasks.add('audit', auditEverySeconds),
    onTrimmed: (count) => log.info({ count, days: config.auditDays }, 'old audit rows were deleted'),
    onFault: (error) => log.warn({ err: error }, 'old audit rows could not be deleted'),
  })
  const feed = new FeedRetention({
    db,
    isOn: config.operatorFeed,
    keepHours: config.operatorFeedHours,
    onDone: watch.tasks.add('feed', feedEverySeconds(config.operatorFeed)),
    onFault: (error) => log.warn({ err: error }, 'old rows of the operator feed could not be deleted'),
  })
  return { close: () => Promise.all([audit.close(), feed.close()]) }
}

const stopping: Readiness = { ready: false, why: 'This process is stopping.' }

export type AppOptions = Pick<Ground, 'hasOtherCells'>

/** Wires everything together. */
export async function startApp(config: Config, options: AppOptions = {}): Promise<App> {
  const log = makeLog(config.logLevel)
  const { poolSize, durability } = config
  const db = openDatabase(config.databaseUrl, { poolSize, strict: durability === 'strict' })
  const cell = await openCell(db, config, log)
  const watch = new Watch({ db, audit: new Audit(db), log, durability: config.durability })
  const ground: Ground = { config, db, directory: cell.directory, log, watch, ...options }
  const probe = new Probe(db, config.durability)
  const limits = new Limits({ db, realm: config.realmRate, key: config.keyRate })
  let draining = false
  const nouns = openNouns(ground)
  const services: Services = {
    ...nouns,
    health: () => watch.health(),
    ready: async () => (draining ? stopping : (cell.notReady() ?? probe.check())),
  }
  const checks = openAuthentication(ground)
  const listener = createHandler({
    routes: config.console.isOn ? routesAt(config.basePath) : withoutConsole(routesAt(config.basePath)),
    services,
    keyCheck: checks.keys,
    operators: { token: config.operatorToken, check: checks.operators },
    limits,
    addressOf: makeAddressOf(config.trustedProxies),
    makeRequestId: requestIds(),
    basePath: config.basePath,
    draining: () => draining,
    cors: new Cors(config.corsOrigins, config.basePath),
    answerWithinMs: patienceMs + config.writeDeadlineMs,
    log,
    watch: watch.requests,
  })
  await checkAtStart(db, config, log)
  const retention = openRetention(ground)
  const release = async () => {
    await retention.close()
    await nouns.ledger.close()
    await nouns.webhooks.close()
    await nouns.holdings.close()
    await nouns.standings.close()
    await checks.close()
    await limits.close()
    await watch.close()
    await cell.close()
  }
  const { listening, metrics } = await openPorts(ground, listener).catch(async (error: unknown) => {
    // If a port is not available, the process ends at once.
    await release()
    throw error
  })
  lookAround(ground, nouns, listening)
  log.info({ url: listening.url, metrics: metrics?.url }, 'listening')
  return {
    url: listening.url,
    metricsUrl: metrics?.url,
    log,
    async close() {
      draining = true
      nouns.streams.close()
      await listening.close()
      // Metrics stay available until the API has stopped.
      await metrics?.close()
      await release()
      log.info({}, 'stopped')
    },
  }
}

type Ports = { readonly listening: Listening; readonly metrics: Listening | undefined }

async function openPorts(ground: Ground, listener: RequestListener): Promise<Ports> {
  const metrics = await openMetrics(ground)
  try {
    return { listening: await listen(listener, listenOptions(ground)), metrics }
  } catch (error) {
    await metrics?.close()
    throw error
  }
}
