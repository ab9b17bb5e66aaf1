import type { APIInteraction, APIUser } from 'discord-api-types/v10'

/** Who uses the bot, or is named by an option of a command. */
export type User = {
  readonly id: string
  readonly username: string
  readonly displayName: string
  /** The hash of the avatar, as Discord's image addresses have it. */
  readonly avatar: string | null
  readonly isBot: boolean
}

export type Options = Readonly<Record<string, string | number | boolean | undefined>>

/** What the bot reads of an interaction. */
export type Interaction = {
  /** The Idempotency-Key of its change. */
  readonly id: string
  readonly token: string
  readonly guildId: string
  readonly user: User
  readonly isManager: boolean
  /** `tip`, `shop buy`; of a button what its id begins with. */
  readonly name: string
  readonly options: Options
  /** The users that options name, by id. */
  readonly users: ReadonlyMap<string, User>
  /** The button that was pressed. */
  readonly button?: { readonly argument: string; readonly content: string }
}

/** Discord's types, by their numbers. */
const ping = 1
const command = 2
const component = 3
const subcommand = 1

/** ADMINISTRATOR or MANAGE_GUILD. */
const managing = 0x8n | 0x20n

const isSnowflake = (id: unknown): id is string => typeof id === 'string' && /^[0-9]{1,20}$/.test(id)

function userOf(user: APIUser, nick?: string | null): User {
  const { id, username, global_name: globalName, avatar, bot } = user
  return {
    id,
    username: username.slice(0, 100),
    displayName: (nick ?? globalName ?? username).slice(0, 100),
    avatar: avatar ?? null,
    isBot: bot === true,
  }
}

type Data = {
  readonly name?: string
  readonly custom_id?: string
  readonly options?: readonly Option[]
  readonly resolved?: {
    readonly users?: Readonly<Record<string, APIUser>>
    readonly members?: Readonly<Record<string, { readonly nick?: string | null }>>
  }
}
type Option = {
  readonly type: number
  readonly name: string
  readonly value?: string | number | boolean
  readonly options?: readonly Option[]
}

function usersOf({ resolved = {} }: Data): Map<string, User> {
  const users = Object.entries(resolved.users ?? {}).slice(0, 25)
  return new Map(users.map(([id, user]) => [id, userOf(user, resolved.members?.[id]?.nick)]))
}

/** The name of a command with its subcommand, and the options of that. */
function commandOf({ name = '', options = [] }: Data): Pick<Interaction, 'name' | 'options'> {
  const [first] = options
  if (first?.type === subcommand) {
    const inner = commandOf({ name: first.name, options: first.options ?? [] })
    return { name: `${name} ${inner.name}`, options: inner.options }
  }
  return { name, options: Object.fromEntries(options.map((option) => [option.name, option.value])) }
}

function buttonOf({ custom_id: id = '' }: Data, content: string) {
  const at = id.indexOf(':')
  if (at < 0) return { name: id, options: {}, button: { argument: '', content } }
  return { name: id.slice(0, at), options: {}, button: { argument: id.slice(at + 1), content } }
}

export type Received =
  | { readonly is: 'ping' }
  | { readonly is: 'interaction'; readonly interaction: Interaction }
  /** Another application's, one outside of a server, or one of a type that the bot does not register. */
  | { readonly is: 'other'; readonly reason: string }

/** An interaction as Discord sent it. Its signature was verified, so its form is what Discord documents. */
export function received(body: APIInteraction, applicationId: string): Received {
  if (body.type === ping) return { is: 'ping' }
  if (body.application_id !== applicationId) return { is: 'other', reason: 'It is for another application.' }
  const { id, token, guild_id: guildId, member } = body
  if (!isSnowflake(id) || typeof token !== 'string') return { is: 'other', reason: 'It has no id.' }
  if (!isSnowflake(guildId) || !member) return { is: 'other', reason: 'Use this command in a server.' }
  const type: number = body.type
  if (type !== command && type !== component) return { is: 'other', reason: 'The bot does not know this.' }
  const data = (body.data ?? {}) as Data
  const content = 'message' in body ? (body.message?.content ?? '') : ''
  const interaction = {
    id,
    token,
    guildId,
    user: userOf(member.user, member.nick),
    isManager: (BigInt(member.permissions) & managing) !== 0n,
    users: usersOf(data),
    ...(type === command ? commandOf(data) : buttonOf(data, content)),
  }
  return { is: 'interaction', interaction }
}
