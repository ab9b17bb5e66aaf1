import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Writes src/types.ts from the server's openapi.json. `--check` only compares. openapi-typescript is not
 * used: its named, strict types of the same document are 386 kB rather than 98 kB, and it needs a second
 * TypeScript, version 5.
 */

/** Types by name, in the order in which they are first used. */
const named = new Map<string, string>()

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: unknown
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Parameter = {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}
type Operation = {
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const document = JSON.parse(
  readFileSync(new URL('../server/openapi.json', import.meta.url), 'utf8'),
) as Document

const plain = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
} as const

/** A schema as TypeScript; `deep` is the indentation. */
function typeOf(schema: Schema | undefined, deep: string): string {
  if (!schema) return 'undefined'
  if (schema.$ref) return nameOf(schema.$ref)
  if (schema.enum) return unionOf(schema.enum.map(literal))
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => typeOf({ ...schema, type }, deep)))
  if ('const' in schema) return literal(schema.const)
  if (schema.anyOf) return unionOf(schema.anyOf.map((one) => typeOf(one, deep)))
  if (schema.type === 'array') return `readonly (${typeOf(schema.items, deep)})[]`
  if (schema.properties) return objectOf(schema, deep)
  const [pattern] = Object.values(schema.patternProperties ?? {})
  if (pattern) return `Readonly<Record<string, ${typeOf(pattern, deep)}>>`
  if (schema.type === 'object') return 'object'
  return plain[(schema.type ?? '') as keyof typeof plain] ?? 'unknown'
}

/** A named schema becomes a type with that name. */
function nameOf(ref: string): string {
  const name = ref.split('/').at(-1) ?? ''
  if (!named.has(name)) {
    named.set(name, '')
    const schema = document.components.schemas[name]
    const words = schema?.description ? `/** ${schema.description.replaceAll('*/', '* /')} */\n` : ''
    named.set(name, `${words}export type ${name} = ${typeOf(schema, '')}\n`)
  }
  return name
}

/** Each type once; string literals are dropped when `string` is in the union. */
function unionOf(types: readonly string[]): string {
  const once = [...new Set(types)]
  return once.filter((type) => !type.startsWith("'") || !once.includes('string')).join(' | ')
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

function objectOf({ properties = {}, required = [] }: Schema, deep: string): string {
  const inner = `${deep}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const words = schema.description ? `${inner}/** ${schema.description.replaceAll('*/', '* /')} */\n` : ''
    const mark = required.includes(name) ? '' : '?'
    return `${words}${inner}readonly ${/^\w+$/.test(name) ? name : `'${name}'`}${mark}: ${typeOf(schema, inner)}\n`
  })
  return fields.length === 0 ? 'object' : `{\n${fields.join('')}${deep}}`
}

const jsonOf = (content: Content | undefined): Schema | undefined =>
  content?.content?.['application/json']?.schema

/** The success response; the document may list a dry run's response after it. */
function answerOf({ responses }: Operation): Schema | undefined {
  const answer = jsonOf(responses['201'] ?? responses['200'])
  return answer?.anyOf?.[0] ?? answer
}

function operationType(operation: Operation): string {
  const query = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const properties = Object.fromEntries(
    query.map(({ name, description = '', schema }) => [name, { ...schema, description }]),
  )
  const parts = {
    query: query.length > 0 ? objectOf({ properties }, '    ') : 'object',
    body: typeOf(jsonOf(operation.requestBody), '    '),
    answer: typeOf(answerOf(operation), '    '),
  }
  return `{\n${Object.entries(parts)
    .map(([name, text]) => `    readonly ${name}: ${text}\n`)
    .join('')}  }`
}

const prefixes = { v4: '/api/v4/realms/{realmID}', operator: '/operator/v1' } as const

function operations(api: keyof typeof prefixes): string {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      path.startsWith(prefixes[api])
        ? [
            `  /** ${operation.summary}. */\n  '${method.toUpperCase()} ${path.slice(prefixes[api].length) || '/'}': ` +
              `${operationType(operation)}\n`,
          ]
        : [],
    ),
  )
  return all.join('')
}

const routes = `/** Request and response of each route under /api/v4/realms/{realmID}. */
export interface RealmOperations {
${operations('v4')}}

/** Request and response of each route under /operator/v1. */
export interface OperatorOperations {
${operations('operator')}}
`
/** All error codes. */
const codes = typeOf(document.components.schemas['Problem']?.properties?.['code'], '')
nameOf('#/components/schemas/RefusedChange')
const made = `// Generated by gen.ts from the server's openapi.json. Do not edit.

${routes}
/** Error codes. */
export type ProblemCode =
  | ${codes.replaceAll(' | ', '\n  | ')}
${[...named.values()].join('\n')}`
const file = new URL('src/types.ts', import.meta.url)
if (!process.argv.includes('--check')) writeFileSync(file, made)
else if (readFileSync(file, 'utf8') !== made) {
  console.error('sdk/src/types.ts is stale: run npm run gen')
  process.exitCode = 1
}
