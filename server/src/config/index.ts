import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { usualPoolSize } from '../db/database.ts'
import { type Durability, durabilities } from '../db/durability.ts'
import type { CheckpointKeys } from '../events/checkpoints/index.ts'
import type { KeySecret } from '../keys/index.ts'
import { type Limit, limitCap, limitIn } from '../limits/index.ts'
import type { ProviderSettings, SessionTimes } from '../people/index.ts'
import { type ChainConfig, chainsIn } from '../web3/chains/index.ts'
import { readProxies, readWebhookAllow } from './addresses.ts'
import { readCellUrls } from './cellUrls.ts'
import { ConfigError, type Environment, withFiles } from './secretFiles.ts'
import { need, readCheckpointKeys, readSecrets, readToken } from './secrets.ts'

/** The server's configuration, read once from the environment. */
export type Config = {
  readonly databaseUrl: string
  /** The role that owns the schema, if it is not the one the server runs as. */
  readonly ownerUrl: string
  /** The database that knows which cell a realm is in; the same as `databaseUrl` in cell 0. */
  readonly directoryUrl: string
  /** The databases of all cells, with the roles that own their schemas: only for commands. */
  readonly cellUrls: ReadonlyMap<number, string>
  readonly host: string
  readonly port: number
  /** The path under which a proxy serves the server: empty, or a path such as /points. */
  readonly basePath: string
  /** Where metrics are served; undefined for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly operatorToken: string | undefined
  readonly keySecrets: readonly KeySecret[]
  /** Undefined where no checkpoints are signed. */
  readonly checkpointKeys: CheckpointKeys | undefined
  /** Database sessions for everything but writes. */
  readonly poolSize: number
  readonly laneCount: number
  readonly writeDeadlineMs: number
  /** The minimum delay between a write and leaderboards; 0 updates them only on request. */
  readonly standingsEveryMs: number
  readonly durability: Durability
  /** Defaults for realms and keys without a rate limit of their own. */
  readonly realmRate: Limit | undefined
  readonly keyRate: Limit | undefined
  /** IPs and CIDRs of proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[]
  readonly maxConnections: number
  readonly maxConnectionsPerAddress: number
  /** Streams of events that one key may have open at once. */
  readonly streamsPerKey: number
  readonly corsOrigins: readonly string[]
  readonly console: ConsoleConfig
  /** The server's public URL, without a trailing slash. Wallets sign its name. */
  readonly publicUrl: string
  /** The configured chains and their endpoints. */
  readonly chains: readonly ChainConfig[]
  readonly chainTimeoutMs: number
  /** How often wallets' holdings are read. */
  readonly holdingsEverySeconds: number
  /** The minimum time between the start of a read and the next one that a new wallet triggers. */
  readonly holdingsSpacingSeconds: number
  /** How long audit rows are kept; 0 means forever. */
  readonly auditDays: number
  /** Whether changes of all realms are recorded for operators. */
  readonly operatorFeed: boolean
  readonly operatorFeedHours: number
  /** Which keys may change points through the MCP route. */
  readonly mcpWrites: McpWrites
  /** Hosts, addresses and CIDRs of webhook receivers that are not on the public internet. */
  readonly webhookAllow: readonly string[]
  readonly logLevel: string
}

const mcpWrites = ['off', 'limited', 'on'] as const
/** `limited`: keys with a limit of points per day; `on`: every key with the scopes. */
export type McpWrites = (typeof mcpWrites)[number]

/** Settings of the console and of sign-in. */
export type ConsoleConfig = {
  readonly isOn: boolean
  /** The folder of its files; undefined when they are not built. */
  readonly folder: string | undefined
  /** The origin under which browsers reach the server, if known: scheme, host and port. */
  readonly publicOrigin: string | undefined
  readonly basePath: string
  readonly provider: Omit<ProviderSettings, 'onFault'> | undefined
  readonly sessions: SessionTimes
}

export { ConfigError, secretNames } from './secretFiles.ts'
export { readDirectoryUrl } from './secrets.ts'

function wholeNumber(
  env: Environment,
  name: string,
  range: { or: number; from: number; to: number },
): number {
  const value = Number(env[name] || range.or)
  if (Number.isInteger(value) && value >= range.from && value <= range.to) return value
  throw new ConfigError(
    `${name} is ${env[name]}; it must be a whole number from ${range.from} to ${range.to}.`,
  )
}

