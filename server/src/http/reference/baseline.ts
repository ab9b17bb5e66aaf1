/** What clients of /api/v4 rely on, and a check that a later document still has it. */
export type Json = { readonly [key: string]: unknown }
type Schema = Json & {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
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
  readonly schema: Schema
}
type Operation = {
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const words = new Set([
  'description',
  'examples',
  'example',
  'summary',
  'title',
  'tags',
  'security',
  'headers',
])

/** Drops descriptions, but not fields that happen to be named `description`. */
function bare(value: unknown, inFields = false): unknown {
  if (Array.isArray(value)) return value.map((one) => bare(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => inFields || !words.has(key))
      .map(([key, one]) => [key, bare(one, !inFields && key === 'properties')]),
  )
}

/** Only /api/v4, without descriptions and error responses. */
export function baselineOf(given: Json): Json {
  const { paths, components } = given as unknown as Document
  const kept = Object.entries(paths).filter(([path]) => path.startsWith('/api/v4/'))
  const succeeded = (operation: Operation) => ({
    ...operation,
    responses: Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status < '300')),
  })
  const operations = kept.map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, succeeded(one)])),
  ])
  const found = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      follow(components.schemas[name])
    }
  }
  follow(operations)
  const schemas = Object.entries(components.schemas).filter(([name]) => found.has(name))
  return bare({
    paths: Object.fromEntries(operations),
    components: { schemas: Object.fromEntries(schemas) },
  }) as Json
}

/** Requests may accept more, responses may not return less: lists what was lost. */
class Comparison {
  readonly #old: Document
  readonly #now: Document
  readonly lost: string[] = []

  constructor(old: Document, now: Document) {
    this.#old = old
    this.#now = now
  }

  answer(old: Schema, now: Schema, where: string): void {
    this.#schema(old, now, { where, isAnswer: true })
  }

  request(old: Schema, now: Schema, where: string): void {
    this.#schema(old, now, { where, isAnswer: false })
  }

  #schema(
    before: Schema,
    after: Schema,
    place: { readonly where: string; readonly isAnswer: boolean },
  ): void {
    const { where, isAnswer } = place
    const old = resolved(before, this.#old)
    const now = resolved(after, this.#now)
    if (old.anyOf || now.anyOf) {
      this.#variants(old, now, place)
      return
    }
    const [wide, narrow] = isAnswer ? [typesOf(old), typesOf(now)] : [typesOf(now), typesOf(old)]
    if (!narrow.every((type) => wide.includes(type)) || old.format !== now.format)
      this.lost.push(`${where}: type ${typesOf(old).join('|')} is ${typesOf(now).join('|')}`)
    for (const value of valuesOf(old))
      if (valuesOf(now).length > 0 && !valuesOf(now).includes(value))
        this.lost.push(`${where}: value ${JSON.stringify(value)}`)
    if (!isAnswer && valuesOf(old).length === 0 && valuesOf(now).length > 0)
      this.lost.push(`${where}: any value`)
    if (old.items) this.#schema(old.items, now.items ?? {}, { where: `${where}[]`, isAnswer })
    this.#fields(old, now, place)
  }

  #fields(old: Schema, now: Schema, { where, isAnswer }: { where: string; isAnswer: boolean }): void {
    for (const [name, field] of Object.entries(old.properties ?? {})) {
      const there = now.properties?.[name]
      if (!there) this.lost.push(`${where}.${name}: removed`)
      else this.#schema(field, there, { where: `${where}.${name}`, isAnswer })
    }
    const [had, has] = [old.required ?? [], now.required ?? []]
    const changed = isAnswer
      ? had.filter((one) => !has.includes(one))
      : has.filter((one) => !had.includes(one))
    for (const name of changed)
      this.lost.push(`${where}.${name}: ${isAnswer ? 'may be missing' : 'required'}`)
    const [[, value] = []] = Object.entries(old.patternProperties ?? {})
    const [[, other] = []] = Object.entries(now.patternProperties ?? {})
    if (value) this.#schema(value, other ?? {}, { where: `${where}.*`, isAnswer })
  }

  /** In responses every variant existed before; in requests every old variant is still accepted. */
  #variants(old: Schema, now: Schema, { where, isAnswer }: { where: string; isAnswer: boolean }): void {
    const [olds, nows] = [old.anyOf ?? [old], now.anyOf ?? [now]]
    const fits = (one: Schema, other: Schema): boolean => {
      const trial = new Comparison(this.#old, this.#now)
      trial.#schema(one, other, { where, isAnswer })
      return trial.lost.length === 0
    }
    const isKept = isAnswer
      ? nows.every((one) => olds.some((other) => fits(other, one)))
      : olds.every((one) => nows.some((other) => fits(one, other)))
    if (!isKept) this.lost.push(`${where}: one of its forms`)
  }
}

const resolved = (schema: Schema, document: Document): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema

function typesOf({ type, const: only }: Schema): readonly string[] {
  if (type === undefined) return only === undefined ? ['any'] : [typeof only]
  return typeof type === 'string' ? [type] : type
}

const valuesOf = ({ enum: listed, const: only }: Schema): readonly unknown[] =>
  listed ?? (only === undefined ? [] : [only])

function compareParameters(old: Operation, now: Operation, { to, where }: { to: Comparison; where: string }) {
  const find = (list: readonly Parameter[], one: Parameter) =>
    list.find((other) => other.name === one.name && other.in === one.in)
  for (const one of old.parameters) {
    const there = find(now.parameters, one)
    if (there) to.request(one.schema, there.schema, `${where} ${one.in}:${one.name}`)
    else to.lost.push(`${where} ${one.in}:${one.name}: removed`)
  }
  for (const one of now.parameters)
    if (one.required && !find(old.parameters, one)?.required)
      to.lost.push(`${where} ${one.in}:${one.name}: required`)
}

/** What the second document lacks for clients of the first. */
export function lostSince(before: Json, after: Json): string[] {
  const old = before as unknown as Document
  const now = after as unknown as Document
  const to = new Comparison(old, now)
  for (const [path, methods] of Object.entries(old.paths))
    for (const [method, operation] of Object.entries(methods)) {
      const where = `${method.toUpperCase()} ${path}`
      const there = now.paths[path]?.[method]
      if (!there) to.lost.push(`${where}: removed`)
      else compareOperation(operation, there, { to, where })
    }
  return to.lost
}

function compareOperation(old: Operation, now: Operation, { to, where }: { to: Comparison; where: string }) {
  compareParameters(old, now, { to, where })
  for (const [type, { schema }] of Object.entries(old.requestBody?.content ?? {}))
    to.request(schema, now.requestBody?.content[type]?.schema ?? {}, `${where} body`)
  for (const [status, response] of Object.entries(old.responses)) {
    if (!now.responses[status]) to.lost.push(`${where} ${status}: removed`)
    for (const [type, { schema }] of Object.entries(response.content ?? {}))
      to.answer(schema, now.responses[status]?.content?.[type]?.schema ?? {}, `${where} ${status}`)
  }
}
