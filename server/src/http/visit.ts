import type { IncomingMessage } from 'node:http'
import type { Code } from '../errors.ts'

/** One request on its way through the door. */
export type Visit = {
  readonly requestId: string
  /** Of any answer from some point on. */
  headers: Readonly<Record<string, string>> | undefined
  /** What its route leaves out of it, as pointers. */
  ignored?: readonly string[] | undefined
  /** The pattern of the route that it came to, never what was sent; undefined when refused before. */
  route?: string
  realmId?: string
  /** Whose answer it is; the client's address when not known. */
  client?: string | undefined
  /** Whether its secret has waited to be looked up. */
  waited?: boolean
  /** Whether the connection ends with its answer. */
  closes?: boolean
}

/** How a request was answered, for whoever watches. */
export type Answered = {
  readonly visit: Visit
  readonly method: string
  readonly status: number
  readonly tookMs: number
  /** The codes of what was refused: of one request one, of a list of changes many. */
  readonly refused: readonly Code[]
  /** What was answered with what had been done before. */
  readonly replays: number
}

/** The way of a request through a trace. */
export type Trail = {
  /** Does this work as a part of it. */
  within<T>(work: () => T): T
  end(answered: Answered): void
}

/** Whoever watches requests. */
export type RequestWatch = {
  /** Undefined when nobody traces. */
  come(request: IncomingMessage): Trail | undefined
  answered(answered: Answered): void
}

export const noWatch: RequestWatch = { come: () => undefined, answered: () => {} }
