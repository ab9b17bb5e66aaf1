import { Realm } from '@exchequer/sdk'
import type { Client, Message } from 'discord.js'
import type { Log } from '../bot.ts'
import { Names } from '../names.ts'
import { type Guild, SettingsError } from '../settings.ts'
import { activityOf } from './activity.ts'
import { type DiscordJs, loadDiscordJs, makeClient } from './client.ts'
import { Losses } from './losses.ts'
import { AwardQueue } from './queue.ts'
import type { GatewaySettings } from './settings.ts'
import { type Place, Slots } from './slots.ts'
import { userOf } from './users.ts'
import { type Ignored, isIgnored, talkersOf, VoiceClock } from './voice.ts'

const finishWithinMs = 10_000

export type Gateway = {
  /** The bot's name at Discord. */
  readonly name: string
  /** Ends the connection, and awards what waits. */
  readonly stop: () => Promise<void>
}

type Events = {
  readonly log: Log
  /** The connection ended for good: Discord rejects another one. */
  readonly onLost: () => void
}

function placeOf(guild: Guild): Place {
  const { url, realm: id, key } = guild
  // The queue sends again what fails.
  const realm = new Realm({ url, realm: id, key, retries: 1 })
  return { guild, realm, names: new Names(realm) }
}

/** Whether a message earns points: one that a member wrote, in a channel and with roles that count. */
function counts(message: Message, ignored: Ignored): boolean {
  const { author, webhookId, system, member, channel } = message
  if (author.bot || webhookId !== null || system || channel.isDMBased()) return false
  return !isIgnored(channel, ignored) && !member?.roles.cache.some(({ id }) => ignored.roles.has(id))
}

/** Listens to messages and voice channels, and offers what earns points to the queue. */
class Activities {
  readonly #settings: GatewaySettings
  readonly #queue: AwardQueue
  readonly #ignored: Ignored
  readonly #clocks: VoiceClock[] = []

  constructor(settings: GatewaySettings, queue: AwardQueue) {
    this.#settings = settings
    this.#queue = queue
    this.#ignored = { channels: settings.ignoredChannels, roles: settings.ignoredRoles }
  }

  watch(client: Client, { Status }: DiscordJs): void {
    const { rules, bot } = this.#settings
    if (rules.message) client.on('messageCreate', (message) => this.#message(message))
    const { voice } = rules
    if (!voice) return
    for (const guildId of bot.guilds.keys()) {
      const talkers = () => {
        const guild = client.guilds.cache.get(guildId)
        // Without a connection it is not known who has left.
        return guild?.available && guild.shard.status === Status.Ready ? talkersOf(guild, this.#ignored) : []
      }
      const clock = new VoiceClock({ periodMs: voice.spacingMs, talkers }, (user, beganMs) =>
        this.#queue.offer(activityOf({ kind: 'voice', guildId, user, id: String(beganMs) })),
      )
      this.#clocks.push(clock)
    }
  }

  stop(): void {
    for (const clock of this.#clocks) clock.stop()
  }

  #message(message: Message): void {
    const { guildId, author, member, id } = message
    if (guildId === null || !this.#settings.bot.guilds.has(guildId) || !counts(message, this.#ignored)) return
    const user = userOf(author, member?.nickname)
    this.#queue.offer(activityOf({ kind: 'message', guildId, user, id }))
  }
}

/** What an operator has to know of the connection. */
function logConnection(client: Client, { log, onLost }: Events): void {
  client.on('error', (error) => log(String(error)))
  client.on('warn', log)
  client.on('shardError', (error) => log(`The connection to Discord failed: ${String(error)}`))
  client.on('shardReconnecting', () => log('The connection to Discord is lost, and is made again.'))
  client.on('shardResume', (_, replayed) =>
    log(`The connection continues; ${replayed} events were replayed.`),
  )
  client.on('shardDisconnect', ({ code }) => {
    log(`Discord ended the connection with ${code}.`)
    onLost()
  })
  client.on('invalidated', onLost)
}

async function login(client: Client, token: string): Promise<Client<true>> {
  const ready = new Promise<Client<true>>((resolve) => client.once('clientReady', resolve))
  try {
    await client.login(token)
  } catch (error) {
    throw new SettingsError([`Discord accepts no connection: ${(error as Error).message}`])
  }
  return await ready
}

/** Connects to Discord, and awards points until it is stopped. */
export async function startGateway(settings: GatewaySettings, events: Events): Promise<Gateway> {
  const { bot, rules } = settings
  const { log } = events
  const discordJs = await loadDiscordJs()
  const places = new Map([...bot.guilds].map(([id, guild]) => [id, placeOf(guild)]))
  const losses = new Losses(log)
  const queue = new AwardQueue(new Slots(places, rules), { rules, losses, log })
  const activities = new Activities(settings, queue)
  const client = makeClient(discordJs, bot.discordUrl)
  logConnection(client, events)
  activities.watch(client, discordJs)
  const { user, guilds } = await login(client, bot.token)
  for (const id of bot.guilds.keys())
    if (!guilds.cache.has(id)) log(`The bot is not invited to the server ${id}.`)
  return {
    name: user.username,
    stop: async () => {
      activities.stop()
      await client.destroy()
      await queue.finish(finishWithinMs)
      log(`${queue.awarded} awards were made, ${losses.total} were lost.`)
    },
  }
}
