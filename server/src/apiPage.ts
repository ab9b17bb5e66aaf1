/** The interface as a page to read, made from openapi.json: docs/api.md. */

type Schema = {
  readonly type?: string
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>
type Parameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}
type Operation = {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}
type Document = {
  readonly info: { readonly title: string; readonly version: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: { readonly Problem: Schema } }
}
type Route = { readonly methods: readonly string[]; readonly path: string; readonly told: Operation }

const jsonType = 'application/json'
const isNull = (schema: Schema): boolean => schema.type === 'null'

/** Words that look like an element would be one. */
const words = (text: string): string => text.replaceAll('<', '\\<')

/** In a cell a bar would end it. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A schema without the null that it may be instead. */
function withoutNull(schema: Schema): Schema {
  const [only, ...others] = schema.anyOf?.filter((one) => !isNull(one)) ?? []
  return only && others.length === 0 ? { ...only, ...describing(schema, only) } : schema
}

function describing(outer: Schema, inner: Schema): { readonly description?: string } {
  const description = outer.description ?? inner.description
  return description === undefined ? {} : { description }
}

/** What a value is, in a word or a few. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values) return `object of ${typeOf(values)}`
  if (schema.format === 'date-time') return 'time'
  return schema.type ?? 'any'
}

type Field = readonly [name: string, type: string, words: string]

/** The fields of an object and of what is in it: `entries[].at`. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const field = withoutNull(given)
    const optional = schema.required?.includes(name) ? '' : ', optional'
    const at = `${prefix}${name}`
    const inner = field.items ? fieldsOf(withoutNull(field.items), `${at}[].`) : fieldsOf(field, `${at}.`)
    return [[at, typeOf(given) + optional, field.description ?? ''] as const, ...inner]
  })
}

function table(heads: Field, rows: readonly Field[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(([name, type, words]) => `| \`${name}\` | ${cell(type)} | ${cell(words)} |`)
  return [`| ${heads.join(' | ')} |`, '|---|---|---|', ...lines].join('\n')
}

function parametersOf({ parameters }: Operation): Field[] {
  return parameters.map((one) => [one.name, one.in, one.description ?? one.schema.description ?? ''])
}

function refusalsOf({ responses }: Operation): string {
  const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const listed = refused.map(([status, { description }]) => `${status} ${description}`)
  return listed.length === 0 ? '' : `Refusals: ${listed.join('; ')}.`
}

function section({ methods, path, told }: Route): string {
  const body = told.requestBody?.content[jsonType]?.schema
  const answered = (told.responses['201'] ?? told.responses['200'])?.content?.[jsonType]?.schema
  // Behind what is answered when it is done, the document may have what a dry run answers.
  const answer = answered?.anyOf?.[0] ?? answered
  return [
    `### ${words(told.summary)}`,
    methods.map((method) => `    ${method.toUpperCase()} ${path}`).join('\n'),
    told.description ?? '',
    table(['parameter', 'in', 'what it is'], parametersOf(told)),
    body ? table(['field sent', 'type', 'what it is'], fieldsOf(body)) : '',
    answer ? table(['field answered', 'type', 'what it is'], fieldsOf(answer)) : '',
    refusalsOf(told),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The methods of a path that are told in the same words are one route. */
function routesOf({ paths }: Document): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) => {
    const alike = Map.groupBy(Object.entries(methods), ([, told]) => told.summary)
    return [...alike.values()].flatMap((group) => {
      // The one with a body tells more.
      const [, told] = group.find(([, one]) => one.requestBody) ?? group[0] ?? []
      return told ? [{ methods: group.map(([method]) => method), path, told }] : []
    })
  })
}

const anchorOf = (summary: string): string =>
  summary
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')

function group(document: Document, tag: string): string {
  const { description = '' } = document.tags.find(({ name }) => name === tag) ?? {}
  const routes = routesOf(document).filter(({ told }) => told.tags.includes(tag))
  return [`## ${tag}: ${description}`, ...routes.map(section)].join('\n\n')
}

/** Where two headings are the same, the second is reached by a number. */
function contents(document: Document): string {
  const seen = new Map<string, number>()
  const lines = routesOf(document).map(({ methods, path, told: { summary } }) => {
    const anchor = anchorOf(summary)
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    const link = before === 0 ? anchor : `${anchor}-${before}`
    return `| [${words(summary)}](#${link}) | ${methods.join(', ').toUpperCase()} | \`${path}\` |`
  })
  return ['| | | |', '|---|---|---|', ...lines].join('\n')
}

export function apiPage(given: object): string {
  const document = given as Document
  const { title, version } = document.info
  const parts = [
    `# The interface of ${title} ${version}`,
    'Generated from [server/openapi.json](../server/openapi.json) by `npm run gen`; not to be edited. A ' +
      'running server shows the same at `/docs`. Keys and tokens are sent as `Authorization: Bearer …`.',
    contents(document),
    ...document.tags.map(({ name }) => group(document, name)),
    '## Errors',
    'Every refusal is `application/problem+json` (RFC 9457):',
    table(['field answered', 'type', 'what it is'], errorFields(document)),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The codes stand with each route. */
function errorFields({ components }: Document): Field[] {
  return fieldsOf(components.schemas.Problem).map(([name, type, words]) =>
    name === 'code'
      ? [name, 'string', 'One of the codes that are told with each route.']
      : [name, type, words],
  )
}
