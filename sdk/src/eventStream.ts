/** The server sends at least a comment every 10 s: after so long without a byte, the connection is dead. */
const silentMs = 30_000

/** One server-sent event, or other fields such as `retry`. The server writes each field on one line. */
export type ServerEvent = Readonly<Record<string, string>>

/** The events of a stream, until it ends, breaks or is silent for too long. */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = stream.getReader()
  const close = () => reader.cancel().catch(() => {})
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      // Only while it reads: the caller may take its time for an event.
      const timer = setTimeout(close, silentMs)
      const read = await reader.read().catch(() => undefined)
      clearTimeout(timer)
      if (!read?.value) return
      const blocks = (rest + decoder.decode(read.value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      yield* blocks.map(fieldsOf)
    }
  } finally {
    await close()
  }
}

const fieldsOf = (block: string): ServerEvent =>
  Object.fromEntries(
    Array.from(block.matchAll(/^(\w+): (.*)$/gm), ([, name = '', value = '']) => [name, value]),
  )
