import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { verifyWebhook, WebhookError, type WebhookEvent } from '@exchequer/sdk/webhooks'
import { Inbox } from './inbox.ts'

export type WebhookServer = {
  readonly secret: string
  readonly port: number
  /** The file of the inbox. */
  readonly inbox: string
  /** Called once for each event, and again only if it throws or the program is killed meanwhile. */
  readonly handle: (event: WebhookEvent) => Promise<void>
}

const bodyCap = 1_048_576
const retryMs = 5_000
const lookEveryMs = 1_000

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyCap) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Receives webhooks: verifies and stores each one, responds at once, and handles it afterwards. */
export function serveWebhooks({ secret, port, inbox: file, handle }: WebhookServer): void {
  const inbox = new Inbox(file)
  let isWorking = false
  const work = async (): Promise<void> => {
    if (isWorking) return
    isWorking = true
    for (let event = inbox.next(); event; event = inbox.next()) {
      try {
        await handle(event)
        inbox.finish(event)
      } catch (error) {
        console.error(`${event.id} is tried again in ${retryMs / 1000} s: ${String(error)}`)
        inbox.postpone(event, retryMs)
      }
    }
    isWorking = false
  }
  const receive = async (request: IncomingMessage): Promise<readonly [status: number, text?: string]> => {
    const body = await bodyOf(request)
    if (!body) return [413, 'The body is too long.']
    try {
      inbox.store(await verifyWebhook(request.headers, body, secret))
      return [204]
    } catch (error) {
      if (error instanceof WebhookError) return [401, error.message]
      throw error
    }
  }
  const respond = (request: IncomingMessage, response: ServerResponse) =>
    receive(request).then(
      ([status, text]) => {
        response.writeHead(status).end(text)
        void work()
      },
      (error: unknown) => {
        console.error(error)
        // The server tries it again later.
        response.writeHead(500).end()
      },
    )
  createServer((request, response) => void respond(request, response)).listen(port, '127.0.0.1')
  // What was not handled when the program ended, and what is to be tried again.
  void work()
  setInterval(() => void work(), lookEveryMs)
}
