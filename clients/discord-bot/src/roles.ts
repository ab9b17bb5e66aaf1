import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotFoundError, Realm } from '@exchequer/sdk'
import { verifyWebhook, WebhookError, type WebhookEvent } from '@exchequer/sdk/webhooks'
import type { Log } from './bot.ts'
import { type Discord, DiscordError } from './discord.ts'
import type { HandledIds } from './handledIds.ts'
import type { Guild } from './settings.ts'

type Crossing = Extract<WebhookEvent, { readonly type: 'balance.crossed' }>
export type Outcome = { readonly status: number; readonly text?: string }

/** Exchequer waits for 15 seconds. */
const answerWithinMs = 10_000
const pendingCap = 500
/** Discord's code for a user who is not, or no longer, in the server. */
const unknownMember = 10_007
const later: Outcome = { status: 503, text: 'The bot is still waiting for Discord. Send this again.' }

/** Gives and takes roles when a member's balance crosses a threshold. */
export class Roles {
  readonly #guilds: readonly Guild[]
  readonly #discord: Discord
  readonly #handled: HandledIds
  readonly #log: Log
  readonly #realms: ReadonlyMap<string, Realm>
  /** What is being done, by event. */
  readonly #running = new Map<string, Promise<Outcome>>()
  /** The last work of each member: the next waits for it, so that an older balance never comes last. */
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(
    guilds: Iterable<Guild>,
    { discord, handled, log }: { discord: Discord; handled: HandledIds; log: Log },
  ) {
    this.#guilds = Array.from(guilds)
    this.#discord = discord
    this.#handled = handled
    this.#log = log
    this.#realms = new Map(
      this.#guilds.map(({ id, url, realm, key }) => [id, new Realm({ url, realm, key, retries: 2 })]),
    )
  }

  /** 401 unless one of the servers' webhooks signed it. 2xx only when it is done. */
  async receive(headers: IncomingHttpHeaders, body: Uint8Array): Promise<Outcome> {
    const signers: { guild: Guild; event: WebhookEvent }[] = []
    let reason = 'No server of the bot has a webhook secret.'
    for (const guild of this.#guilds) {
      if (guild.webhookSecret === undefined) continue
      try {
        signers.push({ guild, event: await verifyWebhook(headers, body, guild.webhookSecret) })
      } catch (error) {
        if (!(error instanceof WebhookError)) throw error
        reason = error.message
      }
    }
    if (signers.length === 0) return { status: 401, text: reason }
    const outcomes = await Promise.all(signers.map(({ guild, event }) => this.#once(guild, event)))
    return outcomes.find(({ status }) => status !== 204) ?? { status: 204 }
  }

  async #once(guild: Guild, event: WebhookEvent): Promise<Outcome> {
    if (event.type !== 'balance.crossed' || event.data.realmId !== guild.realm) return { status: 204 }
    const id = `${guild.id}:${event.id}`
    if (this.#handled.has(id)) return { status: 204 }
    if (!this.#running.has(id)) {
      if (this.#running.size >= pendingCap) return later
      const work = this.#inTurn(guild, event).finally(() => this.#running.delete(id))
      this.#running.set(id, work)
    }
    const late = new AbortController()
    const slow = sleep(answerWithinMs, later, { signal: late.signal, ref: false }).catch(() => later)
    const outcome = await Promise.race([this.#running.get(id) ?? later, slow])
    late.abort()
    return outcome
  }

  #inTurn(guild: Guild, event: Crossing): Promise<Outcome> {
    const name = `${guild.id}:${event.data.memberId}`
    const work = (this.#last.get(name) ?? Promise.resolve()).then(() => this.#try(guild, event))
    this.#last.set(name, work)
    return work.finally(() => {
      if (this.#last.get(name) === work) this.#last.delete(name)
    })
  }

  /** Never rejects: what could not be done is sent again by Exchequer. */
  async #try(guild: Guild, event: Crossing): Promise<Outcome> {
    try {
      await this.#update(guild, event)
      this.#handled.add(`${guild.id}:${event.id}`)
      return { status: 204 }
    } catch (error) {
      const hint =
        error instanceof DiscordError && error.status === 403
          ? ' Move the role of the bot above the roles that it gives, and allow it to manage roles.'
          : ''
      const text = `A role of member ${event.data.memberId} could not be changed: ${String(error)}.${hint}`
      this.#log(text)
      return { status: 503, text }
    }
  }

  /**
   * The event says that the balance crossed a threshold; the balance itself says which role is right now. So
   * neither the order of events matters, nor a replay.
   */
  async #update(guild: Guild, { data }: Crossing): Promise<void> {
    const { memberId, realmPointId, threshold } = data
    const isOther = guild.realmPointId !== undefined && guild.realmPointId !== realmPointId
    // Null: the member was removed or erased.
    if (memberId === null || isOther) return
    const isEarned = (await this.#balanceOf(guild, memberId, realmPointId)) >= threshold
    for (const { roleId, tokens } of guild.roles) {
      if (tokens !== threshold) continue
      try {
        if (isEarned) await this.#discord.giveRole(guild.id, memberId, roleId)
        else await this.#discord.takeRole(guild.id, memberId, roleId)
      } catch (error) {
        if (!(error instanceof DiscordError) || error.code !== unknownMember) throw error
      }
    }
  }

  async #balanceOf(guild: Guild, memberId: string, realmPointId: string): Promise<number> {
    try {
      const member = await this.#realms.get(guild.id)?.member(memberId).get()
      return member?.balances[realmPointId] ?? 0
    } catch (error) {
      if (error instanceof NotFoundError && error.code === 'member_not_found') return 0
      throw error
    }
  }
}
