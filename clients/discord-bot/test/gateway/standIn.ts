import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type APIGatewayBotInfo,
  type GatewayGuildCreateDispatchData,
  GatewayOpcodes,
  type GatewayReadyDispatchData,
  type GatewayResumeData,
} from 'discord-api-types/v10'
import { type WebSocket, WebSocketServer } from 'ws'
import { userOf } from '../interactions.ts'
import { applicationId, botToken } from '../standIn.ts'
import { self } from './events.ts'
import { checkHeartbeat, checkIdentify, checkPayload, checkResume } from './shapes.ts'

/**
 * A stand-in for Discord's gateway, on loopback: not Discord, and no proof that Discord behaves so. It sends
 * what Discord documents, and checks the form of all that arrives.
 */

const heartbeatMs = 400
/** Not replayed. */
const ofConnection = ['READY', 'RESUMED', 'GUILD_CREATE']

type Event = { readonly s: number; readonly t: string; readonly d: unknown }
type Session = { readonly id: string; readonly events: Event[]; socket: WebSocket | undefined }

export class GatewayStandIn {
  readonly #guilds: () => readonly GatewayGuildCreateDispatchData[]
  readonly #http = createServer((request, response) => this.#respond(request, response))
  readonly #server = new WebSocketServer({ server: this.#http })
  readonly #sessions = new Map<string, Session>()
  readonly problems: string[] = []
  identified = 0
  resumed = 0
  heartbeats = 0
  /** Whether RESUME replays all events of a session, also those that the bot has. */
  replaysAll = false
  /** Whether connections are ended as soon as they are made. */
  isAway = false

  private constructor(guilds: () => readonly GatewayGuildCreateDispatchData[]) {
    this.#guilds = guilds
    this.#server.on('connection', (socket, request) => this.#accept(socket, request))
  }

  /** `guilds`: as a new session is sent them. */
  static async start(guilds: () => readonly GatewayGuildCreateDispatchData[]): Promise<GatewayStandIn> {
    const one = new GatewayStandIn(guilds)
    one.#http.listen(0, '127.0.0.1')
    await once(one.#http, 'listening')
    return one
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/api/v10`
  }

  /** To all sessions; one without a connection gets it when it resumes. */
  dispatch(t: string, d: unknown): void {
    for (const session of this.#sessions.values()) this.#event(session, t, d)
  }

  /** Ends the connections, as a network does. */
  drop(): void {
    for (const socket of this.#server.clients) socket.terminate()
  }

  /** Asks for a new connection, as Discord does before it restarts a server. */
  reconnect(): void {
    for (const socket of this.#server.clients)
      socket.send(JSON.stringify({ op: GatewayOpcodes.Reconnect, d: null, s: null, t: null }))
  }

  /** No session can be resumed any more. */
  forgetSessions(): void {
    this.#sessions.clear()
  }

  stop(): void {
    this.drop()
    this.#server.close()
    this.#http.closeAllConnections()
    this.#http.close()
  }

  #respond({ method, url, headers }: IncomingMessage, response: ServerResponse): void {
    this.#try(`${method} ${url}`, () => {
      assert.equal(`${method} ${url}`, 'GET /api/v10/gateway/bot')
      assert.equal(headers.authorization, `Bot ${botToken}`)
      assert.match(headers['user-agent'] ?? '', /^DiscordBot \(https:\/\/\S+, \d+\.\d+\.\d+\)/)
    })
    const limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 16 }
    const info: APIGatewayBotInfo = {
      url: `ws://127.0.0.1:${this.#port}`,
      shards: 1,
      session_start_limit: limit,
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info))
  }

  #accept(socket: WebSocket, { url = '' }: IncomingMessage): void {
    this.#try('the address of the gateway', () =>
      assert.deepEqual(Object.fromEntries(new URL(url, 'ws://x').searchParams), {
        v: '10',
        encoding: 'json',
      }),
    )
    if (this.isAway) {
      socket.terminate()
      return
    }
    const hello = { op: GatewayOpcodes.Hello, d: { heartbeat_interval: heartbeatMs }, s: null, t: null }
    socket.send(JSON.stringify(hello))
    let session: Session | undefined
    socket.on('message', (data) => {
      this.#try('a message of the gateway', () => {
        const { op, d } = checkPayload((data as Buffer).toString())
        if (op === GatewayOpcodes.Heartbeat) this.#heartbeat(socket, session, d)
        else if (op === GatewayOpcodes.Identify) session = this.#identify(socket, d)
        else session = this.#resume(socket, checkResume(d))
      })
    })
  }

  #heartbeat(socket: WebSocket, session: Session | undefined, d: unknown): void {
    checkHeartbeat(d, session?.events.length ?? 0)
    this.heartbeats += 1
    socket.send(JSON.stringify({ op: GatewayOpcodes.HeartbeatAck, d: null, s: null, t: null }))
  }

  #identify(socket: WebSocket, d: unknown): Session {
    checkIdentify(d)
    this.identified += 1
    const session: Session = { id: `session${this.identified}`, events: [], socket }
    this.#sessions.set(session.id, session)
    const guilds = this.#guilds()
    const ready: GatewayReadyDispatchData = {
      v: 10,
      user: { ...userOf(self), bot: true },
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: `ws://127.0.0.1:${this.#port}`,
      shard: [0, 1],
      application: { id: applicationId } as GatewayReadyDispatchData['application'],
    }
    this.#event(session, 'READY', ready)
    for (const guild of guilds) this.#event(session, 'GUILD_CREATE', guild)
    return session
  }

  #resume(socket: WebSocket, { session_id: id, seq }: GatewayResumeData): Session | undefined {
    const session = this.#sessions.get(id)
    if (!session) {
      socket.send(JSON.stringify({ op: GatewayOpcodes.InvalidSession, d: false, s: null, t: null }))
      return undefined
    }
    assert.ok(seq <= session.events.length, `seq ${seq} was not sent yet`)
    this.resumed += 1
    session.socket = socket
    const replayed = session.events.filter(
      ({ t, s }) => !ofConnection.includes(t) && (this.replaysAll || s > seq),
    )
    for (const event of replayed) socket.send(JSON.stringify({ op: GatewayOpcodes.Dispatch, ...event }))
    this.#event(session, 'RESUMED', {})
    return session
  }

  #event(session: Session, t: string, d: unknown): void {
    const event = { s: session.events.length + 1, t, d }
    session.events.push(event)
    if (session.socket?.readyState === 1)
      session.socket.send(JSON.stringify({ op: GatewayOpcodes.Dispatch, ...event }))
  }

  #try(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      this.problems.push(`${what}: ${(error as Error).message}`)
    }
  }
}
