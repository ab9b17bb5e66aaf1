import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Operator, Realm } from '@exchequer/sdk'
import { Stop, wrongUsage } from './exits.ts'
import type { Common } from './parse.ts'

/** A stored login. */
export type Login = {
  readonly url: string
  readonly realm?: string
  readonly key?: string
  readonly token?: string
}
type Logins = Readonly<Record<string, Login>>

/** Server and credentials: from options, the environment and the login, in this order. */
export type Access = Partial<Login> & { readonly profile: string; readonly file: string }

export function loginFile(env: NodeJS.ProcessEnv): string {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return join(folder, 'exchequer', 'logins.json')
}

export function readLogins(file: string): Logins {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    return JSON.parse(text) as Logins
  } catch {
    throw new Stop('usage', `${file} is not valid JSON. Delete it and log in again: exchequer login`)
  }
}

/** Readable only by its owner: it contains keys. */
export function writeLogins(file: string, logins: Logins): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(logins, undefined, 2)}\n`, { mode: 0o600 })
  chmodSync(beside, 0o600)
  renameSync(beside, file)
}

type Given<T> = { [Name in keyof T]?: NonNullable<T[Name]> }
const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Given<T>

export function findAccess(common: Common, env: NodeJS.ProcessEnv): Access {
  const file = loginFile(env)
  const profile = common.profile ?? env['EXCHEQUER_PROFILE'] ?? 'default'
  const logins = readLogins(file)
  const login: Partial<Login> = Object.hasOwn(logins, profile) ? (logins[profile] ?? {}) : {}
  const named = given({
    url: common.url ?? env['EXCHEQUER_URL'],
    realm: common.realm ?? env['EXCHEQUER_REALM'],
  })
  const secrets = given({ key: secretIn(env, 'EXCHEQUER_KEY'), token: secretIn(env, 'EXCHEQUER_TOKEN') })
  // A login's secrets are sent only to its own server.
  const elsewhere = named.url !== undefined && plainUrl(named.url) !== plainUrl(login.url ?? '')
  const kept: Partial<Login> = elsewhere ? given({ realm: login.realm }) : login
  return { ...kept, ...named, ...secrets, profile, file }
}

/** The variable itself, or the file that `…_FILE` names, as containers receive secrets. */
export function secretIn(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`]
  if (env[name] || !file) return env[name]
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw wrongUsage(`${name}_FILE can’t be read: ${(error as Error).message}`)
  }
}

const plainUrl = (url: string): string => url.replace(/\/+$/, '')

/** The normalized URL; throws when it is invalid. */
export function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.search)
    return plainUrl(url.href)
  throw wrongUsage(`"${text}" is not the URL of a server. Use one such as https://points.example.com.`)
}

const howToLogIn =
  'Log in with: exchequer login\nOr set EXCHEQUER_URL, EXCHEQUER_REALM and EXCHEQUER_KEY in the environment.'

function notLoggedIn(profile: string): Stop {
  const named = profile === 'default' ? '' : ` There is no login named ${profile}.`
  return new Stop('notAllowed', `You are not logged in.${named} ${howToLogIn}`)
}

export function realmOf({ profile, url, realm, key, token }: Access): Realm {
  if (!url) throw notLoggedIn(profile)
  if (!realm) throw wrongUsage('Which realm? Give --realm ID, or log in to one: exchequer login --realm ID')
  if (!key) {
    const why = token ? 'This needs a key of the realm, not an operator token.' : 'There is no key.'
    const how = token
      ? `Create one: exchequer keys create --realm ${realm}\nThen log in with it: exchequer login`
      : howToLogIn
    throw new Stop('notAllowed', `${why} ${how}`)
  }
  return new Realm({ url: checkedUrl(url), realm, key })
}

export function operatorOf({ profile, url, token }: Access): Operator {
  if (!url) throw notLoggedIn(profile)
  if (!token)
    throw new Stop(
      'notAllowed',
      'This needs an operator token. Log in with one: exchequer login --operator\nOr set EXCHEQUER_TOKEN.',
    )
  return new Operator({ url: checkedUrl(url), token })
}
