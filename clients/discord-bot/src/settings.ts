import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { publicKeyOf } from './signature.ts'
import type { PointNames } from './text.ts'

export type Item = {
  readonly id: string
  readonly name: string
  readonly price: number
  readonly description?: string
}
/** A role, and the balance from which on a member has it. */
export type RoleAt = { readonly roleId: string; readonly tokens: number }

/** One Discord server, and its realm. */
export type Guild = {
  readonly id: string
  readonly url: string
  readonly realm: string
  readonly key: string
  /** Of the realm's webhook; needed for roles only. */
  readonly webhookSecret?: string
  readonly realmPointId?: string
  readonly pointNames: PointNames
  readonly shop: readonly Item[]
  /** How long an order waits for a manager. */
  readonly orderDays: number
  readonly roles: readonly RoleAt[]
}

export type BotSettings = {
  readonly applicationId: string
  readonly publicKey: KeyObject
  readonly token: string
  readonly discordUrl: string
  readonly host: string
  readonly port: number
  /** Where the ids of handled webhooks are stored; kept in memory only when missing. */
  readonly seenFile?: string
  readonly guilds: ReadonlyMap<string, Guild>
}

export type Env = Readonly<Record<string, string | undefined>>

/** The settings are not valid; `problems` lists all that is wrong. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

type Fields = Readonly<Record<string, unknown>>
type Problems = string[]

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isSnowflake = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9]{15,20}$/.test(value)
const isText = (value: unknown, most: number): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= most
const isWhole = (value: unknown, most: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most

/** A secret from a variable, or from the file that `NAME_FILE` names. */
function secretOf(env: Env, names: readonly string[], problems: Problems): string | undefined {
  for (const name of names) {
    const file = env[`${name}_FILE`]
    if (env[name]) return env[name]
    if (!file) continue
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text !== '') return text
      problems.push(`${name}_FILE: ${file} is empty.`)
    } catch (error) {
      problems.push(`${name}_FILE: ${file} can’t be read: ${(error as NodeJS.ErrnoException).code}.`)
    }
    return ''
  }
  return undefined
}

function configOf(file: string): Fields {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingsError([`${file} can’t be read: ${code}. BOT_CONFIG names the file of the settings.`])
  }
  try {
    const config: unknown = JSON.parse(text)
    if (isFields(config)) return config
  } catch (error) {
    throw new SettingsError([`${file} is not valid JSON: ${(error as Error).message}`])
  }
  throw new SettingsError([`${file} must contain an object.`])
}

function unknownFields(at: string, value: Fields, known: readonly string[]): string[] {
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  return unknown.map((name) => `${at}${name} is not a setting. Settings are ${known.join(', ')}.`)
}

const shopCap = 25
const rolesCap = 50

function itemOf(value: unknown, at: string, problems: Problems): Item[] {
  if (!isFields(value)) return [] as Item[]
  const { id, name, price, description } = value
  problems.push(...unknownFields(`${at}.`, value, ['id', 'name', 'price', 'description']))
  if (typeof id !== 'string' || !/^[\w-]{1,50}$/.test(id))
    problems.push(`${at}.id must be 1 to 50 letters, digits, _ or -.`)
  if (!isText(name, 80)) problems.push(`${at}.name must be 1 to 80 characters.`)
  if (!isWhole(price, Number.MAX_SAFE_INTEGER)) problems.push(`${at}.price must be a whole number from 1.`)
  if (description !== undefined && !isText(description, 200))
    problems.push(`${at}.description must be 1 to 200 characters.`)
  return [value as Item]
}

function roleOf(value: unknown, at: string, problems: Problems): RoleAt[] {
  if (!isFields(value)) return [] as RoleAt[]
  const { roleId, tokens } = value
  problems.push(...unknownFields(`${at}.`, value, ['roleId', 'tokens']))
  if (!isSnowflake(roleId)) problems.push(`${at}.roleId must be a role’s id, in quotes.`)
  if (!isWhole(tokens, Number.MAX_SAFE_INTEGER)) problems.push(`${at}.tokens must be a whole number from 1.`)
  return [value as RoleAt]
}

type ReadOne<T> = (value: unknown, at: string, problems: Problems) => T[]

function listOf<T>(value: unknown, { at, most, read }: { at: string; most: number; read: ReadOne<T> }) {
  return (problems: Problems): T[] => {
    if (value === undefined) return []
    if (!Array.isArray(value) || value.length > most || !value.every(isFields)) {
      problems.push(`${at} must be a list of at most ${most} objects.`)
      return []
    }
    return value.flatMap((one, index) => read(one, `${at}[${index}]`, problems))
  }
}

