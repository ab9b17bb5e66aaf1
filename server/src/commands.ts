import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { lackOfDurability } from './db/durability.ts'
import { sqlState } from './db/failures.ts'
import { migrate, missingMigrations, readMigrations } from './db/migrate.ts'
import { Keys } from './keys/keys.ts'
import { gently } from './ledger/gently.ts'
import { type Checkpoint, verify } from './ledger/verify.ts'
import { type LimitSetting, limitIn } from './limits/limits.ts'
import { isMemberId, Members } from './members/members.ts'
import { Progress } from './progress.ts'
import { Configs, type Realm, Realms } from './realms/realms.ts'
import { release } from './release.ts'
import { Wallets } from './wallets/wallets.ts'

type Values = Readonly<Record<string, string | undefined>>

type Command = {
  readonly usage: string
  readonly what: string
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
  run(positionals: readonly string[], values: Values): Promise<number>
}

function command(
  usage: string,
  what: string,
  run: (positionals: readonly string[], values: Values) => Promise<number | undefined>,
): Command {
  const positionals = usage.match(/(?<= )<[^>]+>(?! *\])/g) ?? []
  const named = [...usage.matchAll(/\[--([a-z-]+)( [^\]]+)?\]/g)]
  const options = Object.fromEntries(
    named.map(([, name = '', value]) => [name, { type: value ? ('string' as const) : ('boolean' as const) }]),
  )
  return { usage, what, positionals, options, run: async (given, values) => (await run(given, values)) ?? 0 }
}

const print = (value: unknown): void =>
  console.log(JSON.stringify(value, (_key, field) => (typeof field === 'bigint' ? String(field) : field), 2))

/** Opens the nouns for one command and closes them behind it. */
async function withNouns<T>(work: (nouns: ReturnType<typeof nounsOf>) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const db = openDatabase(config.databaseUrl)
  try {
    return await work(nounsOf(db, config))
  } finally {
    await db.close()
  }
}

function nounsOf(db: Database, config: Config) {
  const configs = new Configs()
  const members = new Members(db, configs)
  const wallets = new Wallets({ db, configs, members })
  return { db, realms: new Realms(db), members, wallets, keys: new Keys(db, config.keySecrets) }
}

function shown({ id, config, rateLimit }: Realm) {
  const points = [...config.points.values()].map((point) => ({ id: point.id, name: point.name }))
  const { name, unknownMembers: unknown, defaultPoint } = config
  return { id, name, unknownMembers: unknown, defaultPointId: defaultPoint.id, points, rateLimit }
}

function unknownMembers(value: string | undefined): 'refuse' | 'create' | undefined {
  if (value === undefined || value === 'refuse' || value === 'create') return value
  throw new ConfigError('--unknown-members is refuse or create.')
}

function rateLimitOf(text: string | undefined): LimitSetting | undefined {
  const limit = text === undefined ? undefined : limitIn(text)
  if (text === undefined || limit) return limit
  throw new ConfigError('--rate-limit is rate:burst, as in 100:500, or off, or default.')
}

async function serve(): Promise<undefined> {
  const config = readConfig(process.env)
  await upToDate(config)
  const app = await startApp(config)
  await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  await app.close()
}

/** A database that could lose what was acknowledged is not served on. */
async function durable(db: Database, { durability }: Config): Promise<void> {
  const lack = await lackOfDurability(db, durability)
  if (lack !== undefined) throw new ConfigError(lack)
}

/** Whoever may change the schema brings it up to date; the server's own role can only say what is missing. */
async function upToDate(config: Config): Promise<void> {
  const db = openDatabase(config.databaseUrl)
  try {
    await durable(db, config)
    const missing = await missingMigrations(db, readMigrations(), release)
    if (missing === 0) return
  } finally {
    await db.close()
  }
  try {
    await runMigrations(config)
  } catch (error) {
    const insufficientPrivilege = '42501'
    if (sqlState(error) !== insufficientPrivilege) throw error
    throw new ConfigError(
      'The schema is behind, and the role that was given may not change it. ' +
        'Set DATABASE_OWNER_URL to the role that owns the schema, here or for the migrate command.',
    )
  }
}

async function runMigrations({ ownerUrl, databaseUrl: serverUrl }: Config): Promise<void> {
  const onStep = ({ number, name }: { number: number; name: string }) =>
    console.error(`migrated: ${number} ${name}`)
  await migrate({ ownerUrl, serverUrl, release, onStep })
}

