import { invalid } from '../../errors.ts'
import { canonicalJson, hasMoreValues, parseJson } from '../wire/json.ts'

const metadataCapBytes = 2048
/** Each value has a character at least, and a comma or a bracket behind it. */
const metadataCapValues = metadataCapBytes / 2

/** A JSON object as the text that is kept: sorted, so that equal meanings are equal texts. */
export function metadataText(metadata: object | undefined, pointer = '/metadata'): string | undefined {
  if (metadata === undefined) return undefined
  // Counted first: to sort and write the names of a whole body would keep every other request waiting.
  const json = hasMoreValues(metadata, metadataCapValues) ? undefined : canonicalJson(metadata)
  if (json === undefined || Buffer.byteLength(json) > metadataCapBytes) {
    throw invalid(pointer, `Expected a JSON object, at most ${metadataCapBytes} bytes as JSON.`)
  }
  return json
}

/** What was kept, to be answered as it was sent: numbers lose nothing. */
export const metadataOf = (text: string | null): unknown => (text === null ? null : parseJson(text))
