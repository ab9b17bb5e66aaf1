import { expectMark } from '../route/expects.ts'
import { keepsRequests } from '../route/once.ts'
import { documentMark } from '../route/queryValues.ts'
import type { Route } from '../route/route.ts'
import { addressMark, idMark, nullMark, secretMark } from '../route/schemas.ts'

type Json = { readonly [key: string]: unknown }

export const isPosted = ({ idempotent }: Route): boolean => idempotent === 'journal' || idempotent === 'list'

/** The parameters of a route: of its path, its query and its headers. */
export function parameters(route: Route): Json[] {
  const list = (where: string, given: Readonly<Record<string, object>> | undefined, required: boolean) =>
    Object.entries(given ?? {}).map(([name, schema]) => ({
      name,
      in: where,
      required,
      schema: shownSchema(schema),
    }))
  const retry = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes a retry safe: the same request with the same key is applied once.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  const condition = {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `ETag` that the member was read with: 412 if its points have changed since. Compared under the ' +
      'lock, after the idempotency key.',
    schema: { type: 'string' },
  }
  return [
    ...list('path', route.params, true),
    ...list('query', route.query, false),
    ...(isPosted(route) || keepsRequests(route) ? [retry] : []),
    ...(route.conditional ? [condition] : []),
  ]
}

const ours: ReadonlySet<string> = new Set([idMark, addressMark, secretMark, nullMark, expectMark])

/** A schema without our internal marks. */
export function plain(schema: object): Json {
  return JSON.parse(JSON.stringify(schema, (key, value) => (ours.has(key) ? undefined : value)))
}

/** A parameter’s schema as clients see it. */
function shownSchema(schema: object): Json {
  const { [documentMark]: shown, ...own } = plain(schema)
  return shown === undefined ? own : { ...(shown as Json), description: own['description'] }
}
