import { Compile } from 'typebox/compile'
import { type Fault, Refused } from '../errors.ts'
import { JsonNumber, wholeNumber } from './json.ts'
import { idMark } from './schemas.ts'

/** The parts of a JSON Schema that are looked at here. */
type Schema = {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: unknown
  readonly [idMark]?: boolean
}

/** Checks values against a schema and returns them as the schema means them, or refuses with every fault. */
export type Check = (value: unknown) => unknown

const faultCap = 20

export function compileCheck(source: object): Check {
  const schema = source as Schema
  const compiled = Compile(source)
  return (value) => {
    const meant = prepare(schema, value)
    if (compiled.Check(meant)) return meant
    throw refusalOf(faultsOf(schema, compiled.Errors(meant)))
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
function prepare(schema: Schema, value: unknown): unknown {
  if (schema[idMark]) return digitsOf(value)
  // No field takes a number that is not exact; as NaN it passes for none of them.
  if (value instanceof JsonNumber) return Number.NaN
  if (schema.items && Array.isArray(value)) {
    const { items } = schema
    return value.map((item) => prepare(items, item))
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
    const absent = field === null && !schema.required?.includes(name)
    if (!absent) meant[name] = prepare(known, field)
  }
  return meant
}

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
