import {
  type APIBaseVoiceState,
  type APIGuildMember,
  type APIRole,
  ChannelType,
  type GatewayGuildCreateDispatchData,
  type GatewayMessageCreateDispatchData,
  Locale,
  MessageType,
} from 'discord-api-types/v10'
import { guildId, memberOf, type Person, userOf } from '../interactions.ts'
import { applicationId } from '../standIn.ts'

/** What Discord's gateway sends, typed by discord-api-types. */

export const channels = {
  category: '1190000000000000201',
  general: '1190000000000000202',
  /** In the category. */
  spam: '1190000000000000203',
  thread: '1190000000000000204',
  /** Voice channels. */
  lounge: '1190000000000000211',
  study: '1190000000000000212',
  afk: '1190000000000000213',
}
/** A role that tests have ignored. */
export const staffRole = '1190000000000000301'

export const self: Person = { id: applicationId, username: 'exchequer', isBot: true }

const discordEpochMs = 1_420_070_400_000
/** Noon in UTC, so that no test crosses midnight by itself. */
const noonMs = Date.parse(new Date().toISOString().slice(0, 10)) + 12 * 3_600_000
let last = 0n

/** A message's id, so many seconds after noon. */
export function idAt(seconds: number): string {
  last += 1n
  return String((BigInt(noonMs + seconds * 1000 - discordEpochMs) << 22n) | (last & 0x3f_ffffn))
}

export type MessageOptions = {
  readonly channelId?: string
  readonly guild?: string
  readonly type?: MessageType
  readonly webhookId?: string
}

export function messageOf(person: Person, id: string, options: MessageOptions = {}) {
  const { channelId = channels.general, guild = guildId, type = MessageType.Default, webhookId } = options
  const { user: _, permissions: _permissions, ...member } = memberOf(person)
  return {
    id,
    channel_id: channelId,
    guild_id: guild,
    author: userOf(person),
    ...(webhookId === undefined ? { member } : { webhook_id: webhookId }),
    // Without the intent for it Discord sends no content.
    content: '',
    timestamp: new Date(noonMs).toISOString(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    type,
  } as GatewayMessageCreateDispatchData
}

export function guildMemberOf(person: Person): APIGuildMember {
  const { permissions: _, ...member } = memberOf(person)
  return member
}

export type VoiceOptions = { readonly [Name in 'mute' | 'deaf' | 'self_mute' | 'self_deaf']?: boolean }

export const voiceStateOf = (person: Person, channelId: string | null, options: VoiceOptions = {}) =>
  ({
    channel_id: channelId,
    user_id: person.id,
    member: guildMemberOf(person),
    session_id: `voice${person.id}`,
    deaf: false,
    mute: false,
    self_deaf: false,
    self_mute: false,
    self_video: false,
    suppress: false,
    request_to_speak_timestamp: null,
    ...options,
  }) satisfies APIBaseVoiceState

const roleOf = (id: string, name: string): Omit<APIRole, 'flags'> => ({
  id,
  name,
  color: 0,
  colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
  hoist: false,
  position: 0,
  permissions: '0',
  managed: false,
  mentionable: false,
})

const inGuild = { position: 0, permission_overwrites: [], nsfw: false }
const text = (id: string, name: string, parent: string | null) =>
  ({ ...inGuild, id, name, type: ChannelType.GuildText, parent_id: parent }) as const
const voice = (id: string, name: string) =>
  ({ ...inGuild, id, name, type: ChannelType.GuildVoice, parent_id: null, bitrate: 64_000 }) as const

const allChannels = [
  { ...inGuild, id: channels.category, name: 'off topic', type: ChannelType.GuildCategory },
  text(channels.general, 'general', null),
  text(channels.spam, 'spam', channels.category),
  voice(channels.lounge, 'lounge'),
  voice(channels.study, 'study'),
  voice(channels.afk, 'afk'),
]

/** A server as Discord sends it after READY: members are the bot, and those in voice channels. */
export function guildOf(
  states: readonly ReturnType<typeof voiceStateOf>[],
  id = guildId,
): GatewayGuildCreateDispatchData {
  const thread = {
    ...inGuild,
    id: channels.thread,
    name: 'a thread',
    type: ChannelType.PublicThread as const,
  }
  const metadata = {
    archived: false,
    auto_archive_duration: 60 as const,
    archive_timestamp: '',
    locked: false,
  }
  const guild = {
    id,
    name: 'Guild',
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    owner_id: self.id,
    afk_channel_id: channels.afk,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: [roleOf(id, '@everyone'), roleOf(staffRole, 'staff')],
    emojis: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    vanity_url_code: null,
    premium_tier: 0,
    preferred_locale: Locale.EnglishUS,
    public_updates_channel_id: null,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    joined_at: '2026-01-01T00:00:00.000000+00:00',
    large: false,
    // Optional in the documentation; Discord sends it, and discord.js relies on it.
    unavailable: false,
    member_count: 100,
    // In GUILD_CREATE these have no member; JSON leaves out what is undefined.
    voice_states: states.map((state) => ({ ...state, member: undefined })),
    members: [guildMemberOf(self), ...states.map(({ member }) => member)],
    channels: allChannels,
    threads: [{ ...thread, parent_id: channels.spam, thread_metadata: metadata }],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
  return guild as unknown as GatewayGuildCreateDispatchData
}
