import fc, { type Arbitrary } from 'fast-check'
import { bodyTwist } from './bodyTwists.ts'
import type { Operation } from './document.ts'
import { byLength, bytesOf, type Draft, type SecretName, secret, type Twist } from './draft.ts'
import { headerTwist } from './headerTwists.ts'
import { lineTwist } from './lineTwists.ts'
import { misplaced, placeCount } from './places.ts'
import { type Recipe, recipeFor } from './recipes.ts'
import { asAsked, textAsAsked } from './values.ts'
import { known, knownSegments, memberIds, passersBy, realms, yard } from './world.ts'

/** The caller, and the realm. */
type Asker = { readonly name: SecretName | undefined; readonly realm: string; readonly bare: boolean }

const asker = (weight: number, name: SecretName | undefined, realm: string) => ({
  weight,
  arbitrary: fc.nat(4).map((bare): Asker => ({ name, realm, bare: bare === 0 })),
})

const { amber, beryl } = realms

/** Most callers are authorized, so that only the twist is wrong; the others must learn nothing. */
const askers: Readonly<Record<Operation['audience'], Arbitrary<Asker>>> = {
  realm: fc.oneof(
    asker(14, 'own', amber.id),
    asker(4, 'other', beryl.id),
    asker(2, 'canary', amber.id),
    asker(1, 'own', beryl.id),
    asker(1, 'other', amber.id),
    asker(1, 'own', 'nowhere'),
    asker(1, 'revoked', amber.id),
    asker(1, 'operator', amber.id),
    asker(1, undefined, amber.id),
  ),
  operator: fc.oneof(
    asker(14, 'operator', yard),
    asker(1, 'operator', 'nowhere'),
    asker(1, 'own', amber.id),
    asker(1, 'other', amber.id),
    asker(1, 'canary', amber.id),
    asker(1, 'revoked', amber.id),
    asker(1, undefined, amber.id),
  ),
  session: fc.oneof(asker(3, undefined, yard), asker(1, 'canary', yard), asker(1, 'operator', yard)),
  public: fc.oneof(asker(3, undefined, yard), asker(1, 'canary', yard), asker(1, undefined, amber.id)),
}

/** Authorized callers, in the realm where everything a recipe needs was created. */
const rightful: Readonly<Record<Operation['audience'], Asker>> = {
  realm: { name: 'own', realm: amber.id, bare: false },
  operator: { name: 'operator', realm: yard, bare: false },
  session: { name: undefined, realm: yard, bare: false },
  public: { name: undefined, realm: yard, bare: false },
}

/** Only members without points can be removed, and only linked wallets unlinked: few requests share them. */
function membersFor({ method, path }: Operation): readonly string[] {
  if (path.endsWith('/erasure') || (method === 'DELETE' && path.endsWith('/{memberID}'))) return passersBy
  return path.includes('/wallets') ? memberIds.slice(0, 2) : memberIds
}

function segmentOf(operation: Operation, name: string): Arbitrary<string> {
  if (name === 'memberID') return fc.constantFrom(...membersFor(operation))
  const hit = (knownSegments as Readonly<Record<string, Arbitrary<string>>>)[name]
  const schema = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {}
  return hit ?? textAsAsked(schema).map((text) => encodeURIComponent(text) || 'x')
}

/** How often a request uses the route's recipe; otherwise it is drawn from the schema alone. */
const byRecipe = fc.nat(3).map((drawn) => drawn > 0)

type Parts = {
  readonly asker: Asker
  readonly segments: readonly string[]
  readonly body: string | undefined
  readonly recipe: Recipe
}

/** A request that matches the document; `plain`: by an authorized caller, with everything it needs. */
function asDocumented(operation: Operation, plain = false): Arbitrary<Draft> {
  const segments = operation.path.split('/').map((part) => {
    if (!part.startsWith('{') || part === '{realmID}') return fc.constant(part)
    return segmentOf(operation, part.slice(1, -1))
  })
  const parts = {
    asker: plain ? fc.constant(rightful[operation.audience]) : askers[operation.audience],
    segments: fc.tuple(...segments),
    body: operation.body ? asAsked(operation.body, known) : fc.constant(undefined),
    number: fc.nat(999_999),
    wanted: plain ? fc.constant(true) : byRecipe,
  }
  return fc.record(parts).map(({ number, wanted, ...drawn }) => {
    const recipe = wanted ? recipeFor(operation, number, drawn.asker.realm) : {}
    return draftOf(operation, { ...drawn, recipe })
  })
}

