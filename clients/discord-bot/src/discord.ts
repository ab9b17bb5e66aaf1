import { setTimeout as sleep } from 'node:timers/promises'
import type {
  RESTPatchAPIInteractionOriginalResponseJSONBody,
  RESTPostAPIInteractionFollowupJSONBody,
  RESTPutAPIApplicationGuildCommandsJSONBody,
} from 'discord-api-types/v10'
import { version } from './version.ts'

export type DiscordSettings = {
  /** Of Discord's API, without a slash at its end. */
  readonly url: string
  readonly applicationId: string
  readonly token: string
}

type Request = {
  readonly method: 'PUT' | 'DELETE' | 'PATCH' | 'POST'
  readonly path: string
  readonly body?: object
  /** What shares a rate limit. */
  readonly bucket: string
  /** Whether the path has its own token. */
  readonly isPublic?: boolean
}

/** Discord rejected a request, or did not respond. */
export class DiscordError extends Error {
  override readonly name = 'DiscordError'
  readonly status: number
  /** Discord's own code, such as 10007 for an unknown member. */
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const attempts = 5
const timeoutMs = 5_000
const longestWaitMs = 60_000
const bucketsCap = 1_000
const userAgent = `DiscordBot (https://www.npmjs.com/package/@exchequer/discord-bot, ${version})`

/** Requests to Discord. A rate limit is waited for, by the seconds that Discord names. */
export class Discord {
  readonly #settings: DiscordSettings
  /** Until when a bucket is exhausted. */
  readonly #until = new Map<string, number>()

  constructor(settings: DiscordSettings) {
    this.#settings = settings
  }

  async giveRole(guildId: string, memberId: string, roleId: string): Promise<void> {
    await this.#role('PUT', { guildId, memberId, roleId })
  }

  async takeRole(guildId: string, memberId: string, roleId: string): Promise<void> {
    await this.#role('DELETE', { guildId, memberId, roleId })
  }

  /** Fills in the reply that was deferred. */
  async edit(token: string, body: RESTPatchAPIInteractionOriginalResponseJSONBody): Promise<void> {
    const path = `${this.#hook(token)}/messages/@original`
    await this.#send({ method: 'PATCH', path, body, bucket: token, isPublic: true })
  }

  async followUp(token: string, body: RESTPostAPIInteractionFollowupJSONBody): Promise<void> {
    await this.#send({ method: 'POST', path: this.#hook(token), body, bucket: token, isPublic: true })
  }

  /** Replaces the commands of a server. */
  async register(guildId: string, body: RESTPutAPIApplicationGuildCommandsJSONBody): Promise<void> {
    const path = `/applications/${this.#settings.applicationId}/guilds/${guildId}/commands`
    await this.#send({ method: 'PUT', path, body, bucket: `commands ${guildId}` })
  }

  #hook(token: string): string {
    return `/webhooks/${this.#settings.applicationId}/${encodeURIComponent(token)}`
  }

  #role(method: 'PUT' | 'DELETE', of: { guildId: string; memberId: string; roleId: string }): Promise<void> {
    const path = `/guilds/${of.guildId}/members/${of.memberId}/roles/${of.roleId}`
    return this.#send({ method, path, bucket: `roles ${of.guildId}` })
  }

  async #send(request: Request): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.#rest(request.bucket)
      const outcome = await this.#attempt(request)
      if (outcome === undefined) return
      const { error, waitMs } = outcome
      if (attempt >= attempts || waitMs === undefined || waitMs > longestWaitMs) throw error
      await sleep(waitMs)
    }
  }

  /** Waits until the bucket, and the bot as a whole, may send again. */
  async #rest(bucket: string): Promise<void> {
    const until = Math.max(this.#until.get(bucket) ?? 0, this.#until.get('global') ?? 0)
    const waitMs = until - Date.now()
    if (waitMs > longestWaitMs) throw new DiscordError(429, 0, `Discord’s rate limit lasts ${waitMs} ms.`)
    if (waitMs > 0) await sleep(waitMs)
  }

  /** Undefined when it has succeeded; without `waitMs` another attempt would be rejected as well. */
  async #attempt(request: Request): Promise<{ error: DiscordError; waitMs?: number } | undefined> {
    const { method, path, body, isPublic } = request
    const headers = {
      'user-agent': userAgent,
      // The token of an interaction is in the path of its webhook.
      ...(isPublic ? {} : { authorization: `Bot ${this.#settings.token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    }
    const text = body ? { body: JSON.stringify(body) } : {}
    const signal = AbortSignal.timeout(timeoutMs)
    let response: Response
    try {
      response = await fetch(this.#settings.url + path, { method, headers, ...text, signal })
    } catch (cause) {
      return { error: new DiscordError(0, 0, `Discord did not respond: ${String(cause)}`), waitMs: 500 }
    }
    const said = await response.text().catch(() => '')
    this.#note(request.bucket, response.headers)
    if (response.ok) return undefined
    const { code, message, retryAfterMs, isGlobal } = problemOf(said, response.headers)
    const error = new DiscordError(response.status, code, `${response.status} ${message}`)
    if (response.status === 429) {
      this.#block(isGlobal ? 'global' : request.bucket, retryAfterMs)
      return { error, waitMs: retryAfterMs }
    }
    // Discord may not know a deferred reply yet when the rest of it arrives.
    const isEarly = isPublic === true && response.status === 404
    return response.status >= 500 || isEarly ? { error, waitMs: 500 } : { error }
  }

  /** Waits before the next request of a bucket that this response has exhausted. */
  #note(bucket: string, headers: Headers): void {
    if (headers.get('x-ratelimit-remaining') !== '0') return
    this.#block(bucket, Number(headers.get('x-ratelimit-reset-after') ?? 0) * 1000 || 0)
  }

  #block(bucket: string, forMs: number): void {
    if (this.#until.size >= bucketsCap) {
      const nowMs = Date.now()
      for (const [name, until] of this.#until) if (until <= nowMs) this.#until.delete(name)
      if (this.#until.size >= bucketsCap) this.#until.clear()
    }
    this.#until.set(bucket, Date.now() + forMs)
  }
}

function problemOf(said: string, headers: Headers) {
  let problem: { code?: number; message?: string; retry_after?: number; global?: boolean } = {}
  try {
    problem = JSON.parse(said) as typeof problem
  } catch {
    // A proxy's page: its status is all that is known.
  }
  const seconds = problem.retry_after ?? (Number(headers.get('retry-after') ?? 1) || 1)
  return {
    code: problem.code ?? 0,
    message: (problem.message ?? 'without a reason').slice(0, 200),
    retryAfterMs: Math.max(0, Math.ceil(seconds * 1000)),
    isGlobal: problem.global === true || headers.get('x-ratelimit-global') === 'true',
  }
}