function checkpoint(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined
  const [, seq, hash] = /^([0-9]+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new ConfigError('--against is SEQ:HASH, as verify prints it.')
  return { seq: BigInt(seq), hash }
}

const clock = { nowMs: () => performance.now(), sleep: (ms: number) => sleep(ms) }

type Verifying = {
  readonly id: string | undefined
  readonly against: Checkpoint | undefined
  readonly hurry: boolean
}

async function verifyRealms({ id, against, hurry }: Verifying): Promise<number> {
  if (against && id === undefined) throw new ConfigError('--against is of one realm: name it with --realm.')
  if (!hurry) setPriority(constants.priority.PRIORITY_LOW)
  return withNouns(async ({ db, realms }) => {
    const reader = hurry ? db : gently(db, clock)
    const progress = new Progress(console.error, clock.nowMs)
    let wrong = 0
    for await (const realm of id === undefined ? everyRealm(realms) : [await realms.get(id)]) {
      const verdict = await verify(reader, { realm: realm.number, against, onStep: progress.of(realm.id) })
      if (verdict.ok) console.log(`${realm.id}: ok ${verdict.seq}:${verdict.hash}`)
      else console.log(`${realm.id}: WRONG at ${verdict.where}: ${verdict.why}`)
      if (!verdict.ok) wrong += 1
    }
    console.error(progress.summary())
    return wrong === 0 ? 0 : 1
  })
}

async function* everyRealm(realms: Realms): AsyncGenerator<Realm> {
  for (let after: string | undefined; ; ) {
    const page = await realms.page(after, 100)
    yield* page
    after = page.at(-1)?.id
    if (after === undefined) return
  }
}

function memberId(text: string): string {
  if (isMemberId(text)) return text
  throw new ConfigError(`${text} is no member id: a whole number from 1 to 9223372036854775807.`)
}

const list: readonly Command[] = [
  command('serve', 'answer requests, until SIGTERM or Ctrl-C', serve),
  command('migrate', 'bring the schema up to date (DATABASE_OWNER_URL, or DATABASE_URL)', async () => {
    await runMigrations(readConfig(process.env))
    return undefined
  }),
  command(
    'verify [--realm <id>] [--against <seq:hash>] [--hurry]',
    'replay the journal of one realm or all; gently, as a server may be at work, unless in a hurry',
    (_none, values) =>
      verifyRealms({
        id: values['realm'],
        against: checkpoint(values['against']),
        hurry: values['hurry'] !== undefined,
      }),
  ),
  command(
    'realm create [--id <id>] [--name <name>] [--unknown-members <refuse|create>] [--point <id>]',
    'make a realm with its first kind of points',
    (_none, values) =>
      withNouns(async ({ realms }) => {
        const { id, name, point } = values
        const settings = { id, name, unknownMembers: unknownMembers(values['unknown-members']) }
        print(shown(await realms.create({ ...settings, point: { id: point } })))
        return undefined
      }),
  ),
  command('realm list', 'every realm', () =>
    withNouns(async ({ realms }) => {
      for await (const realm of everyRealm(realms)) print(shown(realm))
      return undefined
    }),
  ),
  command(
    'realm change <realm> [--name <name>] [--unknown-members <refuse|create>] [--default-point <id>] ' +
      '[--rate-limit <limit>]',
    'change settings; a limit is rate:burst, off or default',
    ([realm = ''], values) =>
      withNouns(async ({ realms }) => {
        const change = {
          name: values['name'],
          unknownMembers: unknownMembers(values['unknown-members']),
          defaultPoint: values['default-point'],
          rateLimit: rateLimitOf(values['rate-limit']),
        }
        print(shown(await realms.change(realm, change)))
        return undefined
      }),
  ),
  command(
    'point create <realm> [--id <id>] [--name <name>]',
    'add a kind of points',
    ([realm = ''], { id, name }) =>
      withNouns(async ({ realms }) => {
        print(shown(await realms.addPoint(realm, { id, name })))
        return undefined
      }),
  ),
  command(
    'member put <realm> <member> [--username <name>] [--display-name <name>]',
    'make or rename a member',
    ([realm = '', member = ''], values) =>
      withNouns(async ({ realms, members }) => {
        const { username } = values
        const number = await realms.number(realm)
        await members.put(number, [{ id: memberId(member), username, displayName: values['display-name'] }])
        print(await members.get(number, member))
        return undefined
      }),
  ),
  command(
    'wallet link <realm> <member> <address> [--chain <caip-2>]',
    'link a wallet without proof',
    ([realm = '', member = '', address = ''], { chain }) =>
      withNouns(async ({ realms, wallets }) => {
        const number = await realms.number(realm)
        await wallets.link({ realm: number, member: memberId(member), address, chain })
        print(await wallets.of(number, member))
        return undefined
      }),
  ),
  command(
    'wallet unlink <realm> <member> <address>',
    'unlink a wallet',
    ([realm = '', member = '', address = '']) =>
      withNouns(async ({ realms, wallets }) => {
        const number = await realms.number(realm)
        await wallets.unlink({ realm: number, member: memberId(member), address })
        print(await wallets.of(number, member))
        return undefined
      }),
  ),
  command(
    'key issue <realm> [--name <name>] [--rate-limit <limit>]',
    'issue a key; it is shown once',
    ([realm = ''], { name = 'key', 'rate-limit': limit }) =>
      withNouns(async ({ realms, keys }) => {
        print(await keys.issue(await realms.number(realm), { name, rateLimit: rateLimitOf(limit) }))
        return undefined
      }),
  ),
  command('key list <realm>', 'the keys of a realm', ([realm = '']) =>
    withNouns(async ({ realms, keys }) => {
      print(await keys.of(await realms.number(realm)))
      return undefined
    }),
  ),
  command('key revoke <realm> <key>', 'revoke a key by its id', ([realm = '', key = '']) =>
    withNouns(async ({ realms, keys }) => {
      print(await keys.revoke(await realms.number(realm), key))
      return undefined
    }),
  ),
]

/** By their words: `realm create`. */
export const commands: ReadonlyMap<string, Command> = new Map(
  list.map((one) => [one.usage.replace(/ [<[].*$/, ''), one]),
)

export function usage(): string {
  const lines = list.map((one) => `  ${one.usage}\n      ${one.what}`)
  return [
    `exchequer ${release}: for whoever holds the database`,
    lines.join('\n'),
    'Configured by the environment: DATABASE_URL, KEY_SECRETS and more; see docs/operate.md.',
  ].join('\n\n')
}
