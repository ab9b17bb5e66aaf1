import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@exchequer/sdk/webhooks'

/** In your program a table with a unique id, written in the transaction that handles the event. */
const handled = new Set<string>()

createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(request.headers, await buffer(request), process.env['SECRET'] ?? '')
    if (!handled.has(event.id)) console.log(event.type, event.id, JSON.stringify(event.data))
    handled.add(event.id)
    response.writeHead(204).end()
  } catch (error) {
    console.error(String(error))
    response.writeHead(400).end()
  }
}).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
