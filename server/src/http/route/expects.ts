import { JsonNumber } from '../wire/json.ts'

/**
 * Marks what a caller should send where a value does not fit. It is not the description: that says what a
 * field means, and this what form it has. Where there is none, it is made of the schema.
 */
export const expectMark = 'x-expects'

/** The parts of a JSON Schema that say what form a value has. */
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

/** What a value should be: `a whole number from 1 to 1000`. */
export function wanted(schema: object | undefined): string {
  const form = (schema ?? {}) as Form
  if (form[expectMark] !== undefined) return form[expectMark]
  if (form.anyOf) return either([...new Set(form.anyOf.map(wanted))])
  if (form.const !== undefined) return String(form.const)
  return byType[form.type ?? '']?.(form) ?? 'what the documentation describes'
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
    if (pattern !== undefined) return `text of the form ${pattern}`
    return maxLength === undefined ? 'text' : `text${between(minLength, maxLength)} characters`
  },
  array: ({ minItems, maxItems }) =>
    maxItems === undefined ? 'a list' : `a list${between(minItems, maxItems)} items`,
  object: ({ required = [] }) =>
    required.length === 0 ? 'a JSON object' : `a JSON object with ${required.join(', ')}`,
}

const longestShown = 60

/** A value as it was sent, in a text: cut where it is long. Undefined where there is none. */
function shown(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value instanceof JsonNumber) return cut(value.source)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  // Cut before it is quoted: it may be as long as a body.
  return JSON.stringify(typeof value === 'string' ? cut(value) : value)
}

const cut = (text: string): string => {
  if (text.length <= longestShown) return text.toWellFormed()
  return `${text.slice(0, longestShown).toWellFormed()}…`
}

/** What should have been sent, and what was. */
export function expected(schema: object | undefined, value?: unknown): string {
  const was = shown(value)
  return was === undefined ? `Expected ${wanted(schema)}.` : `Expected ${wanted(schema)}; got ${was}.`
}
