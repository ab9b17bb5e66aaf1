import { setTimeout as sleep } from 'node:timers/promises'
import { ForbiddenError, Realm, Transport } from '@exchequer/sdk'
import type { APIInteractionResponse } from 'discord-api-types/v10'
import { buttons, type Command, type Context, commands } from './commands/index.ts'
import type { Discord } from './discord.ts'
import type { Interaction } from './interaction.ts'
import { Names } from './names.ts'
import { deferred, followUpOf, messageOf, type Reply, responseOf, toMember } from './reply.ts'
import type { Guild } from './settings.ts'
import { internalSentence, sentenceOf } from './words.ts'

export type Log = (text: string) => void

export type Answer = {
  readonly response: APIInteractionResponse
  /** To be called when the response was sent: the rest of a deferred one. */
  readonly rest?: () => Promise<void>
}

/** Discord waits for 3 seconds; what takes longer than this is deferred. */
const deferAfterMs = 1_500
const pendingCap = 500

type Place = { readonly context: Context; readonly names: Names }

function placeOf(guild: Guild): Place {
  const settings = { url: guild.url, key: guild.key }
  const realm = new Realm({ ...settings, realm: guild.realm })
  return { context: { guild, realm, transport: new Transport(settings) }, names: new Names(realm) }
}

/** Answers interactions, each in time: at once, or by a deferred reply. */
export class Bot {
  readonly #discord: Discord
  readonly #log: Log
  readonly #places: ReadonlyMap<string, Place>
  readonly #pending = new Set<Promise<unknown>>()

  constructor(guilds: Iterable<Guild>, discord: Discord, log: Log) {
    this.#discord = discord
    this.#log = log
    this.#places = new Map(Array.from(guilds, (guild) => [guild.id, placeOf(guild)]))
  }

  async answer(interaction: Interaction): Promise<Answer> {
    if (this.#pending.size >= pendingCap)
      return {
        response: responseOf(toMember('The bot is busy. Nothing was changed. Try again in a minute.')),
      }
    const work = this.#track(this.#reply(interaction))
    const late = new AbortController()
    const reply = await Promise.race([work, sleep(deferAfterMs, undefined, { signal: late.signal })])
    if (reply !== undefined) {
      late.abort()
      return { response: responseOf(reply) }
    }
    const kind = interaction.button ? 'button' : commandOf(interaction)?.isPublic ? 'public' : 'private'
    return { response: deferred(kind), rest: () => this.#track(this.#complete(interaction, work)) }
  }

  /** Waits for what is being done, at most this long. */
  async finish(withinMs: number): Promise<void> {
    await Promise.race([Promise.all(this.#pending), sleep(withinMs, undefined, { ref: false })])
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#pending.add(work)
    const remove = () => this.#pending.delete(work)
    work.then(remove, remove)
    return work
  }

  async #complete(interaction: Interaction, work: Promise<Reply>): Promise<void> {
    const reply = await work
    const { token, button } = interaction
    try {
      if (button && !reply.isUpdate) await this.#discord.followUp(token, followUpOf(reply))
      else await this.#discord.edit(token, messageOf(reply))
    } catch (error) {
      this.#log(`/${interaction.name} ${interaction.id}: its reply could not be sent: ${String(error)}`)
    }
  }

  /** Never rejects: a problem becomes a sentence. */
  async #reply(interaction: Interaction): Promise<Reply> {
    const place = this.#places.get(interaction.guildId)
    if (!place) return toMember('This server is not in the settings of the bot.')
    const command = commandOf(interaction)
    if (!command) return toMember('The bot does not have this command any more.')
    if (command.isForManagers && !interaction.isManager)
      return toMember('Only members who can manage the server may do this.')
    let isStarted = false
    try {
      await this.#keepNames(place, interaction, command)
      isStarted = true
      return await command.run(place.context, interaction)
    } catch (error) {
      const sentence = sentenceOf(error, isStarted && command.isChange === true)
      if (sentence === undefined || isForLog(error))
        this.#log(`/${interaction.name} ${interaction.id}: ${String(error)}`)
      return toMember(sentence ?? internalSentence)
    }
  }

  /** A user becomes a member by using the bot, or by a change that names it; not when others look it up. */
  async #keepNames({ names }: Place, { user, users }: Interaction, { isChange }: Command): Promise<void> {
    const people = [user, ...(isChange ? users.values() : [])].filter(({ isBot }) => !isBot)
    await Promise.all(people.map((one) => names.keep(one)))
  }
}

const commandOf = ({ name, button }: Interaction): Command | undefined =>
  button ? buttons.get(name) : commands.get(name)

/** Errors that a manager can only solve with more than the sentence. */
const isForLog = (error: unknown): boolean =>
  error instanceof ForbiddenError || [0, 401, 500, 503].includes((error as { status?: number }).status ?? -1)
