/** What a client may hold of a server, and for how long. docs/limits.md publishes it. */
export type Bounds = {
  readonly headerBytes: number
  /** From the first byte of a request, or from the opening of its connection, to the end of its headers. */
  readonly headersMs: number
  /** From there to the end of its body. */
  readonly requestMs: number
  /** How long the rest of a body may take that nobody reads, as its request has been answered. */
  readonly unreadMs: number
  /** How long a client may leave an answer untaken. */
  readonly untakenMs: number
  /** How long a connection may rest between two requests. */
  readonly keepAliveMs: number
  readonly requestsPerConnection: number
  /** Requests on one connection that wait for their answers. */
  readonly pipelined: number
  readonly connections: number
  /** From one address; of IPv6 from one /64, as that is what one client is given. */
  readonly connectionsPerAddress: number
}

export const defaultBounds: Bounds = {
  headerBytes: 32 * 1024,
  headersMs: 10_000,
  requestMs: 20_000,
  unreadMs: 2_000,
  untakenMs: 30_000,
  keepAliveMs: 75_000,
  requestsPerConnection: 10_000,
  pipelined: 16,
  connections: 10_000,
  connectionsPerAddress: 1_000,
}
