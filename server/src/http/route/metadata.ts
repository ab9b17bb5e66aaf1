import { invalid } from '../../errors.ts'
import { canonicalJson, hasMoreValues, parseJson } from '../wire/json.ts'

const metadataCapBytes = 2048
/** Each value has at least one character, and a comma or a bracket after it. */
const metadataCapValues = metadataCapBytes / 2

/** A JSON object as it is stored: with sorted keys, so that equal objects are equal texts. */
export function metadataText(metadata: object | undefined, pointer = '/metadata'): string | undefined {
  if (metadata === undefined) return undefined
  // Counted first: sorting and writing a body full of names would block every other request.
  const json = hasMoreValues(metadata, metadataCapValues) ? undefined : canonicalJson(metadata)
  if (json === undefined || Buffer.byteLength(json) > metadataCapBytes) {
    throw invalid(pointer, `Expected a JSON object of at most ${metadataCapBytes} bytes.`)
  }
  return json
}

/** Stored metadata, returned as it was sent: numbers keep their precision. */
export const metadataOf = (text: string | null): unknown => (text === null ? null : parseJson(text))
