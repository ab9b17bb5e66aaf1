import { looksLikeAddress } from '../../members/identities/index.ts'
import { JsonNumber } from '../wire/json.ts'

/**
 * Marks the text of the error for an invalid value: what form it must have. It is not the description, which
 * gives the meaning of the field. Without this mark the text is derived from the schema.
 */
export const expectMark = 'x-expects'

/** The parts of a JSON Schema that define the form of a value. */
type Form = {
  readonly type?: string
  readonly const?: string | number | boolean
  readonly anyOf?: readonly Form[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly required?: readonly string[]
  readonly [expectMark]?: string
}

export const timeForm = 'a time with its zone, such as 2030-01-31T12:00:00Z'

/** The valid form of a value: `a whole number from 1 to 1000`. */
export function wanted(schema: object | undefined): string {
  const form = (schema ?? {}) as Form
  if (form[expectMark] !== undefined) return form[expectMark]
  if (form.anyOf) return either([...new Set(form.anyOf.map(wanted))])
  if (form.const !== undefined) return String(form.const)
  return byType[form.type ?? '']?.(form) ?? 'a valid value'
}

const either = (ways: readonly string[]): string =>
  ways.length < 2 ? (ways[0] ?? '') : `${ways.slice(0, -1).join(', ')} or ${ways.at(-1)}`

const between = (least: number | undefined, most: number | undefined): string =>
  most === undefined ? '' : least ? ` of ${least} to ${most}` : ` of at most ${most}`

const byType: Readonly<Record<string, (form: Form) => string>> = {
  null: () => 'null',
  boolean: () => 'true or false',
  integer: ({ minimum, maximum }) =>
    minimum === undefined || maximum === undefined
      ? 'a whole number'
      : `a whole number from ${minimum} to ${maximum}`,
  number: () => 'a number',
  string: ({ format, pattern, minLength, maxLength }) => {
    if (format === 'date-time') return timeForm
    if (pattern !== undefined) return `text that matches ${pattern}`
    return maxLength === undefined ? 'text' : `text${between(minLength, maxLength)} characters`
  },
  array: ({ minItems, maxItems }) =>
    maxItems === undefined ? 'a list' : `a list${between(minItems, maxItems)} items`,
  object: ({ required = [] }) =>
    required.length === 0 ? 'a JSON object' : `a JSON object with ${required.join(', ')}`,
}

const longestShown = 60

/** A sent value for an error text, cut where it is long. Undefined where none was sent. */
function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value instanceof JsonNumber) return cut(value.source)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  // Errors do not repeat e-mail addresses.
  if (typeof value === 'string' && looksLikeAddress(value)) return 'a malformed e-mail address'
  // Cut before quoting: it may be as long as a body.
  return JSON.stringify(typeof value === 'string' ? cut(value) : value)
}

const cut = (text: string): string => {
  if (text.length <= longestShown) return text.toWellFormed()
  return `${text.slice(0, longestShown).toWellFormed()}…`
}

/** The expected form, and the value that was sent. */
export function expected(schema: object | undefined, value?: unknown): string {
  const was = shown(value)
  return was === undefined ? `Expected ${wanted(schema)}.` : `Expected ${wanted(schema)}; got ${was}.`
}
