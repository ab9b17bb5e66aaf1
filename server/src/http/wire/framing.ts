import type { IncomingMessage } from 'node:http'
import { invalid, type RefusalError } from '../../errors.ts'

/**
 * Rejects what Node accepts and RFC 9112 does not, and closes the connection. A proxy in front may parse it
 * differently and treat what follows as another request.
 */
export function framingFault(request: IncomingMessage): RefusalError | undefined {
  const { httpVersion, url, headers, rawHeaders } = request
  // A fragment is not part of a request: some proxies drop it, others treat it as part of the path.
  if (url?.includes('#')) return invalid('', 'Expected no # in the request line. Escape it as %23.')
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return invalid('', 'Expected HTTP/1.1 or HTTP/1.0 in the request line.')
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined)
    return invalid('header:Transfer-Encoding', 'HTTP/1.0 has no Transfer-Encoding. Send Content-Length.')
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1 ? invalid('header:Host', 'Expected one Host header.') : undefined
}
