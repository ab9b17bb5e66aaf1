import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, type Call, call } from '../../../tests/support/call.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator } from '../../../tests/support/v4.ts'
import { release } from '../../src/config/release.ts'
import type { Method, Route } from '../../src/http/route/route.ts'
import { documented } from '../../src/http/routes.ts'
import { scopes } from '../../src/keys/index.ts'

/** Nothing that is sent is ignored silently: tested on every JSON route of the API. */

let key = ''
const made = suite({}, async (suited) => {
  const path = `/realms/${suited.fixture.realm.id}/keys`
  key = (await asOperator(suited, 'POST', { path, body: { scopes } })).key
})

type Schema = { readonly pattern?: string; readonly properties?: Readonly<Record<string, unknown>> }
type Asked = { readonly method: Method; readonly route: Route }

const isOfApi = ({ audience }: Route): boolean => audience === 'realm' || audience === 'operator'
const titleOf = ({ method, route }: Asked): string => `${method} ${route.path}`
const all: readonly Asked[] = documented
  .filter(isOfApi)
  .flatMap((route) => route.methods.map((method) => ({ method, route })))
const strict = all.filter(({ route }) => route.isStrict)

/** Ids that do not exist: no request of this test may change anything. */
const absent = ['999999', 'absent', 'eip155:999999']

function pathOf({ path, params = {} }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'realmID') return made.fixture.realm.id
    const { pattern = '' } = (params[name] ?? {}) as Schema
    return absent.find((value) => new RegExp(pattern).test(value)) ?? assert.fail(`no value for ${name}`)
  })
}

const send = ({ method, route }: Asked, { query = '', ...options }: Call & { query?: string } = {}) =>
  call(method, made.app.url + pathOf(route) + query, {
    key: route.audience === 'operator' ? operatorToken : key,
    ...options,
  })

type FieldError = {
  readonly pointer: string
  readonly code: string
  readonly in: string
  readonly name: string
}

/** A 400 that names this location, and suggests a similar name if there is one. */
function assertUnknown(answer: Answer, expected: FieldError, meant?: string): void {
  assertProblem(answer, 400, 'invalid_request')
  const fault = answer.json.errors.find(({ pointer }: FieldError) => pointer === expected.pointer)
  assert.ok(fault, answer.text)
  const { detail, ...rest } = fault
  assert.deepEqual(rest, expected)
  assert.equal(answer.json.serverVersion, release)
  if (meant !== undefined) assert.match(detail, new RegExp(`Did you mean ${meant}\\?`))
}

/** A name similar to this one that is not known. */
const misspelt = (name: string, known: readonly string[]): string => {
  const near = `${name}z`
  return known.includes(near) ? misspelt(near, known) : near
}

const fieldsOf = ({ body, textTypes }: Route): readonly string[] =>
  textTypes ? [] : Object.keys((body as Schema | undefined)?.properties ?? {})

describe('an unknown query parameter is 400', () => {
  for (const asked of strict)
    it(titleOf(asked), async () => {
      const known = Object.keys(asked.route.query ?? {})
      const [first] = known
      const name = first === undefined ? 'qqqqqq' : misspelt(first, known)
      const answer = await send(asked, { query: `?${name}=1` })
      assertUnknown(answer, { pointer: `query:${name}`, in: 'query', name, code: 'unknown_parameter' }, first)
    })
})

describe('an unknown field of a body is 400, also where no body is accepted', () => {
  for (const asked of strict.filter(({ route }) => !route.textTypes))
    it(titleOf(asked), async () => {
      const known = fieldsOf(asked.route)
      const [first] = known
      const name = first === undefined ? 'dryRun' : misspelt(first, known)
      const answer = await send(asked, { body: { [name]: true } })
      assertUnknown(answer, { pointer: `/${name}`, in: 'body', name, code: 'unknown_field' }, first)
    })
})

const isWrite = ({ route }: Asked): boolean => route.writes
const isPosted = ({ method }: Asked): boolean => method === 'POST' || method === 'PATCH'
const pointersOf = ({ json }: Answer): string[] =>
  json?.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? []

