import type { IncomingMessage } from 'node:http'
import { invalid, type Refused } from '../../errors.ts'

/**
 * What Node takes for a request and RFC 9112 does not. A proxy in front may read it otherwise, and take what
 * follows for another request: it is refused, and its connection closed.
 */
export function framingFault(request: IncomingMessage): Refused | undefined {
  const { httpVersion, url, headers, rawHeaders } = request
  // A fragment is no part of a request: one proxy cuts it off, another takes it for a part of the path.
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