function readDurability(env: Environment): Durability {
  const given = env['DURABILITY'] || 'database'
  const found = durabilities.find((one) => one === given)
  if (found) return found
  throw new ConfigError(`DURABILITY is ${given}; it must be one of ${durabilities.join(', ')}.`)
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

function readLogLevel(env: Environment): string {
  const given = env['LOG_LEVEL'] || 'info'
  if (logLevels.includes(given)) return given
  throw new ConfigError(`LOG_LEVEL is ${given}; it must be one of ${logLevels.join(', ')}.`)
}

function readMcpWrites(env: Environment): McpWrites {
  const given = env['MCP_WRITES'] || 'off'
  const found = mcpWrites.find((one) => one === given)
  if (found) return found
  throw new ConfigError(`MCP_WRITES is ${given}; it must be one of ${mcpWrites.join(', ')}.`)
}

function readRate(env: Environment, name: string, byDefault: Limit): Limit | undefined {
  const given = env[name] || 'default'
  const limit = limitIn(given)
  if (limit === 'default') return byDefault
  if (limit === 'off') return undefined
  if (limit) return limit
  throw new ConfigError(
    `${name} is ${given}; it must be rate:burst, as in 100:500, each from 1 to ${limitCap}, or off.`,
  )
}

/** Exact origins, as a browser sends them: scheme, host and port, nothing else. */
function readOrigins(env: Environment): string[] {
  const given = (env['CORS_ORIGINS'] ?? '').split(',').map((one) => one.trim())
  const origins = given.filter(Boolean)
  const wrong = origins.find((one) => !/^https?:/.test(one) || URL.parse(one)?.origin !== one)
  if (wrong === undefined) return origins
  throw new ConfigError(`CORS_ORIGINS has ${wrong}; each must be an origin such as https://shop.example.com`)
}

function readBasePath(env: Environment): string {
  const path = env['BASE_PATH'] ?? ''
  if (path === '' || /^(\/[A-Za-z0-9._~-]+)+$/.test(path)) return path
  throw new ConfigError(`BASE_PATH is ${path}; it must be a path such as /points, without a trailing slash.`)
}

function readMetrics(env: Environment): Config['metrics'] {
  if (!env['METRICS_PORT']) return undefined
  const port = wholeNumber(env, 'METRICS_PORT', { or: 0, from: 0, to: 65_535 })
  return { host: env['METRICS_HOST'] || '127.0.0.1', port }
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** https, except for localhost: these URLs carry sign-in credentials. */
function readUrl(env: Environment, name: string): URL | undefined {
  const given = env[name] || undefined
  if (given === undefined) return undefined
  const url = URL.parse(given)
  const plain = url && url.search === '' && url.hash === '' && url.username === ''
  if (plain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))) return url
  throw new ConfigError(`${name} is ${given}; it must be like https://points.example.com`)
}

/** Its path, if any, must equal BASE_PATH. */
function readPublicOrigin(env: Environment): string | undefined {
  const url = readUrl(env, 'PUBLIC_URL')
  const path = url?.pathname.replace(/\/$/, '') ?? ''
  if (path === '' || path === readBasePath(env)) return url?.origin
  throw new ConfigError(`PUBLIC_URL has the path ${path}, but BASE_PATH differs. Set it to the same.`)
}

/** Any OpenID provider; without one, people sign in only with one-time links. */
function readProvider(env: Environment, publicOrigin: string | undefined): ConsoleConfig['provider'] {
  if (!readUrl(env, 'OIDC_ISSUER')) return undefined
  if (publicOrigin === undefined)
    throw new ConfigError('OIDC_ISSUER requires PUBLIC_URL: the provider redirects people back to it.')
  return {
    // Unchanged: it must equal the provider's issuer exactly.
    issuer: env['OIDC_ISSUER'] ?? '',
    clientId: need(env, 'OIDC_CLIENT_ID', 'The provider shows it when you register this server there.'),
    clientSecret: env['OIDC_CLIENT_SECRET'] || undefined,
    redirectUri: `${publicOrigin}${readBasePath(env)}/console/sign-in/callback`,
  }
}

/** Where the console is built: next to the server in a clone, or inside its package. */
const consoleFolders = ['../../../console/dist', '../../console']

function readSwitch(given: string, name: string): boolean {
  if (given === 'on' || given === 'off') return given === 'on'
  throw new ConfigError(`${name} is ${given}; it must be on or off.`)
}

function readConsole(env: Environment): ConsoleConfig {
  const isOn = readSwitch(env['CONSOLE'] || 'on', 'CONSOLE')
  const folders = env['CONSOLE_FOLDER']
    ? [env['CONSOLE_FOLDER']]
    : consoleFolders.map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
  const publicOrigin = readPublicOrigin(env)
  const minutes = wholeNumber(env, 'SESSION_IDLE_MINUTES', { or: 12 * 60, from: 1, to: 30 * 24 * 60 })
  const hours = wholeNumber(env, 'SESSION_HOURS', { or: 7 * 24, from: 1, to: 90 * 24 })
  return {
    isOn,
    folder: folders.find((folder) => existsSync(`${folder}/index.html`)),
    publicOrigin,
    basePath: readBasePath(env),
    provider: readProvider(env, publicOrigin),
    sessions: { idleSeconds: minutes * 60, longestSeconds: hours * 3600 },
  }
}

