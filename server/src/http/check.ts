import { Compile } from 'typebox/compile'
import { type Fault, Refused } from '../errors.ts'
import { JsonNumber, wholeNumber } from './json.ts'
import { idMark } from './schemas.ts'
import { unknownFields } from './unknown.ts'

/** The parts of a JSON Schema that are looked at here. */
type Schema = {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly maxItems?: number
  readonly additionalProperties?: unknown
  readonly [idMark]?: boolean
}

/** Checks values against a schema and returns them as the schema means them, or refuses with every fault. */
export type Check = (value: unknown) => unknown

const faultCap = 20

/** Whether a field that is not known is refused, and whether null means that a field is left out. */
export type Strictness = { readonly isStrict?: boolean; readonly isNullAbsent?: boolean }

export function compileCheck(source: object, strictness: Strictness = {}): Check {
  const schema = source as Schema
  const compiled = Compile(source)
  const { isStrict = false, isNullAbsent = true } = strictness
  return (value) => {
    const meant = prepare(schema, value, isNullAbsent)
    const unknown = isStrict ? unknownFields(schema, value, faultCap) : []
    const isValid = compiled.Check(meant)
    if (isValid && unknown.length === 0) return meant
    const faults = isValid ? [] : faultsOf(schema, compiled.Errors(meant))
    throw refusalOf([...faults, ...unknown].slice(0, faultCap))
  }
}

export function refusalOf(faults: readonly Fault[]): Refused {
  const [first] = faults
  const detail = first?.pointer
    ? `${first.pointer}: ${lower(first.detail)}`
    : (first?.detail ?? 'Not as described.')
  return new Refused({ code: 'invalid_request', detail, faults })
}

/**
 * An optional field that is null is absent, and an id may be a number: told apart before anything else is
 * checked.
 */
function prepare(schema: Schema, value: unknown, isNullAbsent: boolean): unknown {
  if (schema[idMark]) return digitsOf(value)
  // No field takes a number that is not exact; as NaN it passes for none of them.
  if (value instanceof JsonNumber) return Number.NaN
  if (schema.items && Array.isArray(value)) {
    const { items, maxItems = value.length } = schema
    // Not looked into: 85,000 items would hold up every other request. The error is the same without them.
    if (value.length > maxItems) return false
    return value.map((item) => prepare(items, item, isNullAbsent))
  }
  if (!schema.properties || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const meant: Record<string, unknown> = Object.create(null)
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
    // An unknown field goes no further: a handler that spreads a body must not take an id or a realm from it.
    if (!known) {
      if (schema.additionalProperties === true) meant[name] = field
      continue
    }
    const absent = field === null && isNullAbsent && !schema.required?.includes(name) && !takesNull(known)
    if (!absent) meant[name] = prepare(known, field, isNullAbsent)
  }
  return meant
}

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

function faultsOf(schema: Schema, errors: readonly object[]): Fault[] {
  const faults = new Map<string, Fault>()
  for (const { instancePath, keyword, params } of errors as Found[]) {
    const missing = keyword === 'required' ? (params.requiredProperties ?? []) : undefined
    for (const pointer of missing ? missing.map((name) => `${instancePath}/${name}`) : [instancePath]) {
      if (faults.has(pointer) || faults.size === faultCap) continue
      faults.set(pointer, { pointer, detail: detailOf(schemaAt(schema, pointer), missing !== undefined) })
    }
  }
  return [...faults.values()]
}

const lower = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)

/** What a value should have been, in the words of its schema. */
export function expected(schema: object | undefined): string {
  const description = (schema as Schema | undefined)?.description ?? 'What the documentation describes.'
  return `Expected ${lower(description)}`
}

function detailOf(schema: Schema | undefined, missing: boolean): string {
  return missing ? `Missing. ${expected(schema)}` : expected(schema)
}

function schemaAt(schema: Schema, pointer: string): Schema | undefined {
  let here: Schema | undefined = schema
  for (const step of pointer.split('/').slice(1)) here = here?.properties?.[step] ?? here?.items
  return here
}
