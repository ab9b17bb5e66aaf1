import type { OpenStream } from '../../events/streams/index.ts'
import type { StreamReply } from '../problem.ts'

export const eventStream = 'text/event-stream'

/** nginx, and proxies that copied it, would hold events back. */
const unbuffered = { 'x-accel-buffering': 'no' }

export const eventStreamReply = (
  { pieces, end }: OpenStream,
  headers: Readonly<Record<string, string>> = {},
): StreamReply => ({
  status: 200,
  body: pieces,
  type: `${eventStream}; charset=utf-8`,
  headers: { ...unbuffered, ...headers },
  stop: end,
  ended: end,
})