function draftOf(operation: Operation, { asker: { name, realm, bare }, ...drawn }: Parts): Draft {
  const { segments: found = {}, headers = [], body: fitting, isRaw = false } = drawn.recipe
  const names = operation.path.split('/')
  const path = drawn.segments.map((text, place) => found[(names[place] ?? '').slice(1, -1)] ?? text).join('/')
  const takesBody = operation.body !== undefined || (isRaw && operation.method !== 'GET')
  const body = takesBody ? (fitting ?? drawn.body) : drawn.body
  const type: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const key: [string, string][] = name
    ? [['Authorization', bare ? secret(name) : `Bearer ${secret(name)}`]]
    : []
  return {
    operation,
    method: operation.method,
    path: bytesOf(path.replaceAll('{realmID}', realm)),
    query: drawn.recipe.query ?? '',
    version: 'HTTP/1.1',
    headers: [['Host', 'exchequer.test'], ...key, ...merged(type, headers)],
    body: body?.replaceAll('{realmID}', realm),
    frame: byLength,
    times: 1,
    broken: false,
    twists: [],
  }
}

/** The headers of a recipe, followed by those of every request. */
function merged(usual: readonly [string, string][], own: Recipe['headers'] = []): [string, string][] {
  const named = new Set(own.map(([name]) => name))
  return [
    ...usual.filter(([name]) => !named.has(name)),
    ...own.map(([name, value]) => [name, value] as [string, string]),
  ]
}

const pipelined: Arbitrary<Twist> = fc.integer({ min: 2, max: 4 }).map((times) => ({
  name: `sent ${times} times at once`,
  apply: (draft) => {
    if (!draft.broken) draft.times = times
  },
}))

const twist = fc.oneof(
  { weight: 7, arbitrary: bodyTwist },
  { weight: 5, arbitrary: lineTwist },
  { weight: 5, arbitrary: headerTwist },
)

const twists = fc.tuple(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 7, arbitrary: fc.array(twist, { minLength: 1, maxLength: 1 }) },
    { weight: 3, arbitrary: fc.array(twist, { minLength: 2, maxLength: 3 }) },
  ),
  fc.oneof(
    { weight: 19, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: pipelined.map((one) => [one]) },
  ),
)

/** Routes that move points are drawn more often. */
function weightOf({ audience, method, path }: Operation): number {
  if (audience !== 'realm' || method === 'GET') return 1
  if (/\/\{memberID\}\/(tokenBalance|transfer)$/.test(path)) return 24
  return /\/(tokenBalance|changes|reversals?|holds|capture|release|awards|grant|cancel)$/.test(path) ? 5 : 1
}

/** Every third request puts a key where it does not belong: each operation and each place in turn. */
const sweepEvery = 3

function misplacing(operations: readonly Operation[], turn: number): { operation: Operation; twist: Twist } {
  const operation = operations[turn % operations.length]
  if (!operation) throw new Error('the document has no operation')
  const round = Math.floor(turn / operations.length)
  const isCanary = (round + Math.floor(round / placeCount)) % 2 === 0
  return { operation, twist: misplaced(round, secret(isCanary ? 'canary' : 'revoked')) }
}

export type Cases = (number: number) => Draft

/** First, every operation is requested correctly this many times: each must succeed. */
export const plainRounds = 3

/** Case `number` of a seed, independent of the cases before it. */
export function casesOf(operations: readonly Operation[], seed: number): Cases {
  const plain = operations.map((one) => asDocumented(one, true))
  const documented = new Map(operations.map((one) => [one, asDocumented(one)]))
  const weighed = [...documented].map(([one, arbitrary]) => ({ weight: weightOf(one), arbitrary }))
  const hostile = fc.tuple(fc.oneof(...weighed), twists)
  const draw = <T>(arbitrary: Arbitrary<T>, number: number): T => {
    const drawn = Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)
    const [one] = fc.sample(arbitrary, { seed: drawn, numRuns: 1 })
    if (one === undefined) throw new Error('nothing was drawn')
    return one
  }
  return (number) => {
    const round = plain[number % plain.length]
    if (round && number < plainRounds * plain.length) return draw(round, number)
    if (number % sweepEvery === 0) {
      const { operation, twist: misplacement } = misplacing(operations, number / sweepEvery)
      return twisted(draw(documented.get(operation) ?? asDocumented(operation), number), [misplacement])
    }
    const [draft, [first, last]] = draw(hostile, number)
    return twisted(draft, [...first, ...last])
  }
}

function twisted(draft: Draft, all: readonly Twist[]): Draft {
  for (const twist of all) {
    twist.apply(draft)
    draft.twists.push(twist.name)
  }
  return draft
}
