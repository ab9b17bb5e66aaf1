import { openDirectory } from '../app/directory.ts'
import type { Actor } from '../audit/index.ts'
import type { Directory } from '../cells/index.ts'
import { type Config, ConfigError, readConfig } from '../config/index.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { commandConnectMs } from '../db/session.ts'
import { findSecretMismatch } from '../keys/index.ts'
import { Standings } from '../leaderboards/index.ts'
import { Invitations, Operators } from '../people/index.ts'
import { Configs, type Realm, Realms } from '../realms/index.ts'

export type Values = Readonly<Record<string, string | undefined>>

export type Command = {
  readonly usage: string
  readonly what: string
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
  run(positionals: readonly string[], values: Values): Promise<number>
}

export function command(
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

export const print = (value: unknown): void =>
  console.log(JSON.stringify(value, (_key, field) => (typeof field === 'bigint' ? String(field) : field), 2))

/** Opens the services for one command and closes them after it. */
export async function withNouns<T>(work: (nouns: Nouns) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const db = openDatabase(config.databaseUrl, {
    strict: config.durability === 'strict',
    connectWithinMs: commandConnectMs,
  })
  try {
    const directory = await openDirectory(db, config, { warn: (_fields, line) => console.error(line) })
    try {
      return await work(nounsOf(directory, config))
    } finally {
      directory.close()
      if (!directory.isOwn) await directory.db.close()
    }
  } finally {
    await db.close()
  }
}

export type Nouns = ReturnType<typeof nounsOf>

function nounsOf(directory: Directory, config: Config) {
  const db: Database = directory.own
  const configs = new Configs()
  const operators = new Operators(directory.db, config.keySecrets)
  const realms = new Realms(db, { directory })
  const standings = new Standings({ db, configs, everyMs: 0, onFault: console.error })
  const nouns = { realms, operators, standings }
  return {
    db,
    directory,
    config,
    configs,
    ...nouns,
    invitations: new Invitations(directory.db, config.keySecrets),
  }
}

/** The actor of commands, for the audit log. */
export const commandLine: Actor = { name: 'command line', address: null, requestId: null }

/** A command that prints a token or a link; with a wrong secret no server would accept it, so it fails. */
export function issuing(
  usage: string,
  what: string,
  work: (nouns: Nouns, positionals: readonly string[], values: Values) => Promise<unknown>,
): Command {
  return command(usage, what, (positionals, values) =>
    withNouns(async (nouns) => {
      const mismatch = await findSecretMismatch(nouns.db, nouns.config.keySecrets)
      if (mismatch !== undefined) throw new ConfigError(mismatch)
      print(await work(nouns, positionals, values))
      return undefined
    }),
  )
}

/** In order of creation. */
export async function* everyRealm(realms: Realms): AsyncGenerator<Realm> {
  for (let after: number | undefined = 0; ; ) {
    const page: Realm[] = await realms.page({ after, limit: 100 })
    yield* page
    after = page.at(-1)?.number
    if (after === undefined) return
  }
}
