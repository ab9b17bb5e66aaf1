import type { Client, GuildMember, User } from 'discord.js'
import { SettingsError } from '../settings.ts'

export type DiscordJs = typeof import('discord.js')

/** The one that the tests use; package.json has the same. */
const testedVersion = '14.28.1'

const membersCap = 1_000

/** discord.js is installed by those who use the gateway; the bot itself needs no package but the client. */
export async function loadDiscordJs(): Promise<DiscordJs> {
  try {
    return await import('discord.js')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SettingsError([
      `The gateway needs discord.js: npm install @exchequer/discord-bot discord.js@${testedVersion}`,
    ])
  }
}

const isSelf = (user: User): boolean => user.id === user.client.user.id

/**
 * A connection that is sent no content of messages, and keeps little: users and members up to a number, and
 * who is in voice channels, without which it would not be known which of them there are bots.
 */
export function makeClient({ Client: Made, GatewayIntentBits, Options }: DiscordJs, url: string): Client {
  const { Guilds, GuildMessages, GuildVoiceStates } = GatewayIntentBits
  return new Made({
    intents: [Guilds, GuildMessages, GuildVoiceStates],
    // discord.js adds the version itself.
    rest: { api: url.replace(/\/v[0-9]+$/, '') },
    makeCache: Options.cacheWithLimits({
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      GuildScheduledEventManager: 0,
      StageInstanceManager: 0,
      ThreadMemberManager: 0,
      UserManager: { maxSize: membersCap, keepOverLimit: isSelf },
      GuildMemberManager: {
        maxSize: membersCap,
        keepOverLimit: (member: GuildMember) => isSelf(member.user) || member.voice.channelId !== null,
      },
    }),
  })
}
