import { release } from '../../config/release.ts'
import { type Code, catalogue } from '../../errors.ts'
import { keyForm } from '../../keys/index.ts'
import { keepsRequests } from '../route/once.ts'
import { type Method, type Route, scopesNeeded } from '../route/route.ts'
import { Type } from '../route/schemas.ts'
import { tagGroups, tags } from '../route/tags.ts'
import { type Examples, withExamples } from './examples.ts'
import { dryWords } from './namedSchemas.ts'
import { isPosted, parameters, plain } from './parameters.ts'
import { type RefinedDocument, type Rough, refine } from './refine.ts'

type Json = { readonly [key: string]: unknown }

const problemSchema = Type.Object({
  type: Type.String({ examples: ['/problems/insufficient-points'] }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'What is wrong and what to do.' }),
  code: Type.Union(Object.keys(catalogue).map((code) => Type.Literal(code))),
  message: Type.String({ description: 'The same as detail, for clients of the old service.' }),
  requestId: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Object(
        {
          pointer: Type.String({
            description:
              'A JSON pointer into the body ("" for the whole body), or path:, query: or header: and a name.',
          }),
          in: Type.Union(
            ['body', 'query', 'path', 'header'].map((part) => Type.Literal(part)),
            { description: 'The part of the request that `pointer` refers to.' },
          ),
          name: Type.String({ description: 'The field, parameter or header; "" for the whole body.' }),
          code: Type.String({
            description:
              'unknown_field, unknown_parameter, missing, invalid_value, cursor_mismatch, or a code of the ' +
              'route.',
          }),
          detail: Type.String(),
        },
        { title: 'ProblemError' },
      ),
      { description: 'With invalid_request: every invalid field, at most 20.' },
    ),
  ),
  serverVersion: Type.Optional(
    Type.String({ description: 'With an unknown field or parameter: the server’s release.' }),
  ),
  balance: Type.Optional(Type.Integer({ description: 'The points that the member or hold has.' })),
  required: Type.Optional(Type.Integer({ description: 'The points requested.' })),
  limit: Type.Optional(Type.Integer({ description: 'The limit that would be exceeded.' })),
  resetAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When to retry the same request.' }),
  ),
  index: Type.Optional(Type.Integer({ description: 'The index of the rejected change, starting at 0.' })),
  transactionId: Type.Optional(
    Type.String({ description: 'The entry that reversed this one, or ended the hold.' }),
  ),
  error: Type.Optional(
    Type.Object(
      { status: Type.Integer(), code: Type.String(), detail: Type.String() },
      {
        title: 'RefusedChange',
        description: 'With changes_refused: the error that the change would return on its own.',
      },
    ),
  ),
  rememberedUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'On a 422 to a change with an Idempotency-Key: until then the same request with the same key gets ' +
        'this response. Use a new key to try again.',
    }),
  ),
})

const always: readonly Code[] = ['internal_error', 'unavailable']
const keyed: readonly Code[] = ['unauthorized', 'forbidden', 'rate_limited']
const once: readonly Code[] = ['idempotency_key_reused', 'request_in_progress']
const posted: readonly Code[] = ['overloaded', 'outcome_unknown', ...once]
const withBody: readonly Code[] = ['body_too_large', 'unsupported_media_type']

/** Every error code that a route can return. */
function refusalsOf(route: Route): Code[] {
  return [
    ...(route.audience === 'public' ? [] : [...always, 'unauthorized' as const]),
    ...(route.path.includes('{realmID}') ? ['wrong_cell' as const] : []),
    'uri_too_long',
    ...(route.audience === 'session' ? ['forbidden' as const] : []),
    ...(route.audience === 'session' && route.writes ? ['unsupported_media_type' as const] : []),
    ...(route.audience === 'realm' ? [...keyed, 'insufficient_scope' as const] : []),
    ...(route.audience === 'realm' && route.writes ? ['realm_suspended' as const] : []),
    ...(route.params || route.query || route.body ? ['invalid_request' as const] : []),
    ...(route.body ? withBody : []),
    ...(isPosted(route) ? posted : []),
    ...(keepsRequests(route) ? once : []),
    ...(route.refusals ?? []),
  ]
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } })
const rateHeaders = {
  'Retry-After': header('Seconds to wait before a retry.'),
  'RateLimit-Policy': header('The limits, such as `"realm";q=20000;w=10`: q requests in w seconds.'),
  RateLimit: header('What is left, such as `"realm";r=0;t=10`: r requests; the full quota in t seconds.'),
}

/** A dry run creates no entry, so these fields may be missing from its response. */
const idsOfEntries = new Set(['transactionId', 'holdId', 'awardId', 'reversal'])

const needed = (key: string, value: unknown): unknown =>
  key === 'required' && Array.isArray(value) ? value.filter((name) => !idsOfEntries.has(name)) : value

