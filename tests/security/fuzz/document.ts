/** The parts of a JSON Schema that are used here. */
export type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
}

export type Audience = 'realm' | 'operator' | 'session' | 'public'

type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Schema
}

/** One method at one path, as the document describes it. */
export type Operation = {
  readonly title: string
  readonly method: string
  readonly path: string
  /** Its description. */
  readonly words: string
  readonly audience: Audience
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** Response schemas, by status. */
  readonly answers: Readonly<Record<string, Schema | undefined>>
}

type Json = { readonly 'application/json'?: { readonly schema: Schema } }

type Described = {
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Json }
  readonly responses: Readonly<Record<string, { readonly content?: Json }>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: { readonly Problem: Schema } }
}

const isJson = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The document with its references resolved; no schema is recursive. */
export function resolved(document: Document): Document {
  const at = (ref: string): unknown =>
    ref
      .split('/')
      .slice(1)
      .reduce<unknown>((found, name) => (isJson(found) ? found[name] : undefined), document)
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace)
    if (!isJson(value)) return value
    const { $ref: ref, type } = value
    if (typeof ref === 'string') return inPlace(at(ref))
    // Values are drawn for one type at a time.
    if (Array.isArray(type)) return { anyOf: type.map((one) => inPlace({ ...value, type: one })) }
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inPlace(one)]))
  }
  return inPlace(document) as Document
}

function audienceOf({ security = [] }: Described): Audience {
  const names = security.flatMap((one) => Object.keys(one))
  if (names.includes('operatorToken')) return 'operator'
  if (names.includes('session')) return 'session'
  return names.length > 0 ? 'realm' : 'public'
}

const answersOf = ({ responses }: Described): Operation['answers'] =>
  Object.fromEntries(
    Object.entries(responses).map(([status, { content }]) => [status, content?.['application/json']?.schema]),
  )

/** OpenAPI 3.1 has no QUERY and no body in a GET: a POST that mentions QUERY is sent in all ways. */
function alsoAsked({ method, words }: Operation): string[] {
  return method === 'POST' && words.includes('`QUERY`') ? ['GET', 'QUERY'] : []
}

/** The document's operations, and the pages that it does not contain. */
export function operationsOf(document: Document): Operation[] {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      title: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      words: described.description ?? '',
      audience: audienceOf(described),
      parameters: described.parameters ?? [],
      body: described.requestBody?.content['application/json']?.schema,
      answers: answersOf(described),
    })),
  )
  const asked = documented.flatMap((one) =>
    alsoAsked(one).map((method) => ({ ...one, method, title: `${method} ${one.path} with a body` })),
  )
  return [
    ...documented,
    ...asked,
    ...['/openapi.json', '/docs', '/', '/console', '/console/', '/console/sign-in'].map(page),
  ]
}

const page = (path: string): Operation => ({
  title: `GET ${path}`,
  method: 'GET',
  path,
  words: '',
  audience: 'public',
  parameters: [],
  body: undefined,
  answers: {},
})

/** The codes that an error response may have. */
export function codesOf(document: Document): ReadonlySet<unknown> {
  const { anyOf = [], enum: listed = [] } = document.components.schemas.Problem.properties?.['code'] ?? {}
  return new Set([...anyOf.map((one) => one.const), ...listed])
}
