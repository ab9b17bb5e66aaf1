import type { User as DiscordUser } from 'discord.js'
import type { User } from '../interaction.ts'

/** As the bot's commands name them: the name in the server, the one of the account, or the username. */
export const userOf = (user: DiscordUser, nick: string | null | undefined): User => ({
  id: user.id,
  username: user.username.slice(0, 100),
  displayName: (nick ?? user.globalName ?? user.username).slice(0, 100),
  avatar: user.avatar,
  isBot: user.bot,
})
