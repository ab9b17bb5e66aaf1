import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Closes every object with properties: fields that a schema does not list are rejected. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, closed(one)]))
  const named = isObject(schema['properties']) || isObject(schema['patternProperties'])
  const isOpen = schema['type'] === 'object' && named && !('additionalProperties' in schema)
  return isOpen ? { ...inner, additionalProperties: false } : inner
}

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
}

/** Errors of a value against a schema of the document: JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export function checker(document: Json): (schema: Json, value: unknown) => string[] {
  // OpenAPI adds keywords to JSON Schema; the linter finds keywords that neither has.
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  const { components } = document as { readonly components: Json }
  ajv.addSchema({ $id: 'document', components: closed(components) as Json })
  const made = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"document#/components/')
    const validate = made.get(text) ?? ajv.compile(JSON.parse(text))
    made.set(text, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
  }
}
