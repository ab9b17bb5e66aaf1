import {
  type APIChatInputApplicationCommandGuildInteraction,
  type APIGuildInteractionWrapper,
  type APIInteractionGuildMember,
  type APIMessage,
  type APIMessageComponentButtonInteraction,
  type APIPingInteraction,
  type APIUser,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  ComponentType,
  GuildMemberFlags,
  InteractionType,
  Locale,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import { applicationId } from './standIn.ts'

/** Interactions as Discord documents them, typed by discord-api-types. */

export const guildId = '1190000000000000001'
const channel = { id: '1190000000000000009', type: ChannelType.GuildText as const }

export type Person = {
  readonly id: string
  readonly username: string
  readonly globalName?: string
  readonly avatar?: string
  readonly nick?: string
  readonly isManager?: boolean
  readonly isBot?: boolean
  readonly roles?: readonly string[]
}

let last = BigInt(Date.now()) << 22n
export const snowflake = (): string => String(++last)

export const userOf = ({ id, username, globalName, avatar, isBot }: Person): APIUser => ({
  id,
  username,
  discriminator: '0',
  global_name: globalName ?? null,
  avatar: avatar ?? null,
  ...(isBot ? { bot: true } : {}),
})

export const memberOf = (person: Person): APIInteractionGuildMember => ({
  user: userOf(person),
  nick: person.nick ?? null,
  avatar: null,
  roles: [...(person.roles ?? [])],
  joined_at: '2026-01-01T00:00:00.000000+00:00',
  deaf: false,
  mute: false,
  flags: GuildMemberFlags.CompletedOnboarding,
  permissions: String(
    PermissionFlagsBits.SendMessages | (person.isManager ? PermissionFlagsBits.ManageGuild : 0n),
  ),
})

const base = (person: Person) => ({
  id: snowflake(),
  application_id: applicationId,
  token: `aW50ZXJhY3Rpb246${snowflake()}`,
  version: 1 as const,
  guild_id: guildId,
  channel,
  channel_id: channel.id,
  member: memberOf(person),
  app_permissions: '268435456',
  locale: Locale.EnglishUS,
  entitlements: [],
  authorizing_integration_owners: { 0: guildId },
  attachment_size_limit: 10_485_760,
})

export type Value = string | number | Person

const isPerson = (value: Value): value is Person => typeof value === 'object'

function optionOf(name: string, value: Value) {
  if (isPerson(value)) return { type: ApplicationCommandOptionType.User as const, name, value: value.id }
  if (typeof value === 'number') return { type: ApplicationCommandOptionType.Integer as const, name, value }
  return { type: ApplicationCommandOptionType.String as const, name, value }
}

/** `/tip` is command(ann, 'tip', { … }); `/shop buy` is command(ann, 'shop buy', { … }). */
export function command(
  person: Person,
  name: string,
  values: Readonly<Record<string, Value>> = {},
): APIChatInputApplicationCommandGuildInteraction {
  const [first = '', second] = name.split(' ')
  const options = Object.entries(values).map(([option, value]) => optionOf(option, value))
  const named = Object.values(values).filter(isPerson)
  const members = named.map((one) => {
    const { user: _, deaf: _deaf, mute: _mute, ...member } = memberOf(one)
    return [one.id, member]
  })
  const subcommand = { type: ApplicationCommandOptionType.Subcommand as const, name: second ?? '', options }
  return {
    ...base(person),
    type: InteractionType.ApplicationCommand,
    data: {
      id: '1290000000000000011',
      type: ApplicationCommandType.ChatInput,
      name: first,
      guild_id: guildId,
      options: second === undefined ? options : [subcommand],
      resolved: {
        users: Object.fromEntries(named.map((one) => [one.id, userOf(one)])),
        members: Object.fromEntries(members),
      },
    },
  }
}

/** A press of a button of a message of the bot. */
export function press(
  person: Person,
  id: string,
  content: string,
): APIGuildInteractionWrapper<APIMessageComponentButtonInteraction> {
  const message: APIMessage = {
    id: '1290000000000000021',
    channel_id: channel.id,
    author: userOf({ id: applicationId, username: 'exchequer', isBot: true }),
    content,
    timestamp: '2026-01-01T00:00:00.000000+00:00',
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    type: 20,
  }
  return {
    ...base(person),
    type: InteractionType.MessageComponent,
    data: { custom_id: id, component_type: ComponentType.Button },
    message,
  }
}

export const ping = (): APIPingInteraction => ({
  id: snowflake(),
  application_id: applicationId,
  token: 'ping',
  version: 1,
  type: InteractionType.Ping,
  app_permissions: '0',
  entitlements: [],
  authorizing_integration_owners: {},
  attachment_size_limit: 0,
})
