import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { APIInteraction } from 'discord-api-types/v10'
import { Bot, type Log } from './bot.ts'
import { Discord } from './discord.ts'
import { HandledIds } from './handledIds.ts'
import { received } from './interaction.ts'
import { pong, responseOf, toMember } from './reply.ts'
import { type Outcome, Roles } from './roles.ts'
import type { BotSettings } from './settings.ts'
import { isSigned } from './signature.ts'

const interactionCap = 128 * 1024
const webhookCap = 1024 * 1024
const connectionsCap = 1_000
const stopWithinMs = 10_000

export type Running = {
  readonly url: string
  /** Accepts no more requests, and waits for those that are under way. */
  readonly stop: () => Promise<void>
}

/** Undefined when it is longer than the cap. */
async function bodyOf(request: IncomingMessage, cap: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > cap) return undefined
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > cap) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function send(response: ServerResponse, { status, text }: Outcome): void {
  const isOver = status === 413 ? { connection: 'close' } : {}
  const later = status === 503 ? { 'retry-after': '5' } : {}
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...isOver, ...later })
  response.end(text === undefined ? undefined : `${text}\n`)
}

const sendJson = (response: ServerResponse, value: object): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

class Endpoints {
  readonly #settings: BotSettings
  readonly #log: Log
  readonly #roles: Roles
  readonly bot: Bot

  constructor(settings: BotSettings, log: Log) {
    this.#settings = settings
    this.#log = log
    const discord = new Discord({ ...settings, url: settings.discordUrl })
    const guilds = [...settings.guilds.values()]
    this.bot = new Bot(guilds, discord, log)
    this.#roles = new Roles(guilds, { discord, handled: new HandledIds(settings.seenFile), log })
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0]
    const line = `${request.method} ${path}`
    if (line === 'GET /healthz') return sendJson(response, { status: 'ok' })
    if (line === 'POST /interactions') return this.#interaction(request, response)
    if (line === 'POST /exchequer') return this.#webhook(request, response)
    const isKnown = ['/healthz', '/interactions', '/exchequer'].includes(path ?? '')
    send(
      response,
      isKnown ? { status: 405, text: 'Method not allowed.' } : { status: 404, text: 'Not found.' },
    )
  }

  async #webhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request, webhookCap)
    if (!body) return send(response, { status: 413, text: 'The body is too long.' })
    send(response, await this.#roles.receive(request.headers, body))
  }

  async #interaction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request, interactionCap)
    if (!body) return send(response, { status: 413, text: 'The body is too long.' })
    const signature = headerOf(request, 'x-signature-ed25519')
    const timestamp = headerOf(request, 'x-signature-timestamp')
    if (!isSigned({ signature, timestamp, body }, this.#settings.publicKey))
      return send(response, { status: 401, text: 'Invalid request signature.' })
    let sent: APIInteraction
    try {
      sent = JSON.parse(body.toString()) as APIInteraction
    } catch {
      return send(response, { status: 400, text: 'The body is not JSON.' })
    }
    const one = received(sent, this.#settings.applicationId)
    if (one.is === 'ping') return sendJson(response, pong)
    if (one.is === 'other') return sendJson(response, responseOf(toMember(one.reason)))
    const { response: first, rest } = await this.bot.answer(one.interaction)
    // Discord rejects the rest of a reply before it has the first part.
    if (rest) response.once('close', () => void rest().catch((error: unknown) => this.#log(String(error))))
    sendJson(response, first)
  }
}

const listen = (server: Server, { host, port }: BotSettings): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })

/** Starts the endpoints of Discord and of Exchequer. */
export async function startServer(settings: BotSettings, log: Log): Promise<Running> {
  const endpoints = new Endpoints(settings, log)
  const limits = { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 30_000 }
  const server = createServer(limits, (request, response) => {
    endpoints.respond(request, response).catch((error: unknown) => {
      // A client that went away while it sent its request.
      if (request.destroyed && !request.complete) return
      log(`${request.method} ${request.url}: ${String(error)}`)
      if (!response.headersSent) send(response, { status: 500, text: 'Something went wrong.' })
    })
  })
  server.maxConnections = connectionsCap
  await listen(server, settings)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : settings.port
  return {
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), stopWithinMs)
      await closed
      clearTimeout(timer)
      await endpoints.bot.finish(stopWithinMs)
    },
  }
}
