import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { Audit, AuditRetention } from './audit/index.ts'
import type { Config } from './config/index.ts'
import { release } from './config/release.ts'
import { type Database, openDatabase } from './db/database.ts'
import { Webhooks } from './events/webhooks/index.ts'
import { Exports } from './files/exports/index.ts'
import { Imports } from './files/imports/index.ts'
import { createHandler } from './http/handler.ts'
import { problem } from './http/problem.ts'
import { createMetricsListener } from './http/public/metrics.ts'
import type { Services } from './http/route/route.ts'
import { routesAt, withoutConsole } from './http/routes.ts'
import { makeAddressOf, makeIsProxy } from './http/wire/address.ts'
import { Cors } from './http/wire/cors.ts'
import { ExportSlots } from './http/wire/exportSlots.ts'
import { type Listening, type ListenOptions, listen } from './http/wire/server.ts'
import { Site } from './http/wire/site.ts'
import { Pages } from './http/wire/staticFiles.ts'
import { Keys } from './keys/index.ts'
import { PublicBoards, Standings } from './leaderboards/index.ts'
import { History, Holds, Ledger, Undoing } from './ledger/index.ts'
import { Limits } from './limits/index.ts'
import { Members } from './members/index.ts'
import { Watch } from './observability/index.ts'
import { makeLog } from './observability/log.ts'
import { Probe } from './observability/probe.ts'
import { checkAtStart } from './observability/startChecks.ts'
import {
  Invitations,
  Operators,
  openChecks,
  People,
  Provider,
  ReceivedInvitations,
  Seal,
  Sessions,
  SignIn,
} from './people/index.ts'
import { Configs, Points, Realms } from './realms/index.ts'
import { MemberRemoval } from './removal/index.ts'
import { Requests } from './requests/index.ts'
import { Wallets } from './wallets/index.ts'
import { Chains } from './web3/chains/index.ts'
import { Holdings } from './web3/holdings/index.ts'
import { PageLinks, Proofs } from './web3/proofs/index.ts'
import { Snapshots } from './web3/snapshots/index.ts'

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

/** The services of handlers, except for health. */
type Nouns = Omit<Services, 'ready' | 'health'>

/** What every service is opened with. */
type Ground = { readonly config: Config; readonly db: Database; readonly log: Logger; readonly watch: Watch }

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

/** People, and the services for sign-in. */
function openPeople(db: Database, config: Config, log: Logger) {
  const { keySecrets: secrets, console: settings } = config
  const site = new Site(settings)
  const sessions = new Sessions({ db, secrets, realms: new Realms(db), times: settings.sessions })
  const onFault = (error: unknown) => log.warn({ err: error }, 'a sign-in at the provider failed')
  return {
    people: new People(db),
    invitations: new Invitations(db, secrets),
    received: new ReceivedInvitations(db),
    sessions,
    signIn: new SignIn({ db, secrets, sessions }),
    provider: settings.provider && new Provider({ ...settings.provider, onFault }),
    seal: new Seal(secrets, 'sign-in'),
    site,
    pages: new Pages(settings.isOn ? settings.folder : undefined, site.basePath),
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

function lookAround({ db, watch }: Ground, nouns: Nouns, listening: Listening): void {
  watch.lookAt({
    ledger: () => nouns.ledger.depths(),
    pool: () => db.pool(),
    due: () => nouns.standings.due(),
    connections: () => listening.connections(),
  })
}

/** The services of handlers, all on the same database. */
function openNouns({ db, config, log, watch }: Ground): Nouns {
  const configs = new Configs()
  db.onFailover(() => configs.clear())
  const standings = new Standings({
    db,
    configs,
    everyMs: config.standingsEveryMs,
    onFault: (error) => log.warn({ err: error }, 'leaderboards could not be updated'),
  })
  const members = new Members(db, configs)
  const history = new History(db, members)
  const webhooks = openWebhooks({ db, config, log, watch }, history)
  const ledger = new Ledger({
    db,
    configs,
    render: problem,
    laneCount: config.laneCount,
    deadlineMs: config.writeDeadlineMs,
    onFault: (error, requestIds) => log.error({ err: error, requestIds }, 'a batch failed'),
    watch: watch.batches,
    onWritten: (realm) => {
      standings.written(realm)
      webhooks.written(realm)
    },
  })
  const realms = new Realms(db)
  const wallets = new Wallets({ db, configs, members })
  const chains = new Chains(config.chains, config.chainTimeoutMs)
  const { publicUrl } = config
  const proofs = new Proofs({ db, configs, members, chains, publicUrl })
  return {
    ledger,
    history,
    webhooks,
    holds: new Holds(db),
    undoing: new Undoing(db, ledger),
    members,
    wallets,
    proofs,
    holdings: new Holdings({
      db,
      chains,
      everySeconds: config.holdingsEverySeconds,
      spacingSeconds: config.holdingsSpacingSeconds,
      onFault: (error, due) => log.warn({ err: error, ...due }, 'holdings could not be read'),
    }),
    pageLinks: new PageLinks({ db, configs, realms, members, proofs, publicUrl }),
    removal: new MemberRemoval(db),
    imports: new Imports({ db, configs, ledger }),
    exports: new Exports(db),
    exportSlots: new ExportSlots(),
    snapshots: new Snapshots(db, configs),
    realms,
    points: new Points(db),
    keys: new Keys(db, config.keySecrets),
    operators: new Operators(db, config.keySecrets),
    audit: new Audit(db),
    requests: new Requests(db, (error) =>
      log.error({ err: error }, 'the response to a request with an Idempotency-Key could not be stored'),
    ),
    standings,
    publicBoards: new PublicBoards({ realms, standings }),
    ...openPeople(db, config, log),
  }
}

function openWebhooks({ db, config, log }: Ground, history: History): Webhooks {
  return new Webhooks({
    db,
    history,
    secrets: config.keySecrets,
    allow: config.webhookAllow,
    agentName: `Exchequer/${release}`,
    onFault: (error, at) => log.warn({ err: error, ...at }, 'webhooks could not be delivered'),
  })
}

function openRetention({ db, config, log }: Ground): AuditRetention {
  return new AuditRetention({
    db,
    keepDays: config.auditDays,
    onTrimmed: (count) => log.info({ count, days: config.auditDays }, 'old audit rows were deleted'),
    onFault: (error) => log.warn({ err: error }, 'old audit rows could not be deleted'),
  })
}

/** Wires everything together. */
export async function startApp(config: Config): Promise<App> {
  const log = makeLog(config.logLevel)
  const db = openDatabase(config.databaseUrl, { strict: config.durability === 'strict' })
  const watch = new Watch({ db, audit: new Audit(db), log, durability: config.durability })
  const ground: Ground = { config, db, log, watch }
  const probe = new Probe(db, config.durability)
  const limits = new Limits({ db, realm: config.realmRate, key: config.keyRate })
  let draining = false
  const nouns = openNouns(ground)
  const services: Services = {
    ...nouns,
    health: () => watch.health(),
    ready: async () => (draining ? { ready: false, why: 'This process is stopping.' } : probe.check()),
  }
  const checks = openChecks(db, config.keySecrets)
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
    watch.close()
    await db.close()
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
