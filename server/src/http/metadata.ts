import { invalid } from '../errors.ts'
import { canonicalJson, parseJson } from './json.ts'

const metadataCapBytes = 2048

/** A JSON object as the text that is kept: sorted, so that equal meanings are equal texts. */
export function metadataText(metadata: object | undefined, pointer = '/metadata'): string | undefined {
  const json = metadata === undefined ? undefined : canonicalJson(metadata)
  if (json !== undefined && Buffer.byteLength(json) > metadataCapBytes) {
    throw invalid(pointer, `Expected a JSON object, at most ${metadataCapBytes} bytes as JSON.`)
  }
  return json
}

/** What was kept, to be answered as it was sent: numbers lose nothing. */
export const metadataOf = (text: string | null): unknown => (text === null ? null : parseJson(text))
