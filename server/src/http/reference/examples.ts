import { readFileSync } from 'node:fs'

/** A request to an operation and its response, recorded from a real run by server/test/examples. */
export type Example = {
  /** By location and name: `path:realmID`. */
  readonly parameters?: Readonly<Record<string, string>>
  /** Bodies by media type. */
  readonly requests?: Readonly<Record<string, unknown>>
  readonly responses?: Readonly<Record<string, ExampleResponse>>
}
export type ExampleResponse = {
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: Readonly<Record<string, unknown>>
}
/** By operation id. */
export type Examples = Readonly<Record<string, Example>>

type Json = { readonly [key: string]: unknown }
type Media = Readonly<Record<string, Json>>
type Parameter = {
  readonly name: string
  readonly in: string
  readonly schema: { readonly type?: string }
}
type Response = { readonly headers?: Media; readonly content?: Media }
type Operation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Media }
  readonly responses: Readonly<Record<string, Response>>
}
type Document = Json & { readonly paths: Readonly<Record<string, unknown>> }

export const examplesFile = new URL('../../../public/examples.json', import.meta.url)

const recorded = (): Examples => JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples

const mapped = <V, W>(given: Readonly<Record<string, V>>, change: (value: V, key: string) => W) =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(value, key)]))

/** Adds to each value the example with its name, if there is one. */
const exampled = (given: Media, examples: Json = {}): Media =>
  mapped(given, (one, name) => (name in examples ? { ...one, example: examples[name] } : one))

function withResponse(response: Response, { headers, content }: ExampleResponse): Response {
  return {
    ...response,
    ...(response.headers ? { headers: exampled(response.headers, headers) } : {}),
    ...(response.content ? { content: exampled(response.content, content) } : {}),
  }
}

/** A recorded parameter is text, as it was sent. */
function typed(value: string, type: string | undefined): unknown {
  if (type === 'integer') return Number(value)
  return type === 'boolean' ? value === 'true' : value
}

function withExample(operation: Operation, example: Example | undefined): Operation {
  if (!example) return operation
  const { parameters: values = {}, requests, responses = {} } = example
  const { parameters, requestBody } = operation
  const valued = (one: Parameter) => {
    const value = values[`${one.in}:${one.name}`]
    return value === undefined ? one : { ...one, example: typed(value, one.schema.type) }
  }
  return {
    ...operation,
    ...(parameters ? { parameters: parameters.map(valued) } : {}),
    ...(requestBody
      ? { requestBody: { ...requestBody, content: exampled(requestBody.content, requests) } }
      : {}),
    responses: mapped(operation.responses, (one, status) => withResponse(one, responses[status] ?? {})),
  }
}

/** The document with the recorded examples; an operation without one is unchanged. */
export function withExamples(document: Document, examples: Examples = recorded()): Json {
  const paths = mapped(document.paths as Record<string, Record<string, Operation>>, (methods) =>
    mapped(methods, (operation) => withExample(operation, examples[operation.operationId])),
  )
  return { ...document, paths }
}
