import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { Stop } from './exits.ts'

export const cutOff = (what: string): Stop =>
  new Stop('unreachable', `The ${what} was cut off and is incomplete. Run the command again.`)

type Passing = { readonly what: string; readonly onChunk?: (chunk: Uint8Array) => void }

/** Streams chunks with backpressure. A stream that ends early is an error. */
export async function passOn(
  stream: ReadableStream<Uint8Array>,
  to: Writable,
  { what, onChunk }: Passing,
): Promise<void> {
  try {
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      onChunk?.(chunk)
      if (to.errored) throw to.errored
      if (!to.write(chunk)) await once(to, 'drain')
    }
  } catch (error) {
    // Errors of the destination have a code: no space left, a closed pipe.
    if ((error as NodeJS.ErrnoException).code?.startsWith('E')) throw error
    throw cutOff(what)
  }
}
