/** An event of a stream of server-sent events. `id` is the last one that was sent, with this event or before. */
export type StreamEvent = { readonly id: string | undefined; readonly data: string }

/** Longer than any entry. A server that never ends a line must not fill the memory. */
const longestLine = 1_000_000

/** Parses text/event-stream, in whatever pieces it arrives. */
export class EventParser {
  #rest = ''
  #data: string[] = []
  #id: string | undefined
  #retryMs: number | undefined
  #isFirst = true

  /** How long to wait before connecting again, if the server named a time. */
  get retryMs(): number | undefined {
    return this.#retryMs
  }

  /** The events that this piece completes. */
  push(piece: string): StreamEvent[] {
    let text = this.#rest + piece
    if (this.#isFirst && text !== '') {
      this.#isFirst = false
      if (text.startsWith('\uFEFF')) text = text.slice(1)
    }
    // A line feed may follow in the next piece, and would count as a second line break.
    const end = text.endsWith('\r') ? text.length - 1 : text.length
    const lines = text.slice(0, end).split(/\r\n|\n|\r/)
    this.#rest = (lines.pop() ?? '') + text.slice(end)
    if (this.#rest.length > longestLine) throw new Error('a line of the stream is too long')
    return lines.flatMap((line) => this.#take(line) ?? [])
  }

  /** An empty line ends an event; one without data is none. */
  #take(line: string): StreamEvent | undefined {
    if (line !== '') {
      this.#field(line)
      return undefined
    }
    const data = this.#data
    this.#data = []
    return data.length > 0 ? { id: this.#id, data: data.join('\n') } : undefined
  }

  /** A line that begins with a colon is a comment: its name is empty. */
  #field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') this.#data.push(value)
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^\d+$/.test(value)) this.#retryMs = Number(value)
  }
}
