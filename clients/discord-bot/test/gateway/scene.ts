import assert from 'node:assert/strict'
import type { HistoryEntry } from '@exchequer/sdk'
import { BotProcess, until } from '../botProcess.ts'
import { guildId, type Person, snowflake } from '../interactions.ts'
import type { Place } from '../place.ts'
import { guildOf, idAt, type MessageOptions, messageOf, type VoiceOptions, voiceStateOf } from './events.ts'
import { GatewayStandIn } from './standIn.ts'

/** The gateway as a process, between the stand-in for Discord's gateway and a real points server. */

export type Settings = Readonly<Record<string, string>>

const command = { name: 'gateway', ready: 'connected as exchequer' } as const

export const otherGuild = '1190000000000000002'

let persons = 0
export function newPerson(more: Partial<Person> = {}): Person {
  persons += 1
  return { id: snowflake(), username: `person${persons}`, ...more }
}

/** Who is in a voice channel. */
type States = Map<string, ReturnType<typeof voiceStateOf>>
type Parts = { readonly bots: BotProcess[]; readonly states: States }

export class Scene {
  readonly place: Place
  readonly discord: GatewayStandIn
  readonly bots: BotProcess[]
  readonly #states: States

  private constructor(place: Place, discord: GatewayStandIn, { bots, states }: Parts) {
    this.place = place
    this.discord = discord
    this.bots = bots
    this.#states = states
  }

  static async make(place: Place, settings: Settings, processes: number): Promise<Scene> {
    const states: States = new Map()
    const discord = await GatewayStandIn.start(() => [guildOf([...states.values()]), guildOf([], otherGuild)])
    const env = { ...place.env, DISCORD_API_URL: discord.url, VOICE_POINTS: '0', ...settings }
    const bots = Array.from({ length: processes }, () => new BotProcess(env, command))
    await Promise.all(bots.map((bot) => bot.start()))
    return new Scene(place, discord, { bots, states })
  }

  get bot(): BotProcess {
    const [bot] = this.bots
    assert.ok(bot)
    return bot
  }

  /** A message, so many seconds after noon; its id. */
  say(person: Person, seconds: number, options?: MessageOptions): string {
    const id = idAt(seconds)
    this.repeat(person, id, options)
    return id
  }

  repeat(person: Person, id: string, options?: MessageOptions): void {
    this.discord.dispatch('MESSAGE_CREATE', messageOf(person, id, options))
  }

  /** Joins a voice channel, or leaves it with null. */
  speak(person: Person, channelId: string | null, options?: VoiceOptions): void {
    const state = voiceStateOf(person, channelId, options)
    if (channelId === null) this.#states.delete(person.id)
    else this.#states.set(person.id, state)
    this.discord.dispatch('VOICE_STATE_UPDATE', { ...state, guild_id: guildId })
  }

  /** The awards of a person, newest first. */
  async awards(person: Person): Promise<HistoryEntry[]> {
    const member = this.place.realm.member(person.id)
    return await member.history().toArray({ max: 1000 }).catch(noneIfUnknown)
  }

  async points(person: Person): Promise<number> {
    return (await this.awards(person)).reduce((sum, { tokens }) => sum + tokens, 0)
  }

  async untilPoints(person: Person, points: number): Promise<void> {
    await until(
      async () => (await this.points(person)) >= points,
      () => `no ${points} points; the gateway says:\n${this.bots.map(({ said }) => said.err).join('\n')}`,
    )
  }

  /** Waits until all that was sent is done: a last message is awarded, and the processes end in order. */
  async finish(): Promise<void> {
    const last = newPerson()
    this.say(last, 0)
    await this.untilPoints(last, 1)
    for (const bot of this.bots) assert.equal(await bot.end('SIGTERM'), 0)
  }

  async stop(): Promise<void> {
    for (const bot of this.bots) await bot.end()
    this.discord.stop()
    assert.deepEqual(this.discord.problems, [])
    for (const bot of this.bots) assert.doesNotMatch(bot.said.err, /TypeError|ERR_|Unhandled|\n {4}at /)
  }
}

const noneIfUnknown = (error: { readonly code?: string }): HistoryEntry[] => {
  assert.equal(error.code, 'member_not_found')
  return []
}

/** Runs the gateway for the duration of the work; the stand-in must find nothing wrong with it. */
export async function withGateway(
  place: Place,
  settings: Settings,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  await within(await Scene.make(place, settings, 1), work)
}

export async function withTwo(
  place: Place,
  settings: Settings,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  await within(await Scene.make(place, settings, 2), work)
}

async function within(scene: Scene, work: (scene: Scene) => Promise<void>): Promise<void> {
  try {
    await work(scene)
  } finally {
    scene.place.server.mode = { is: 'pass' }
    await scene.stop()
  }
}
