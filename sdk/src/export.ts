import { errorOf } from './errors.ts'
import { decoded } from './text.ts'

/** The exports, by file name. */
export type ExportName = 'members.csv' | 'balances.csv' | 'entries.csv' | 'realm.ndjson'

/** A streamed export: the state after one entry of the journal. */
export class ExportFile {
  /** That entry's number. */
  readonly seq: string | undefined
  /** The file as a stream, for a pipe, a file or `new Response(stream)`. It can be read once. */
  readonly stream: ReadableStream<Uint8Array>

  constructor(stream: ReadableStream<Uint8Array>, seq: string | undefined) {
    this.stream = stream
    this.seq = seq
  }

  /**
   * The file line by line, without line breaks.
   *
   * @example
   * ```ts
   * const exported = await realm.export('realm.ndjson')
   * for await (const line of exported.lines()) console.log(JSON.parse(line))
   * ```
   */
  async *lines(): AsyncGenerator<string> {
    let rest = ''
    try {
      for await (const text of decoded(this.stream)) {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) yield line.replace(/\r$/, '')
      }
    } catch (cause) {
      const detail = 'The export was cut off: what came of it is not whole. Ask for it again.'
      throw errorOf({ status: 0, code: 'no_answer', detail }, cause)
    }
    if (rest !== '') yield rest
  }
}