/** The database deletes nothing younger than 90 days (trim_audit), so a typo removes no recent rows. */
function readAuditDays(env: Environment): number {
  const days = wholeNumber(env, 'AUDIT_DAYS', { or: 400, from: 0, to: 36_500 })
  if (days === 0 || days >= 90) return days
  throw new ConfigError(`AUDIT_DAYS is ${days}; it must be 90 or more, or 0 to keep the audit log forever.`)
}

/** The server's public URL, for messages that wallets sign. */
function readPublicUrl(env: Environment): string {
  const origin = readPublicOrigin(env) ?? `http://localhost:${env['PORT'] || 8080}`
  return origin + readBasePath(env)
}

function readChains(env: Environment): ChainConfig[] {
  const { chains, wrong } = chainsIn(env['CHAINS'] ?? '')
  if (wrong === undefined) return chains
  if (wrong.named)
    throw new ConfigError(
      `CHAINS has ${wrong.id} with a user name or password in an endpoint’s URL. ` +
        'They are not sent: use an endpoint with its key in the path or the query.',
    )
  throw new ConfigError(
    `CHAINS has ${wrong.id}; it must list each chain once with its endpoints, separated by spaces, as in ` +
      'eip155:1=https://rpc.example.com,https://other.example',
  )
}

export function readConfig(given: Environment): Config {
  const env = withFiles(given)
  const databaseUrl = need(
    env,
    'DATABASE_URL',
    'For example postgres://exchequer:password@localhost:5432/exchequer',
  )
  return {
    databaseUrl,
    ownerUrl: env['DATABASE_OWNER_URL'] || databaseUrl,
    directoryUrl: env['DIRECTORY_URL'] || databaseUrl,
    cellUrls: readCellUrls(env['CELL_URLS']),
    host: env['HOST'] || '127.0.0.1',
    port: wholeNumber(env, 'PORT', { or: 8080, from: 0, to: 65_535 }),
    basePath: readBasePath(env),
    metrics: readMetrics(env),
    operatorToken: readToken(env),
    keySecrets: readSecrets(env),
    checkpointKeys: readCheckpointKeys(env),
    poolSize: wholeNumber(env, 'POOL_SIZE', { or: usualPoolSize, from: 2, to: 100 }),
    laneCount: wholeNumber(env, 'LANES', { or: 1, from: 1, to: 16 }),
    writeDeadlineMs: wholeNumber(env, 'WRITE_DEADLINE_MS', { or: 5_000, from: 100, to: 60_000 }),
    standingsEveryMs: wholeNumber(env, 'STANDINGS_EVERY_MS', { or: 250, from: 0, to: 60_000 }),
    durability: readDurability(env),
    realmRate: readRate(env, 'REALM_RATE', { rate: 2_000, burst: 20_000 }),
    keyRate: readRate(env, 'KEY_RATE', { rate: 1_000, burst: 10_000 }),
    trustedProxies: readProxies(env['TRUSTED_PROXIES']),
    maxConnections: wholeNumber(env, 'MAX_CONNECTIONS', { or: 10_000, from: 1, to: 1_000_000 }),
    maxConnectionsPerAddress: wholeNumber(env, 'MAX_CONNECTIONS_PER_ADDRESS', {
      or: 1_000,
      from: 1,
      to: 1_000_000,
    }),
    streamsPerKey: wholeNumber(env, 'STREAMS_PER_KEY', { or: 20, from: 0, to: 2_000 }),
    corsOrigins: readOrigins(env),
    console: readConsole(env),
    publicUrl: readPublicUrl(env),
    chains: readChains(env),
    chainTimeoutMs: wholeNumber(env, 'CHAIN_TIMEOUT_MS', { or: 5_000, from: 100, to: 60_000 }),
    holdingsSpacingSeconds: wholeNumber(env, 'HOLDINGS_SPACING_SECONDS', { or: 30, from: 0, to: 86_400 }),
    holdingsEverySeconds: wholeNumber(env, 'HOLDINGS_EVERY_SECONDS', { or: 300, from: 1, to: 86_400 }),
    auditDays: readAuditDays(env),
    operatorFeed: readSwitch(env['OPERATOR_FEED'] || 'off', 'OPERATOR_FEED'),
    operatorFeedHours: wholeNumber(env, 'OPERATOR_FEED_HOURS', { or: 168, from: 1, to: 8_760 }),
    mcpWrites: readMcpWrites(env),
    webhookAllow: readWebhookAllow(env['WEBHOOK_ALLOW']),
    logLevel: readLogLevel(env),
  }
}
