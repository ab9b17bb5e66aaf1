import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf, plainAddress } from './address.ts'
import type { Bounds } from './bounds.ts'

/** The state of a connection. */
type Held = {
  readonly from: string
  served: number
  unanswered: number
  /** Since when bytes of a response are unread; undefined when none are. */
  untakenSinceMs: number | undefined
  /** The bytes that the client had read by then. */
  takenBytes: number
}

/** A client that reads this much of a long response within `untakenMs` stays connected. */
const leastTakenBytes = 64 * 1024

/** One client: an IPv4 address in any notation, or the /64 of an IPv6 address. */
export const clientOf = (address: string): string => networkOf(plainAddress(address) ?? address)

/** Enforces limits for each connection and each client. */
export class Connections {
  readonly #bounds: Bounds
  readonly #isProxy: (address: string) => boolean
  readonly #held = new Map<Socket, Held>()
  readonly #perClient = new Map<string, number>()

  /** A proxy serves many clients: its address has no limit of its own. */
  constructor(bounds: Bounds, isProxy: (address: string) => boolean) {
    this.#bounds = bounds
    this.#isProxy = isProxy
  }

  get count(): number {
    return this.#held.size
  }

  /** Whether this connection is accepted. Otherwise it is closed at once, without a response. */
  open(socket: Socket): boolean {
    const address = socket.remoteAddress
    const from =
      address === undefined || this.#isProxy(plainAddress(address) ?? address) ? '' : clientOf(address)
    const already = this.#perClient.get(from) ?? 0
    if (address === undefined || (from !== '' && already >= this.#bounds.connectionsPerAddress)) {
      socket.destroy()
      return false
    }
    this.#perClient.set(from, already + 1)
    this.#held.set(socket, { from, served: 0, unanswered: 0, untakenSinceMs: undefined, takenBytes: 0 })
    socket.once('close', () => this.#closed(socket, from))
    return true
  }

  #closed(socket: Socket, from: string): void {
    this.#held.delete(socket)
    const left = (this.#perClient.get(from) ?? 1) - 1
    if (left > 0) this.#perClient.set(from, left)
    else this.#perClient.delete(from)
  }

  /** Wraps the handler: rejects requests that exceed their connection's limits. */
  guard(listener: RequestListener): RequestListener {
    const { requestsPerConnection, pipelined } = this.#bounds
    const answered = (response: ServerResponse) => this.#answered(response)
    // One function for all: one each, with its request, kept them in memory until the next full collection.
    function onClose(this: ServerResponse): void {
      answered(this)
    }
    return (request, response) => {
      const { socket } = request
      const held = this.#held.get(socket)
      // The connection is closing or closed: later requests are not served, as no response would arrive.
      if (!held || !socket.writable || held.served >= requestsPerConnection) return
      held.served += 1
      held.unanswered += 1
      if (held.unanswered > pipelined) {
        socket.destroy()
        return
      }
      if (held.served === requestsPerConnection) response.shouldKeepAlive = false
      response.on('close', onClose)
      listener(request, response)
    }
  }

  #answered(response: ServerResponse): void {
    const request: IncomingMessage = response.req
    const { socket } = request
    const held = this.#held.get(socket)
    if (held) held.unanswered -= 1
    if (request.complete || !response.writableFinished) return
    const late = () => request.complete || socket.destroy()
    setTimeout(late, this.#bounds.unreadMs).unref()
  }

  /** Closes connections whose clients do not read their responses. Call about once a second. */
  sweep(nowMs: number): void {
    for (const [socket, held] of this.#held) {
      const takenBytes = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0) held.untakenSinceMs = undefined
      else if (held.untakenSinceMs === undefined || takenBytes - held.takenBytes >= leastTakenBytes) {
        held.untakenSinceMs = nowMs
        held.takenBytes = takenBytes
      } else if (nowMs - held.untakenSinceMs > this.#bounds.untakenMs) socket.destroy()
    }
  }
}
