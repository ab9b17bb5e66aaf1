/** Text or bytes, whole or streamed: a string, a Blob, a file stream, a response body. */
export type Source = string | Blob | ReadableStream<string | Uint8Array> | AsyncIterable<string | Uint8Array>

/** A source as text, piece by piece. Bytes are UTF-8; a byte order mark is not text. */
export async function* decoded(source: Source): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of chunksOf(source))
    yield typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

async function* chunksOf(source: Source): AsyncGenerator<string | Uint8Array> {
  if (typeof source === 'string') return yield source.replace(/^\uFEFF/, '')
  if (source instanceof Blob) return yield* chunksOf(source.stream())
  // Not every browser supports async iteration of a stream.
  if (!('getReader' in source)) return yield* source
  const reader = source.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}
