import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver in its own process, which responds 200 at once, whatever it gets. Prints its port. */
const server = createServer((request, response) => {
  request.resume()
  response.end()
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
