import type { Fault } from '../../errors.ts'
import { nearest } from './nearest.ts'

/** The parts of a JSON Schema that name fields. */
type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: unknown
  readonly maxItems?: number
}

/** An unknown field in a request, with the known field names at that place. */
type Stray = { readonly pointer: string; readonly name: string; readonly known: readonly string[] }

/** `parameters` are the route's query parameters: an unknown body field may be one of them. */
export type Unknown = { readonly most: number; readonly parameters?: readonly string[] }

/** Fields that the route does not know. Without this check they would be dropped silently. */
export function unknownFields(schema: Schema, value: unknown, { most, parameters = [] }: Unknown): Fault[] {
  const isTop = ({ pointer }: Stray) => pointer.indexOf('/', 1) < 0
  return strays(schema, value, most).map((stray) => ({
    pointer: stray.pointer,
    code: 'unknown_field',
    detail:
      isTop(stray) && parameters.includes(stray.name)
        ? `Unknown field. Send it in the query: ?${stray.name}=…`
        : strange('field', stray.name, stray.known),
  }))
}

/** Only the pointers of unknown fields. */
export const unknownPointers = (schema: Schema, value: unknown, most: number): string[] =>
  strays(schema, value, most).map(({ pointer }) => pointer)

function strays(schema: Schema, value: unknown, most: number): Stray[] {
  const found: Stray[] = []
  collect({ schema, value, pointer: '' }, { strays: found, most })
  return found
}

type Place = { readonly schema: Schema; readonly value: unknown; readonly pointer: string }
type Found = { readonly strays: Stray[]; readonly most: number }

function collect({ schema, value, pointer }: Place, found: Found): void {
  if (typeof value !== 'object' || value === null || found.strays.length >= found.most) return
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
    if (found.strays.length >= found.most) return
    const at = `${pointer}/${name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
    const inner = Object.hasOwn(known, name) ? known[name] : undefined
    if (inner) collect({ schema: inner, value: field, pointer: at }, found)
    else found.strays.push({ pointer: at, name, known: Object.keys(known) })
  }
}

/** Undefined where any field is accepted. */
function propertiesOf({ properties, additionalProperties, anyOf = [] }: Schema): Schema['properties'] {
  if (additionalProperties === true) return undefined
  return properties ?? anyOf.map(propertiesOf).find((fields) => fields !== undefined)
}

/** The error for an unknown name, with the known name that was likely meant. */
export function strange(what: 'field' | 'parameter', name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return `Unknown ${what}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}
