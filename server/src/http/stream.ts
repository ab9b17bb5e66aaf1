import type { ServerResponse } from 'node:http'

/** Until the client has taken what was written, or is gone. */
function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.removeListener('drain', done)
      response.removeListener('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
}

/**
 * Sends pieces as they come, none before the client has taken those before it. One that fails cuts the
 * connection: the client must not take a part for the whole.
 */
export async function pour(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return
      if (!response.write(piece)) await taken(response)
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
}
