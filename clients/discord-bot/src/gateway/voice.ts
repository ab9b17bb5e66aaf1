import type { Guild, VoiceState } from 'discord.js'
import type { User } from '../interaction.ts'
import { userOf } from './users.ts'

export type Ignored = { readonly channels: ReadonlySet<string>; readonly roles: ReadonlySet<string> }

type Channel = { readonly id: string; readonly parentId: string | null; readonly parent: Channel | null }

/** The channel, or what it is in: the channel of a thread, and the category. */
export const isIgnored = (channel: Channel | null, { channels }: Ignored): boolean =>
  channel !== null && (channels.has(channel.id) || isIgnored(channel.parent, { channels, roles: new Set() }))

/** Members who can speak and hear; of a user who is not known it is not known whether it is a bot. */
function takesPart({ member, mute, deaf, suppress }: VoiceState): boolean {
  return member !== null && !member.user.bot && mute !== true && deaf !== true && suppress !== true
}

/** Who earns voice time in a server now: those who talk with at least one other member. */
export function talkersOf(guild: Guild, ignored: Ignored): User[] {
  const byChannel = new Map<string, VoiceState[]>()
  for (const state of guild.voiceStates.cache.values()) {
    const { channelId, channel } = state
    if (channelId === null || channelId === guild.afkChannelId || isIgnored(channel, ignored)) continue
    if (takesPart(state)) byChannel.set(channelId, [...(byChannel.get(channelId) ?? []), state])
  }
  return [...byChannel.values()]
    .filter((states) => states.length > 1)
    .flat()
    .flatMap(({ member }) => (member ? [member] : []))
    .filter((member) => !member.roles.cache.some(({ id }) => ignored.roles.has(id)))
    .map((member) => userOf(member.user, member.nickname))
}

type Clock = { readonly periodMs: number; readonly talkers: () => User[] }

/**
 * Calls `earned` for each who talked at the beginning and at the end of a period. Periods begin at multiples
 * of their length since 1970, so they are the same in every process.
 */
export class VoiceClock {
  readonly #clock: Clock
  readonly #earned: (user: User, beganMs: number) => void
  #timer: NodeJS.Timeout | undefined
  #before: { readonly atMs: number; readonly ids: ReadonlySet<string> } = { atMs: 0, ids: new Set() }

  constructor(clock: Clock, earned: (user: User, beganMs: number) => void) {
    this.#clock = clock
    this.#earned = earned
    this.#schedule()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #schedule(): void {
    const { periodMs } = this.#clock
    this.#timer = setTimeout(
      () => {
        this.#tick()
        this.#schedule()
      },
      periodMs - (Date.now() % periodMs),
    )
  }

  #tick(): void {
    const { periodMs, talkers } = this.#clock
    // Rounded, as a timer may be early by a millisecond.
    const atMs = Math.round(Date.now() / periodMs) * periodMs
    const now = talkers()
    const { atMs: beganMs, ids } = this.#before
    if (beganMs === atMs - periodMs) for (const user of now) if (ids.has(user.id)) this.#earned(user, beganMs)
    this.#before = { atMs, ids: new Set(now.map(({ id }) => id)) }
  }
}
