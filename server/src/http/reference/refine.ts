import { NamedSchemas, pascal } from './namedSchemas.ts'

type Json = { readonly [key: string]: unknown }
type Content = Readonly<Record<string, { readonly schema: Json }>>
type Response = { readonly description: string; readonly content?: Content }
type Parameter = { readonly description?: string; readonly schema: Json & { readonly description?: string } }
type Operation = Json & {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>
export type Rough = Json & {
  readonly paths: Paths
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

const problemType = 'application/problem+json'

/** Each value, by its key. */
const mapped = <V, W>(given: Readonly<Record<string, V>>, change: (value: V, key: string) => W) =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(value, key)]))

/** The same, last first, so that the 201 names the schemas that the 200 of its dry run shares. */
const mappedBack = <V, W>(given: Readonly<Record<string, V>>, change: (value: V) => W) =>
  Object.fromEntries(
    Object.entries(given)
      .toReversed()
      .map(([key, value]) => [key, change(value)]),
  )

/** Error responses that many operations share, such as 401, are written once. */
class SharedResponses {
  readonly #uses = new Map<string, number>()
  readonly all: Record<string, Response> = {}

  constructor(paths: Paths) {
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
      for (const response of Object.values(operation.responses)) {
        const text = JSON.stringify(response)
        this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1)
      }
  }

  shared(response: Response): Response | Json {
    const codes = [...response.description.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => pascal(code))
    const uses = this.#uses.get(JSON.stringify(response)) ?? 0
    if (!response.content?.[problemType] || uses < 3 || codes.length > 3) return response
    const name = codes.join('Or')
    this.all[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
}

/** Moves the description from the schema to the parameter. */
function parameter(given: Parameter, schemas: NamedSchemas): Json {
  const { description, ...schema } = schemas.plain(given.schema)
  const words = given.description ?? description
  return { ...given, ...(words === undefined ? {} : { description: words }), schema }
}

function contentOf(content: Content, schemas: NamedSchemas, name: string): Json {
  return mapped(content, ({ schema, ...rest }, type) => ({
    ...rest,
    schema: type === problemType ? schema : schemas.top(schema, name),
  }))
}

function refinedOperation(operation: Operation, schemas: NamedSchemas, shared: SharedResponses): Operation {
  const name = pascal(operation.operationId)
  const { parameters, requestBody } = operation
  return {
    ...operation,
    ...(parameters ? { parameters: parameters.map((one) => parameter(one, schemas)) as never } : {}),
    ...(requestBody
      ? {
          requestBody: {
            ...requestBody,
            content: contentOf(requestBody.content, schemas, `${name}Request`) as never,
          },
        }
      : {}),
    responses: mappedBack(operation.responses, (response) => {
      const kept = shared.shared(response)
      if (kept !== response || !response.content) return kept as Response
      return { ...response, content: contentOf(response.content, schemas, `${name}Response`) as never }
    }),
  }
}

export type RefinedDocument = { readonly document: Rough; readonly schemas: NamedSchemas }

/** The document with its objects named, its fields described, and repeated parts written once. */
export function refine(rough: Rough): RefinedDocument {
  const schemas = new NamedSchemas()
  const shared = new SharedResponses(rough.paths)
  for (const [name, schema] of Object.entries(rough.components.schemas)) schemas.top(schema, name)
  const paths = mapped(rough.paths, (methods) =>
    mapped(methods, (operation) => refinedOperation(operation, schemas, shared)),
  )
  const components = { ...rough.components, responses: shared.all, schemas: schemas.all } as never
  return { document: { ...rough, paths, components }, schemas }
}
