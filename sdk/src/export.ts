import { errorOf } from './errors.ts'
import { decoded } from './text.ts'

/** What can be exported, by the name of the file. */
export type ExportName = 'members.csv' | 'balances.csv' | 'entries.csv' | 'realm.ndjson'

/** An export on its way. It is true as of one entry of the journal. */
export class Exported {
  /** That entry's number. */
  readonly seq: string | undefined
  /** The file as it comes: for a pipe, a file or `new Response(stream)`. It can be read once. */
  readonly stream: ReadableStream<Uint8Array>

  constructor(stream: ReadableStream<Uint8Array>, seq: string | undefined) {
    this.stream = stream
    this.seq = seq
  }

  /**
   * The file line by line, without the ends of the lines.
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
