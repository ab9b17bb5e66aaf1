import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { overloaded, RefusalError } from '../../errors.ts'
import type { Reply, StreamReply } from '../problem.ts'

export type OutgoingCaps = {
  /** Bytes of responses that clients have not read yet, in the whole process. */
  readonly bytes: number
  /** For one key; for one operator, person or address where there is no key. */
  readonly clientBytes: number
}

export const defaultOutgoing: OutgoingCaps = { bytes: 64 * 1024 * 1024, clientBytes: 8 * 1024 * 1024 }

/** A response up to this size is not counted when its connection has no other unread bytes. */
const smallBytes = 4 * 1024
/** When the process reaches its limit, the oldest response that has waited this long is aborted. */
const graceMs = 1_000

type Held = {
  readonly client: string
  readonly bytes: number
  readonly sinceMs: number
  readonly response: ServerResponse
}

/** Limits the memory of responses that clients have not read yet, in total and per client. */
export class Outgoing {
  readonly #caps: OutgoingCaps
  readonly #nowMs: () => number
  readonly #perClient = new Map<string, number>()
  /** Oldest first. */
  readonly #held = new Set<Held>()
  /** For each open connection with a counted response. */
  readonly #perSocket = new WeakMap<Socket, Set<Held>>()
  #bytes = 0

  constructor(caps: OutgoingCaps = defaultOutgoing, nowMs: () => number = () => performance.now()) {
    this.#caps = caps
    this.#nowMs = nowMs
  }

  /** Throws 429 for a client that has reached its limit of unread bytes. */
  admit(client: string): void {
    if ((this.#perClient.get(client) ?? 0) >= this.#caps.clientBytes) throw untaken()
  }

  /**
   * Counts a response until its client has read it, and returns it as bytes. Throws 429 or 503 at the limit,
   * but not for a change: it has happened, and the response must say so.
   */
  hold(reply: Reply | StreamReply, response: ServerResponse, client: () => string): Reply | StreamReply {
    const { body } = reply
    // Static pages share their bytes, and exports are limited by number.
    const isOwn = typeof body === 'string' || (reply.isOwn && Buffer.isBuffer(body))
    if (!isOwn || response.req.method === 'HEAD' || response.req.socket.destroyed) return reply
    if (body.length * 3 <= smallBytes && response.socket?.writableLength === 0) return reply
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    this.#take(bytes.length, response, client())
    return { ...reply, body: bytes }
  }

  #take(bytes: number, response: ServerResponse, client: string): void {
    const isRead = reads.has(response.req.method)
    const already = this.#perClient.get(client) ?? 0
    if (isRead && already > 0 && already + bytes > this.#caps.clientBytes) throw untaken()
    if (!this.#makeRoom(bytes) && isRead) throw new RefusalError(overloaded)
    const held = { client, bytes, sinceMs: this.#nowMs(), response }
    this.#held.add(held)
    this.#bytes += bytes
    this.#perClient.set(client, already + bytes)
    this.#heldOf(response.req.socket).add(held)
    response.once('close', () => this.#release(held))
  }

  /** A queued response on a broken connection is never written, and emits no event. */
  #heldOf(socket: Socket): Set<Held> {
    const known = this.#perSocket.get(socket)
    if (known) return known
    const all = new Set<Held>()
    this.#perSocket.set(socket, all)
    socket.once('close', () => {
      for (const held of all) this.#release(held)
    })
    return all
  }

  /** Aborts the responses that have waited longest, as many as needed. */
  #makeRoom(bytes: number): boolean {
    const nowMs = this.#nowMs()
    for (const held of this.#held) {
      if (this.#bytes + bytes <= this.#caps.bytes || nowMs - held.sinceMs < graceMs) break
      this.#release(held)
      held.response.req.socket.destroy()
    }
    return this.#bytes + bytes <= this.#caps.bytes
  }

  #release(held: Held): void {
    if (!this.#held.delete(held)) return
    this.#perSocket.get(held.response.req.socket)?.delete(held)
    this.#bytes -= held.bytes
    const left = (this.#perClient.get(held.client) ?? 0) - held.bytes
    if (left > 0) this.#perClient.set(held.client, left)
    else this.#perClient.delete(held.client)
  }
}

const reads: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'QUERY'])

const untaken = (): RefusalError =>
  new RefusalError({
    code: 'rate_limited',
    detail: 'This client has too many unread responses. Nothing was changed; read them, then try again.',
    headers: { 'retry-after': '1' },
  })
