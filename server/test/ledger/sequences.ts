import fc from 'fast-check'
import type { Answer, ModelRealm, Request } from './model.ts'

/** Two of these ids are one number to a client that rounds, and the last is the maximum. */
export const registered = ['1', '1190194345295482952', '1190194345295482953'] as const
const strangers = ['7', '9223372036854775807'] as const
export const points = ['gold', 'silver'] as const
const [defaultPoint] = points

const greatest = 9007199254740991n
const small = [1n, 2n, 5n, 10n]
const huge = [greatest, greatest - 1n, greatest - 5n, greatest / 2n]
const keys = Array.from({ length: 12 }, (_, index) => `order-${index}`)
const keyless = keys.map(() => undefined)

const member = fc.constantFrom(...registered, ...registered, ...registered, ...strangers)

const step = fc.record({
  kind: fc.constantFrom('adjust', 'adjust', 'transfer'),
  member,
  recipient: member,
  amount: fc.constantFrom(...small, ...small, ...huge, ...small),
  credit: fc.constantFrom(true, true, true, false),
  point: fc.constantFrom(undefined, defaultPoint, undefined, defaultPoint, 'silver', 'lead'),
  reason: fc.constantFrom(undefined, undefined, undefined, 'a quest', 'a raid'),
  key: fc.constantFrom(...keyless, ...keys),
  /** Retries an earlier request, counted from the last one. */
  again: fc.constantFrom(0, 0, 0, 0, 1, 2, 5, 9),
  /** When sent again, the default point type is named if it was omitted, and the other way round. */
  respell: fc.boolean(),
  /** The batch ends here, and the clock advances by this much, or goes back. */
  cut: fc.constantFrom(false, false, false, true),
  elapsedUs: fc.constantFrom(1n, 0n, 2_000n, -3_000_000n),
  /** After the cut, remembered rejections have expired. */
  nextDay: fc.constantFrom(false, false, false, true),
  /** After the cut, the realm has this default. */
  newDefault: fc.constantFrom(undefined, undefined, undefined, undefined, ...points),
})
type Step = Readonly<typeof step extends fc.Arbitrary<infer T> ? T : never>

export type Batch = {
  readonly requests: readonly Request[]
  readonly elapsedUs: bigint
  readonly nextDay: boolean
  readonly newDefault: string | undefined
}
export type Sequence = { readonly realm: ModelRealm; readonly batches: readonly Batch[] }

function otherSpelling(point: string | undefined): string | undefined {
  if (point === undefined) return defaultPoint
  return point === defaultPoint ? undefined : point
}

function requestOf(step: Step, id: string, earlier: readonly Request[]): Request {
  const first = step.again > 0 ? earlier.at(-step.again) : undefined
  if (first) return { ...first, id, point: step.respell ? otherSpelling(first.point) : first.point }
  const { kind, member, recipient, amount, credit, point, reason, key: idempotencyKey } = step
  const common = { id, member, point, reason, idempotencyKey }
  if (kind === 'transfer') return { ...common, kind, recipient, tokens: amount }
  return { ...common, kind: 'adjust', recipient: undefined, tokens: credit ? amount : -amount }
}

function sequenceOf(open: boolean, steps: readonly Step[]): Sequence {
  const all: Request[] = []
  const batches: Batch[] = []
  let requests: Request[] = []
  steps.forEach((step, index) => {
    const request = requestOf(step, `request-${index + 1}`, all)
    all.push(request)
    requests.push(request)
    if (!step.cut && index + 1 < steps.length) return
    const { elapsedUs, nextDay, newDefault } = step
    batches.push({ requests, elapsedUs, nextDay, newDefault })
    requests = []
  })
  return { realm: { open, points, members: registered }, batches }
}

/** Requests of one realm with retries and mistakes, split into batches anywhere. */
export function sequences(maxLength: number): fc.Arbitrary<Sequence> {
  return fc
    .tuple(fc.boolean(), fc.array(step, { minLength: 1, maxLength, size: 'max' }))
    .map(([open, steps]) => sequenceOf(open, steps))
}

/** Counts outcomes, so that a run that never reached a rule is noticed. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add({ code, replayed }: Answer): void {
    const name = replayed ? `${code} again` : code
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  missing(): string[] {
    const rules = ['point_not_found', 'member_not_found', 'recipient_not_found']
    const limits = ['same_member', 'insufficient_points', 'balance_limit']
    const names = ['done', ...limits].flatMap((name) => [name, `${name} again`])
    return [...names, ...rules, 'idempotency_key_reused'].filter((name) => !this.#counts.has(name))
  }
}