/** A route's response to a dry run; undefined where it is the same as without one. */
function dryAnswerOf(done: Json): Json | undefined {
  const dry = JSON.parse(JSON.stringify(done, needed))
  const isTried = dry.properties?.dryRun !== undefined && !dry.required.includes('dryRun')
  return isTried ? { ...dry, description: dryWords, required: ['dryRun', ...dry.required] } : undefined
}

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } })
const location = { Location: header('The path of the created object.') }

/** A route's successful responses, by status. */
function successes(route: Route): Record<string, Json> {
  const { answer, answerType, creates, deletes, methods } = route
  if (deletes) return { 204: { description: 'Deleted.' } }
  if (answerType)
    return {
      200: { description: 'Done.', content: { [answerType]: { schema: plainAnswer(answerType) } } },
    }
  if (!answer) return { 200: { description: 'Done.' } }
  const done = plain(answer)
  const dry = dryAnswerOf(done)
  if (!creates) return { 200: { description: 'Done.', ...json(dry ? { anyOf: [done, dry] } : done) } }
  const created = { 201: { description: 'Created.', headers: location, ...json(done) } }
  if (methods.includes('PUT')) return { 200: { description: 'Changed.', ...json(done) }, ...created }
  return dry ? { 200: { description: 'A dry run: nothing was created.', ...json(dry) }, ...created } : created
}

function responses(route: Route): Json {
  const answers = successes(route)
  const byStatus = Map.groupBy([...new Set(refusalsOf(route))], (code) => catalogue[code].status)
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    answers[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      ...(status === 429 ? { headers: rateHeaders } : {}),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    }
  }
  return answers
}

/** The schema of a streamed response: JSON is an object, anything else is text. */
const plainAnswer = (type: string): Json => ({ type: type === 'application/json' ? 'object' : 'string' })

const security = {
  realm: [{ realmKey: [] }],
  operator: [{ operatorToken: [] }],
  session: [{ session: [] }],
  public: [],
} as const

const idOf = ({ operationId, path }: Route, method: Method): string => {
  const id = typeof operationId === 'string' ? operationId : operationId[method]
  if (id === undefined) throw new Error(`${method} ${path} has no operationId`)
  return id
}

function operation(route: Route, method: Method): Json {
  return {
    operationId: idOf(route, method),
    tags: [route.tag],
    summary: route.summary,
    ...describe(route),
    parameters: parameters(route),
    ...(route.body && method !== 'GET'
      ? { requestBody: { required: true, content: contentOf(route, route.body) } }
      : {}),
    responses: responses(route),
    security: security[route.audience],
  }
}

function contentOf({ textTypes }: Route, body: object): Json {
  if (!textTypes) return { 'application/json': { schema: plain(body) } }
  return Object.fromEntries(textTypes.map((type) => [type, { schema: { type: 'string' } }]))
}

function describe(route: Route): Json {
  const { description, queryScopes = {} } = route
  const further = Object.entries(queryScopes).map(([name, needed]) => ` With \`${name}\` also \`${needed}\`.`)
  const needed = scopesNeeded(route).map((scope) => `\`${scope}\``)
  const label = needed.length > 1 ? 'Scopes' : 'Scope'
  const scopes = needed.length > 0 ? `${label}: ${needed.join(' and ')}.${further.join('')}` : undefined
  const words = [description, scopes].filter(Boolean).join(' ')
  return words === '' ? {} : { description: words }
}

/** OpenAPI 3.1 does not support QUERY: only the description mentions such a method. */
function paths(routes: readonly Route[]): Json {
  const found: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const here = found[route.path] ?? {}
    found[route.path] = here
    for (const method of route.methods) {
      if (method !== 'QUERY') here[method.toLowerCase()] = operation(route, method)
    }
  }
  return found
}

const components = {
  securitySchemes: {
    realmKey: {
      type: 'http',
      scheme: 'bearer',
      description: `A realm’s key, \`${keyForm.pattern}\`. The bare key without \`Bearer\` works too.`,
    },
    operatorToken: { type: 'http', scheme: 'bearer', description: 'The operator token of the installation.' },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'exchequer-session',
      description: 'The session of a person signed in to the console; prefixed with `__Secure-` over https.',
    },
  },
  schemas: { Problem: plain(problemSchema) },
}

const introduction = [
  'The points ledger of a community: members, wallets and points.',
  'Send `Authorization: Bearer …` with a realm’s key for `/api/v4` or an operator token for `/operator/v1`.',
  'Ids are strings in responses, because they don’t fit in a JavaScript number.',
  'A change with an `Idempotency-Key` can be retried safely: it is applied once and gets the same response.',
  'Every error is `application/problem+json` with a `code` to compare and a `detail` to read.',
].join('\n\n')

export const openapi = (routes: readonly Route[], basePath = '', examples?: Examples): Json =>
  withExamples(described(routes, basePath).document, examples)

/** The document, and its gaps. `basePath` is the path under which a proxy serves the server. */
export function described(routes: readonly Route[], basePath = ''): RefinedDocument {
  return refine({
    openapi: '3.1.0',
    info: {
      title: 'Exchequer',
      version: release,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath || '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    'x-tagGroups': tagGroups,
    paths: paths(routes),
    components,
  } as Rough)
}
