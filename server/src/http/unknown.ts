import type { Fault } from '../errors.ts'
import { nearest } from '../nearest.ts'

/** The parts of a JSON Schema that name fields. */
type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: unknown
  readonly maxItems?: number
}

/** What a request has that its route does not know: it would be left out without a word. */
export function unknownFields(schema: Schema, value: unknown, most: number): Fault[] {
  const faults: Fault[] = []
  collect({ schema, value, pointer: '' }, { faults, most })
  return faults
}

type Place = { readonly schema: Schema; readonly value: unknown; readonly pointer: string }
type Found = { readonly faults: Fault[]; readonly most: number }

function collect({ schema, value, pointer }: Place, found: Found): void {
  if (typeof value !== 'object' || value === null || found.faults.length >= found.most) return
  if (Array.isArray(value)) {
    const { items, maxItems = 0 } = schema
    if (!items || value.length > maxItems) return
    for (const [index, item] of value.entries())
      collect({ schema: items, value: item, pointer: `${pointer}/${index}` }, found)
    return
  }
  const known = propertiesOf(schema)
  if (!known) return
  for (const [name, field] of Object.entries(value)) {
    const at = `${pointer}/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
    const inner = Object.hasOwn(known, name) ? known[name] : undefined
    if (inner) collect({ schema: inner, value: field, pointer: at }, found)
    else if (found.faults.length < found.most) {
      found.faults.push({ pointer: at, detail: strange('field', name, Object.keys(known)) })
    }
  }
}

/** Undefined where any field is taken. */
function propertiesOf({ properties, additionalProperties, anyOf = [] }: Schema): Schema['properties'] {
  if (additionalProperties === true) return undefined
  return properties ?? anyOf.map(propertiesOf).find((fields) => fields !== undefined)
}

/** A name that is not known, and the one that was likely meant. */
export function strange(what: 'field' | 'parameter', name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return `There is no such ${what} here.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}