describe('an Idempotency-Key', () => {
  const malformed = { headers: { 'idempotency-key': 'with a blank' } }
  for (const asked of all)
    it(`${isWrite(asked) && isPosted(asked) ? 'counts' : 'is ignored'}: ${titleOf(asked)}`, async () => {
      const answer = await send(asked, malformed)
      const isLookedAt = pointersOf(answer).includes('header:Idempotency-Key')
      assert.equal(isLookedAt, isWrite(asked) && isPosted(asked), answer.text)
    })
})

/** Writes to one member or its points, which compare its ETag. */
const conditional = [
  'PATCH /members/{memberID}/tokenBalance',
  'PATCH /members/{memberID}/transfer',
  'PUT /members/{memberID}',
  'DELETE /members/{memberID}',
  'POST /members/{memberID}/erasure',
  'POST /members/{memberID}/holds',
  'POST /holds/{holdID}/capture',
  'POST /holds/{holdID}/release',
  'POST /members/{memberID}/awards',
  'POST /awards/{awardID}/grant',
  'POST /awards/{awardID}/cancel',
  'POST /entries/{transactionID}/reverse',
]
const isConditional = ({ method, route }: Asked): boolean =>
  conditional.includes(`${method} ${route.path.split('{realmID}')[1]}`)

describe('If-Match', () => {
  it('is supported where one member or its points change', () => {
    const found = all.filter((asked) => asked.route.audience === 'realm' && isConditional(asked))
    assert.equal(found.length, conditional.length)
  })

  for (const asked of all)
    it(titleOf(asked), async () => {
      const answer = await send(asked, { headers: { 'if-match': 'not quoted' } })
      if (!isWrite(asked)) {
        assert.ok(answer.status !== 412 && !pointersOf(answer).includes('header:If-Match'), answer.text)
      } else if (isConditional(asked)) assert.deepEqual(pointersOf(answer), ['header:If-Match'])
      else {
        assertProblem(answer, 412, 'precondition_failed')
        assert.match(answer.json.detail, /no ETag/)
      }
    })
})

describe('unknown fields from clients of the old service', () => {
  const lenient = all.filter(({ route }) => route.lenient)

  it('are ignored by six routes only', () => {
    assert.deepEqual(lenient.map(titleOf), [
      'GET /api/v4/realms/{realmID}/members/{memberID}',
      'GET /api/v4/realms/{realmID}/web3/members/{memberID}',
      'GET /api/v4/realms/{realmID}/members/includes',
      'QUERY /api/v4/realms/{realmID}/members/includes',
      'POST /api/v4/realms/{realmID}/members/includes',
      'PATCH /api/v4/realms/{realmID}/members/{memberID}/tokenBalance',
      'PATCH /api/v4/realms/{realmID}/members/{memberID}/transfer',
      'PATCH /api/v4/realms/{realmID}/members/tokenBalance',
    ])
  })

  for (const asked of lenient)
    it(`are listed in a header: ${titleOf(asked)}`, async () => {
      const isRead = !isWrite(asked)
      const entries = [{ memberId: '999999', tokens: 1, note: 1 }]
      const body = { tokens: 1, recipientId: '999998', wallets: ['x'], entries, reson: 1 }
      const query = isRead ? '?limt=3' : ''
      const options = asked.route.body ? { body, query } : { query }
      const { status, headers, text } = await send(asked, options)
      assert.ok(status === 200 || status === 404, text)
      const ignored = (headers['exchequer-ignored'] as string | undefined)?.split(', ') ?? []
      if (isRead) assert.ok(ignored.includes('query:limt'), String(ignored))
      if (asked.route.body) assert.ok(ignored.includes('/reson'), String(ignored))
    })
})

it('every response names the release, including errors and pages', async () => {
  for (const path of ['/healthz', '/docs', '/problems', '/nothing', '/api/v4/realms/x']) {
    const { headers } = await call('GET', made.app.url + path)
    assert.equal(headers['exchequer-version'], release, path)
  }
})
