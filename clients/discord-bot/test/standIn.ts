import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { APIInteraction, APIInteractionResponse } from 'discord-api-types/v10'
import { checkCommands, checkMessage, checkResponse } from './shapes.ts'

/**
 * A stand-in for Discord, on loopback: not Discord, and no proof that Discord behaves so. It receives what
 * the bot sends to Discord's API and checks its form, and sends signed interactions as Discord documents.
 */

export const applicationId = '1290000000000000001'
export const botToken = 'stand-in.bot.token'

export type Call = { readonly method: string; readonly path: string; readonly body: unknown }
export type Sent = {
  readonly status: number
  readonly text: string
  readonly tookMs: number
  /** Undefined unless the status is 200. */
  readonly response?: APIInteractionResponse
}
type Trouble = { readonly status: number; readonly retryAfterSeconds?: number; readonly isGlobal?: boolean }

/** Discord's limit for the first response. */
const answerWithinMs = 3_000

export class DiscordStandIn {
  readonly #server = createServer((request, response) => void this.#respond(request, response))
  readonly #keys = generateKeyPairSync('ed25519')
  readonly #troubles: Trouble[] = []
  #blockedUntilMs = 0
  /** The requests that succeeded. */
  readonly calls: Call[] = []
  /** How many arrived, and what was wrong with them. */
  arrived = 0
  readonly problems: string[] = []

  static async start(): Promise<DiscordStandIn> {
    const one = new DiscordStandIn()
    one.#server.listen(0, '127.0.0.1')
    await once(one.#server, 'listening')
    return one
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get publicKey(): string {
    const { x = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return Buffer.from(x, 'base64url').toString('hex')
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** The next requests of the bot are answered so. */
  trouble(...list: readonly Trouble[]): void {
    this.#troubles.push(...list)
  }

  callsOf(method: string, path: string | RegExp): Call[] {
    return this.calls.filter(
      (call) =>
        call.method === method && (typeof path === 'string' ? call.path === path : path.test(call.path)),
    )
  }

  /** The headers of a body that Discord signed, at this time. */
  signed(body: string, timestamp = String(Math.floor(Date.now() / 1000)), key?: KeyObject) {
    const signature = sign(null, Buffer.from(timestamp + body), key ?? this.#keys.privateKey)
    return {
      'content-type': 'application/json',
      'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
      'x-signature-ed25519': signature.toString('hex'),
      'x-signature-timestamp': timestamp,
    }
  }

  /** Sends an interaction, and checks the form and the time of the response. */
  async send(botUrl: string, interaction: APIInteraction): Promise<Sent> {
    const body = JSON.stringify(interaction)
    const startedMs = performance.now()
    const answer = await fetch(`${botUrl}/interactions`, { method: 'POST', headers: this.signed(body), body })
    const text = await answer.text()
    const tookMs = performance.now() - startedMs
    if (tookMs > answerWithinMs)
      this.problems.push(`an interaction was answered after ${Math.round(tookMs)} ms`)
    if (answer.status !== 200) return { status: answer.status, text, tookMs }
    return { status: 200, text, tookMs, response: checkResponse(JSON.parse(text)) }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const sent = Buffer.concat(chunks).toString()
    this.arrived += 1
    const call = { method: request.method ?? '', path: request.url ?? '', body: sent && JSON.parse(sent) }
    if (Date.now() < this.#blockedUntilMs)
      this.problems.push(`${call.method} ${call.path} came before Retry-After`)
    const trouble = this.#troubles.shift()
    if (trouble) {
      this.#reject(response, trouble)
      return
    }
    try {
      check(call, request)
    } catch (error) {
      this.problems.push(`${call.method} ${call.path}: ${(error as Error).message}`)
      response.writeHead(400, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ code: 50_035, message: 'Invalid Form Body' }))
    }
    this.calls.push(call)
    if (call.method === 'PUT' && Array.isArray(call.body)) return reply(response, 200, call.body)
    if (call.path.includes('/roles/')) return void response.writeHead(204).end()
    reply(response, 200, { id: '1390000000000000001', ...(call.body as object) })
  }

  #reject(response: ServerResponse, { status, retryAfterSeconds, isGlobal = false }: Trouble): void {
    if (retryAfterSeconds === undefined) {
      reply(response, status, { code: 0, message: 'stand-in' })
      return
    }
    this.#blockedUntilMs = Date.now() + retryAfterSeconds * 1000
    response.setHeader('retry-after', String(Math.ceil(retryAfterSeconds)))
    response.setHeader('x-ratelimit-scope', isGlobal ? 'global' : 'user')
    const message = 'You are being rate limited.'
    reply(response, status, { message, retry_after: retryAfterSeconds, global: isGlobal })
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const id = '[0-9]{15,20}'
const ofRole = new RegExp(`^/guilds/${id}/members/${id}/roles/${id}$`)
const ofCommands = new RegExp(`^/applications/${applicationId}/guilds/${id}/commands$`)
const ofReply = new RegExp(`^/webhooks/${applicationId}/[\\w-]+(/messages/@original)?$`)

/** One of the bot's routes, with its headers and its body. */
function check({ method, path, body }: Call, { headers }: IncomingMessage): void {
  assert.match(headers['user-agent'] ?? '', /^DiscordBot \(https:\/\/\S+, \d+\.\d+\.\d+\)$/)
  if (ofRole.test(path)) {
    assert.ok(method === 'PUT' || method === 'DELETE', `${method} of a role`)
    assert.equal(headers.authorization, `Bot ${botToken}`)
    assert.equal(body, '', 'a role has no body')
    return
  }
  assert.equal(headers['content-type'], 'application/json')
  if (ofCommands.test(path)) {
    assert.equal(method, 'PUT')
    assert.equal(headers.authorization, `Bot ${botToken}`)
    checkCommands(body)
    return
  }
  assert.match(path, ofReply, 'no route of Discord that the bot uses')
  assert.equal(headers.authorization, undefined, 'the token of the bot is not for webhooks')
  const isEdit = path.endsWith('/@original')
  assert.equal(method, isEdit ? 'PATCH' : 'POST')
  checkMessage(body, !isEdit)
}
