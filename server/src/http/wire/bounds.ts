/** Limits on clients' connections and requests. docs/limits.md publishes them. */
export type Bounds = {
  readonly headerBytes: number
  /** From the first byte of a request, or from the opening of its connection, to the end of its headers. */
  readonly headersMs: number
  /** From there to the end of its body. */
  readonly requestMs: number
  /** How long the unread rest of a body may take after its response was sent. */
  readonly unreadMs: number
  /** How long a client may leave a response unread. */
  readonly untakenMs: number
  /** How long a connection may be idle between two requests. */
  readonly keepAliveMs: number
  readonly requestsPerConnection: number
  /** Pipelined requests on one connection. */
  readonly pipelined: number
  readonly connections: number
  /** Connections from one address; for IPv6 from one /64, the network of one client. */
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
