import fc, { type Arbitrary } from 'fast-check'
import { bodyTwist } from './bodyTwists.ts'
import type { Operation } from './document.ts'
import { byLength, bytesOf, type Draft, type SecretName, secret, type Twist } from './draft.ts'
import { headerTwist } from './headerTwists.ts'
import { lineTwist } from './lineTwists.ts'
import { misplaced, placeCount } from './places.ts'
import { asAsked, textAsAsked } from './values.ts'
import { known, knownSegments, memberIds, passersBy, realms, yard } from './world.ts'

/** Who asks, and in which realm. */
type Asker = { readonly name: SecretName | undefined; readonly realm: string; readonly bare: boolean }

const asker = (weight: number, name: SecretName | undefined, realm: string) => ({
  weight,
  arbitrary: fc.nat(4).map((bare): Asker => ({ name, realm, bare: bare === 0 })),
})

const { amber, beryl } = realms

/** Most may, so that a twist is all that stands in the way; the others must learn nothing. */
const askers: Readonly<Record<Operation['door'], Arbitrary<Asker>>> = {
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
  session: fc.oneof(asker(1, undefined, ''), asker(1, 'canary', ''), asker(1, 'operator', '')),
  public: fc.oneof(asker(1, undefined, ''), asker(1, 'canary', '')),
}

/** Who leaves must have no points, and who unlinks a wallet must have linked it: few share them. */
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

/** The request as the document asks for it. */
function asDocumented(operation: Operation): Arbitrary<Draft> {
  const segments = operation.path.split('/').map((part) => {
    if (!part.startsWith('{')) return fc.constant(part)
    return part === '{realmID}' ? fc.constant(part) : segmentOf(operation, part.slice(1, -1))
  })
  const parts = {
    asker: askers[operation.door],
    path: fc.tuple(...segments).map((all) => all.join('/')),
    body: operation.body ? asAsked(operation.body, known) : fc.constant(undefined),
  }
  return fc.record(parts).map(({ asker: { name, realm, bare }, path, body }) => ({
    operation,
    method: operation.method,
    path: bytesOf(path.replace('{realmID}', realm)),
    query: '',
    version: 'HTTP/1.1',
    headers: [
      ['Host', 'exchequer.test'],
      ...(name
        ? [['Authorization', bare ? secret(name) : `Bearer ${secret(name)}`] as [string, string]]
        : []),
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
    ],
    body,
    frame: byLength,
    times: 1,
    broken: false,
    twists: [],
  }))
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

/** Where points move, more is at stake. */
function weightOf({ door, method, path }: Operation): number {
  if (door !== 'realm' || method === 'GET') return 1
  if (/\/\{memberID\}\/(tokenBalance|transfer)$/.test(path)) return 24
  return /\/(tokenBalance|changes|reversals?|holds|capture|release)$/.test(path) ? 5 : 1
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

/** Case number so-and-so of a seed, whatever came before it. */
export function casesOf(operations: readonly Operation[], seed: number): Cases {
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
