import { wordsOf } from './fieldWords.ts'

type Json = { readonly [key: string]: unknown }
type Schema = Json & {
  readonly type?: unknown
  readonly title?: string
  readonly description?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** Marks the response to a dry run. */
export const dryWords = 'The response to a dry run.'

const isNull = ({ type }: Schema): boolean => type === 'null'
const isWord = (schema: Schema): boolean => typeof schema['const'] === 'string'

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())

/** With its description where it has one. */
const described = (description: string | undefined): Json =>
  description === undefined ? {} : { description }

/** String constants in a union become an enum; the rest of the union is unchanged. */
function partsOf(union: readonly Schema[]): Schema[] {
  const words = union.filter(isWord)
  const others = union.filter((one) => !isWord(one) && !isNull(one))
  if (words.length < 2) return [...words, ...others]
  return [{ type: 'string', enum: words.map((one) => one['const']) }, ...others]
}

/** A schema that also allows null. A `$ref` can't carry `null` itself. */
function orNull(part: Schema): Schema {
  const { type, enum: listed } = part as { readonly type?: unknown; readonly enum?: readonly unknown[] }
  if (typeof type !== 'string') return { anyOf: [part, { type: 'null' }] }
  return { ...part, type: [type, 'null'], ...(listed ? { enum: [...listed, null] } : {}) }
}

/**
 * The document's schemas, each object under a name: its `title`, or the operation's name for a whole request
 * or response. A field whose schema has no description gets one from fieldWords.ts.
 */
export class NamedSchemas {
  readonly #shapes = new Map<string, Schema>()
  readonly #texts = new Map<string, string>()
  #isDry = false
  /** Nested objects without a `title`, by location. A test fails on them. */
  readonly unnamed: string[] = []
  /** Different objects with the same `title`. A test fails on them. */
  readonly doubles: string[] = []
  /** Fields without a description. */
  readonly bare: string[] = []

  get all(): Json {
    return Object.fromEntries([...this.#shapes].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A whole request or response. */
  top(schema: Schema, name: string): Schema {
    if (schema.description === dryWords) return this.#dry(schema, name)
    if (schema.type === 'object') return this.#object(schema, schema.title ?? name)
    if (!schema.anyOf?.every((one) => one.type === 'object')) return this.#simple(schema, name)
    return { ...schema, anyOf: schema.anyOf.map((one) => this.top(one, name)) }
  }

  /** In a dry run's response, and in objects nested in it, entry ids may be missing. */
  #dry({ title, ...schema }: Schema, name: string): Schema {
    this.#isDry = true
    const made = this.#object(schema, `${title ?? name}DryRun`)
    this.#isDry = false
    return made
  }

  /** A parameter, which has no objects. */
  plain(schema: Schema): Schema {
    return this.#simple(schema, 'a parameter')
  }

  #simple(schema: Schema, where: string): Schema {
    if (schema.anyOf) return this.#union(schema, schema.anyOf, where)
    if (schema.type === 'array' && schema.items)
      return { ...schema, items: this.#simple(schema.items, `${where}Item`) }
    if (schema.type !== 'object') return schema
    if (schema.title === undefined) this.unnamed.push(where)
    return this.#object(schema, schema.title ?? where)
  }

  #union(schema: Schema, union: readonly Schema[], where: string): Schema {
    const parts = partsOf(union).map((one) => this.#simple(one, where))
    const [only] = parts
    const { anyOf: _, ...said } = schema
    if (parts.length !== 1 || !only)
      return { ...said, anyOf: [...parts, ...(union.some(isNull) ? [{ type: 'null' }] : [])] }
    const { description: inner, ...rest } = only
    const words = described(schema.description ?? inner)
    const one = '$ref' in only ? rest : only
    return { ...(union.some(isNull) ? orNull(one) : one), ...said, ...words }
  }

  #object(schema: Schema, name: string): Schema {
    const { title: _, description, ...rest } = schema
    const fields = Object.entries(schema.properties ?? {}).map(
      ([field, one]) => [field, this.#field(one, name, field)] as const,
    )
    const patterns = Object.entries(schema.patternProperties ?? {}).map(
      ([pattern, one]) => [pattern, this.#simple(one, `${name}Value`)] as const,
    )
    const shape: Schema = {
      ...rest,
      ...(schema.properties ? { properties: Object.fromEntries(fields) } : {}),
      ...(patterns.length > 0 ? { patternProperties: Object.fromEntries(patterns) } : {}),
    }
    return this.#kept({ shape, name, isNamed: schema.title !== undefined, description })
  }

  #kept(made: {
    readonly shape: Schema
    readonly name: string
    readonly isNamed: boolean
    readonly description: string | undefined
  }): Schema {
    const { shape, name, isNamed, description } = made
    const text = JSON.stringify(shape)
    // A whole request or response that two operations share is written once.
    const known = this.#texts.get(text)
    const own = this.#isDry && isNamed && known !== name ? `${name}DryRun` : name
    const used = known !== undefined && (!isNamed || known === own) ? known : own
    const there = this.#shapes.get(used)
    if (!there) {
      this.#shapes.set(used, { ...described(description ?? wordsOf(used, '')), ...shape })
      if (known === undefined) this.#texts.set(text, used)
    } else if (known === undefined) this.doubles.push(used)
    const words = this.#shapes.get(used)?.description
    return { $ref: `#/components/schemas/${used}`, ...(words === description ? {} : described(description)) }
  }

  #field(schema: Schema, owner: string, field: string): Schema {
    const made = this.#simple(schema, `${owner}${pascal(field)}`)
    if (made.description !== undefined) return made
    const words = wordsOf(owner, field)
    if (words !== undefined) return { ...made, description: words }
    const ref = made['$ref']
    const whole = typeof ref === 'string' ? this.#shapes.get(ref.split('/').at(-1) ?? '') : undefined
    if (whole?.description === undefined) this.bare.push(`${owner}.${field}`)
    return made
  }
}
