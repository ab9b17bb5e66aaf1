import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verifyWebhook } from '@exchequer/sdk/webhooks'

/** In your program a table with a unique id, written in the transaction that handles the event. */
const handled = new Set<string>()

async function receive(request: IncomingMessage): Promise<void> {
  const event = await verifyWebhook(request.headers, await buffer(request), process.env['SECRET'] ?? '')
  if (!handled.has(event.id)) console.log(event.type, event.id, JSON.stringify(event.data))
  handled.add(event.id)
}

createServer((request, response) => {
  const answer = (status: number, text = '') => response.writeHead(status).end(text)
  receive(request).then(
    () => answer(204),
    (error: unknown) => answer(401, String(error)),
  )
}).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1')
