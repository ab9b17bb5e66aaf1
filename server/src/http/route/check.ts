import { Compile } from 'typebox/compile'
import { type Fault, invalidAt } from '../../errors.ts'
import { JsonNumber, wholeNumber } from '../wire/json.ts'
import { expected } from './expects.ts'
import { ignoredCap, type Notes } from './ignored.ts'
import { idMark, nullMark } from './schemas.ts'
import { unknownFields, unknownPointers } from './unknown.ts'

/** The parts of a JSON Schema that this module reads. */
type Schema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly maxItems?: number
  readonly additionalProperties?: unknown
  readonly [idMark]?: boolean
  readonly [nullMark]?: boolean
}

/**
 * Checks a value against a schema and returns it normalized, or throws a 400 with every error. Dropped fields
 * are recorded in `notes`.
 */
export type Check = (value: unknown, notes?: Notes) => unknown

/** The most errors that are listed for one request. */
export const faultCap = 20

/** Whether an unknown field is rejected, and whether null means an omitted field. */
export type Strictness = {
  readonly isStrict?: boolean
  readonly isNullAbsent?: boolean
  /** The names of query parameters: an unknown body field with such a name was likely meant as one. */
  readonly parameters?: readonly string[]
}

/** Fields dropped so far; free when there are none. Safe as a global: checks are synchronous. */
let leftOut = 0

export function compileCheck(source: object, strictness: Strictness = {}): Check {
  const schema = source as Schema
  const compiled = Compile(source)
  const { isStrict = false, isNullAbsent = true, parameters = [] } = strictness
  return (value, notes) => {
    const before = leftOut
    const meant = prepare(schema, value, isNullAbsent)
    if (notes && leftOut !== before)
      notes.ignored = [...(notes.ignored ?? []), ...unknownPointers(schema, value, ignoredCap)]
    const unknown = isStrict ? unknownFields(schema, value, { most: faultCap, parameters }) : []
    const isValid = compiled.Check(meant)
    if (isValid && unknown.length === 0) return meant
    const faults = isValid ? [] : faultsOf({ schema, value }, compiled.Errors(meant))
    throw invalidAt([...faults, ...unknown].slice(0, faultCap))
  }
}

/**
 * Normalizes a value before it is checked: an optional field that is null is absent, and an id may be a
 * number.
 */
function prepare(schema: Schema, value: unknown, isNullAbsent: boolean): unknown {
  if (schema[idMark]) return digitsOf(value)
  // No field accepts an inexact number; NaN fails every check.
  if (value instanceof JsonNumber) return Number.NaN
  if (schema.items && Array.isArray(value)) {
    const { items, maxItems = value.length } = schema
    // Items are not checked: 85,000 would block every other request. The error is the same without them.
    if (value.length > maxItems) return false
    return value.map((item) => prepare(items, item, isNullAbsent))
  }
  if (!schema.properties || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const meant: Record<string, unknown> = Object.create(null)
  const fields = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(fields)) {
    const field = fields[name]
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    // Unknown fields are dropped: a handler that spreads a body must not take an id or a realm from it.
    if (!known) {
      if (schema.additionalProperties === true) meant[name] = field
      else leftOut += 1
      continue
    }
    if (field === null && (isNullAbsent || known[nullMark]) && isAbsent(schema, name, known)) continue
    meant[name] = prepare(known, field, isNullAbsent)
  }
  return meant
}

const isAbsent = ({ required }: Schema, name: string, known: Schema): boolean =>
  !required?.includes(name) && !takesNull(known)

const takesNull = ({ anyOf = [] }: Schema): boolean => anyOf.some(({ type }) => type === 'null')

function digitsOf(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (value instanceof JsonNumber) return wholeNumber(value.source) ?? value
  return value
}

type Found = {
  readonly instancePath: string
  readonly keyword: string
  readonly params: { readonly requiredProperties?: readonly string[] }
}

type Judged = { readonly schema: Schema; readonly value: unknown }

function faultsOf({ schema, value }: Judged, errors: readonly object[]): Fault[] {
  const faults = new Map<string, Fault>()
  for (const { instancePath, keyword, params } of errors as Found[]) {
    const missing = keyword === 'required' ? (params.requiredProperties ?? []) : undefined
    for (const pointer of missing ? missing.map((name) => `${instancePath}/${name}`) : [instancePath]) {
      if (faults.has(pointer) || faults.size === faultCap) continue
      const here = schemaAt(schema, pointer)
      faults.set(
        pointer,
        missing
          ? { pointer, code: 'missing', detail: `Missing. ${expected(here)}` }
          : { pointer, detail: expected(here, valueAt(value, pointer)) },
      )
    }
  }
  return [...faults.values()]
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

function valueAt(value: unknown, pointer: string): unknown {
  let here = value
  for (const step of stepsOf(pointer)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = (here as Readonly<Record<string, unknown>>)[step]
  }
  return here
}

function schemaAt(schema: Schema, pointer: string): Schema | undefined {
  let here: Schema | undefined = schema
  for (const step of stepsOf(pointer)) here = here?.properties?.[step] ?? here?.items
  return here
}
