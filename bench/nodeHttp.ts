import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * `node:http` and nothing else: every request gets the headers and the body of a member, from memory. What a
 * server on `node:http` can reach on this machine.
 */
const body = JSON.stringify({
  id: '50000',
  realmId: 'big',
  username: 'member-50000',
  displayName: 'Member 50000',
  balances: { gold: 1000 },
  tokenBalance: 1000,
  held: {},
  joinedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  frozen: false,
  hidden: false,
})
let count = 0

const server = createServer((_request, response) => {
  count += 1
  response.writeHead(200, {
    'x-request-id': `node-http-${count.toString(36)}`,
    'exchequer-version': '0.1.0',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    etag: '"1-1.1767225600000000"',
  })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})
process.on('SIGTERM', () => {
  server.close()
  server.closeAllConnections()
})
