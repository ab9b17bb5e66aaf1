import type { RequestListener } from 'node:http'
import { RefusalError, refuse } from '../../errors.ts'
import { type Log, problemOf, type Reply, send } from '../problem.ts'

export type MetricsListenerOptions = {
  readonly text: () => Promise<string>
  readonly contentType: string
  readonly makeRequestId: () => string
  readonly log: Log
}

/** The handler of the separate metrics port: only /metrics, without authentication. */
export function createMetricsListener({
  text,
  contentType,
  makeRequestId,
  log,
}: MetricsListenerOptions): RequestListener {
  const answer = async (method: string | undefined, url: string | undefined): Promise<Reply> => {
    if (url?.split('?', 1)[0] !== '/metrics')
      throw refuse('route_not_found', 'This port serves only /metrics.')
    if (method === 'GET' || method === 'HEAD') return { status: 200, body: await text(), type: contentType }
    const detail = 'Only GET and HEAD are allowed here.'
    throw new RefusalError({ code: 'method_not_allowed', detail, headers: { allow: 'GET, HEAD' } })
  }
  return ({ method, url }, response) => {
    const requestId = makeRequestId()
    void answer(method, url)
      .catch((error: unknown) => problemOf(error, requestId, log))
      .then((reply) => send(response, reply, { requestId, headers: undefined }))
      .catch((error: unknown) => log.error({ requestId, err: error }, 'a response could not be sent'))
  }
}