const guildFields = ['url', 'realm', 'realmPointId', 'pointNames', 'shop', 'orderDays', 'roles']

function guildOf([id, value]: [string, unknown], env: Env, problems: Problems): Guild {
  const at = `guilds.${id}`
  const given: Fields = isFields(value) ? value : {}
  const { url = env['EXCHEQUER_URL'], realm, realmPointId, pointNames, orderDays = 7 } = given
  problems.push(...unknownFields(`${at}.`, given, guildFields))
  if (!isSnowflake(id)) problems.push(`${at}: the id of a Discord server is 15 to 20 digits.`)
  if (typeof url !== 'string' || !/^https?:\/\/\S+$/.test(url))
    problems.push(`${at}.url must be the address of the points server: https://…`)
  if (!isText(realm, 64)) problems.push(`${at}.realm must be the id of a realm.`)
  if (realmPointId !== undefined && !isText(realmPointId, 64))
    problems.push(`${at}.realmPointId must be the id of a point type.`)
  if (!isWhole(orderDays, 31)) problems.push(`${at}.orderDays must be 1 to 31.`)
  const names = isFields(pointNames) ? pointNames : { one: 'point', many: 'points' }
  if (!isText(names['one'], 32) || !isText(names['many'], 32))
    problems.push(`${at}.pointNames must be {"one": "coin", "many": "coins"}.`)
  const key = secretOf(env, [`EXCHEQUER_KEY_${id}`, 'EXCHEQUER_KEY'], problems)
  if (key === undefined) problems.push('EXCHEQUER_KEY or EXCHEQUER_KEY_FILE is not set.')
  const secrets = [`EXCHEQUER_WEBHOOK_SECRET_${id}`, 'EXCHEQUER_WEBHOOK_SECRET']
  const webhookSecret = secretOf(env, secrets, problems)
  const roles = listOf(given['roles'], { at: `${at}.roles`, most: rolesCap, read: roleOf })(problems)
  if (roles.length > 0 && webhookSecret === undefined)
    problems.push(`${at}.roles need EXCHEQUER_WEBHOOK_SECRET or EXCHEQUER_WEBHOOK_SECRET_FILE.`)
  return {
    id,
    url: String(url),
    realm: String(realm),
    key: key ?? '',
    ...(webhookSecret ? { webhookSecret } : {}),
    ...(typeof realmPointId === 'string' ? { realmPointId } : {}),
    pointNames: names as PointNames,
    shop: listOf(given['shop'], { at: `${at}.shop`, most: shopCap, read: itemOf })(problems),
    orderDays: Number(orderDays),
    roles,
  }
}

function portOf(text: string, problems: Problems): number {
  const port = Number(text)
  if (!/^[0-9]+$/.test(text) || port > 65_535) problems.push(`PORT must be 0 to 65535, not ${text}.`)
  return port
}

/** Reads the file that BOT_CONFIG names, and the variables. A `SettingsError` lists every problem. */
export function readSettings(env: Env): BotSettings {
  const problems: Problems = []
  const config = configOf(env['BOT_CONFIG'] || 'bot.json')
  const { applicationId, publicKey, guilds } = config
  problems.push(...unknownFields('', config, ['applicationId', 'publicKey', 'guilds']))
  if (!isSnowflake(applicationId)) problems.push('applicationId must be the application’s id, in quotes.')
  const isKey = typeof publicKey === 'string' && /^[0-9a-f]{64}$/i.test(publicKey)
  if (!isKey) problems.push('publicKey must be the application’s public key: 64 hex digits.')
  if (!isFields(guilds) || Object.keys(guilds).length === 0)
    problems.push('guilds must contain at least one Discord server, by its id.')
  const token = secretOf(env, ['DISCORD_BOT_TOKEN'], problems)
  if (token === undefined) problems.push('DISCORD_BOT_TOKEN or DISCORD_BOT_TOKEN_FILE is not set.')
  const list = Object.entries(isFields(guilds) ? guilds : {}).map((one) => guildOf(one, env, problems))
  const port = portOf(env['PORT'] || '8080', problems)
  if (problems.length > 0) throw new SettingsError([...new Set(problems)])
  const seenFile = env['SEEN_FILE']
  return {
    applicationId: String(applicationId),
    publicKey: publicKeyOf(String(publicKey)),
    token: token ?? '',
    discordUrl: (env['DISCORD_API_URL'] || 'https://discord.com/api/v10').replace(/\/+$/, ''),
    host: env['HOST'] || '127.0.0.1',
    port,
    ...(seenFile ? { seenFile } : {}),
    guilds: new Map(list.map((guild) => [guild.id, guild])),
  }
}
