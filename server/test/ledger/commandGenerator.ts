import fc from 'fast-check'
import type { LedgerModel } from './model.ts'
import type { Answer, Change, ModelRealm, PointType, Request } from './requests.ts'

/** Two of these ids are one number to a client that rounds, and the last stranger's is the maximum. */
const registered = ['1', '1190194345295482952', '1190194345295482953'] as const
const strangers = ['7', '9223372036854775807'] as const
/** The default first. */
export const pointTypes: readonly PointType[] = [
  { id: 'gold', maxBalance: null, maxPerTransfer: null, transferable: true },
  { id: 'silver', maxBalance: 10n, maxPerTransfer: 4n, transferable: true },
  { id: 'iron', maxBalance: null, maxPerTransfer: null, transferable: false },
]

const greatest = 9007199254740991n
const small = [1n, 2n, 5n, 10n]
const huge = [greatest, greatest - 1n, greatest - 5n, greatest / 2n]
const sharedKeys = ['order-1', 'order-2', 'order-3'] as const

/** One of these values, each as often as its number says. */
const weighted = <const T>(...choices: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.constantFrom(...choices.flatMap(([weight, value]) => Array.from({ length: weight }, () => value)))

const member = fc.constantFrom(...registered, ...registered, ...registered, ...strangers)
const change = fc.record({
  member,
  amount: fc.constantFrom(...small, ...small, ...small, ...small, ...huge),
  credit: weighted([3, true], [1, false]),
  point: weighted([4, undefined], [2, 'gold'], [3, 'silver'], [2, 'iron'], [1, 'lead']),
})

const changing = weighted([4, 'adjust'], [1, 'opening'], [3, 'transfer'], [2, 'batch'], [3, 'reverse'])
const holding = weighted([4, 'hold'], [3, 'capture'], [2, 'release'], [3, 'expire'])
const action = fc.record({
  kind: fc.oneof(changing, holding),
  change,
  recipient: member,
  changes: fc.array(change, { minLength: 1, maxLength: 5 }),
  reason: weighted([2, undefined], [1, 'a quest'], [1, 'a raid']),
  /** No Idempotency-Key, its own, or one that others use too. */
  key: fc.constantFrom(...sharedKeys.flatMap((key) => [undefined, 'own', key] as const)),
  /** The entry or hold to use: a suitable one, one already used, any, or an unknown one. */
  target: weighted([4, 'suitable'], [1, 'used'], [1, 'any'], [1, 'unknown']),
  pick: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3, 5, 8, 13),
  part: fc.constantFrom(undefined, undefined, undefined, 1n, 2n, 5n, 10n),
  fills: weighted([6, false], [1, true]),
  forUs: fc.constantFrom(1n, 1n, 3_000_000n, 3_600_000_000n, 3_600_000_000n),
  ifMatch: weighted([4, undefined], [1, 'current'], [1, 'outdated']),
  dry: weighted([5, false], [1, true]),
  /** Retries an earlier request with a key, counted from the last one. */
  again: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3, 5),
  /** When sent again, the default point type is named if it was omitted, and the other way round. */
  respell: fc.boolean(),
})
type Action = Readonly<typeof action extends fc.Arbitrary<infer T> ? T : never>

const step = fc.record({
  action,
  more: fc.array(action, { minLength: 0, maxLength: 4 }),
  /** Posted; with a dry run first; in a dry run of several; and then posted one by one. */
  mode: weighted([4, 'post'], [1, 'dry first'], [1, 'rehearse'], [1, 'rehearse first']),
  /** The batch ends here, and the clock advances by this much, or goes back. */
  cut: weighted([3, false], [1, true]),
  /** The batch that starts here has only commands that are decided from memory. */
  isPlain: weighted([2, false], [1, true]),
  elapsedUs: fc.constantFrom(1n, 1n, 0n, 2_000n, -3_000_000n, 4_000_000n, 7_200_000_000n),
  /** After the cut, remembered rejections have expired. */
  nextDay: weighted([4, false], [1, true]),
  newDefault: weighted([12, undefined], [1, 'gold'], [1, 'silver'], [1, 'iron']),
  /** After the cut, this member is frozen, or unfrozen if it was. */
  toggled: fc.constantFrom(...Array.from({ length: 7 }, () => undefined), ...registered),
  /** And a claimable snapshot deducts all of this point type. */
  claimed: weighted([14, undefined], [2, 'gold'], [1, 'silver']),
})
type Step = Readonly<typeof step extends fc.Arbitrary<infer T> ? T : never>

export type Between = Pick<Step, 'elapsedUs' | 'nextDay' | 'newDefault' | 'toggled' | 'claimed'>
export type Batch = { readonly steps: readonly Step[]; readonly between: Between }
export type Sequence = { readonly realm: ModelRealm; readonly batches: readonly Batch[] }

/** Only commands that can be decided from memory, and nothing else that happens to the realm. */
function simplified(one: Step): Step {
  const { kind: drawn } = one.action
  const kind = drawn === 'transfer' || drawn === 'batch' ? drawn : 'adjust'
  const action = { ...one.action, kind, ifMatch: undefined, dry: false } as const
  return { ...one, action, mode: 'post', toggled: undefined, claimed: undefined }
}

/** And without unknown members and retries, which are always looked up. */
function plain(one: Step): Step {
  const { change: own, changes, recipient, key } = one.action
  const known = (id: Action['recipient']) => registered.find((some) => some === id) ?? registered[0]
  const among = (some: Action['change']) => ({ ...some, member: known(some.member) })
  const parties = { change: among(own), changes: changes.map(among), recipient: known(recipient) }
  const { action, ...rest } = simplified(one)
  return { ...rest, action: { ...action, again: 0, key: key && 'own', ...parties } }
}

function sequenceOf(open: boolean, steps: readonly Step[]): Sequence {
  const batches: Batch[] = []
  let current: Step[] = []
  steps.forEach((one, index) => {
    current.push((current[0] ?? one).isPlain ? plain(one) : one)
    if (!one.cut && index + 1 < steps.length) return
    batches.push({ steps: current, between: one })
    current = []
  })
  return { realm: { open, points: pointTypes, members: registered }, batches }
}

type Shape = { readonly minLength: number; readonly maxLength: number; readonly simple?: boolean }

/** Requests of one realm with retries and mistakes, split into batches anywhere. */
export function sequences({ minLength, maxLength, simple = false }: Shape): fc.Arbitrary<Sequence> {
  return fc
    .tuple(fc.boolean(), fc.array(step, { minLength, maxLength, size: 'max' }))
    .map(([open, steps]) => sequenceOf(open, simple ? steps.map(simplified) : steps))
}

/** One request, or a dry run of several, and the model's outcome. */
export type Item = {
  readonly requests: readonly Request[]
  readonly rehearsal: boolean
  readonly answers: readonly Answer[]
  /** A dry run; the next one is the same for real. */
  readonly realNext: boolean
}

/** Turns steps into requests, in the model's terms: only it knows which entries and holds will exist. */
export class RequestWriter {
  readonly #model: LedgerModel
  readonly #earlier: Request[] = []
  #count = 0

  constructor(model: LedgerModel) {
    this.#model = model
  }

  write({ action: first, more, mode }: Step): Item[] {
    if (mode === 'post') return [this.#post(this.#requestOf(first))]
    if (mode === 'dry first') {
      const request = this.#requestOf(first)
      return [{ ...this.#post({ ...request, dry: true }), realNext: true }, this.#post(request)]
    }
    const requests: Request[] = []
    const answers = this.#model.rehearse(() =>
      [first, ...more].map((one) => {
        const request = this.#requestOf(one)
        requests.push(request)
        return this.#model.post(request)
      }),
    )
    const rehearsed = { requests, rehearsal: true, answers, realNext: mode === 'rehearse first' }
    return rehearsed.realNext ? [rehearsed, ...requests.map((one) => this.#post(one))] : [rehearsed]
  }

  #post(request: Request): Item {
    const answers = [this.#model.post(request)]
    return { requests: [request], rehearsal: false, answers, realNext: false }
  }

  #requestOf(one: Action): Request {
    const id = `request-${++this.#count}`
    const first = one.again > 0 ? this.#earlier.at(-one.again) : undefined
    const request = first ? { ...first, id, ...respelled(first, one.respell) } : this.#newRequest(one, id)
    if (request.idempotencyKey !== undefined) this.#earlier.push(request)
    return request
  }

  #newRequest(one: Action, id: string): Request {
    const { kind, reason, key, dry, recipient, changes, forUs, part: tokens } = one
    const details = { id, reason, idempotencyKey: key === 'own' ? `of ${id}` : key, dry }
    const own = one.fills ? this.#fill(changeOf(one.change)) : changeOf(one.change)
    const positive = this.#affordable({ ...own, tokens: one.change.amount }, one)
    const ifMatch = this.#tagsOf(own.member, one)
    switch (kind) {
      case 'adjust':
      case 'opening':
        return { ...details, kind, ...own, ifMatch }
      case 'transfer':
        return { ...details, kind, ...positive, recipient, ifMatch }
      case 'batch':
        return { ...details, kind, changes: changes.map(changeOf) }
      case 'reverse':
        return { ...details, kind, entry: this.#entryFor(one) }
      case 'hold':
        return { ...details, kind, ...positive, forUs }
      case 'capture':
        return { ...details, kind, hold: this.#holdFor(one), tokens }
      case 'release':
      case 'expire':
        return { ...details, kind, hold: this.#holdFor(one) }
    }
  }

  /** A member with enough points, when the step should succeed. */
  #affordable(asked: Change, { target, pick }: Action): Change {
    const has = [...this.#model.balances].filter(([name, balance]) => balance > 0n && !name.includes('held'))
    const [name, balance] = has[pick % Math.max(1, has.length)] ?? []
    if (target !== 'suitable' || name === undefined || balance === undefined) return asked
    const [kind, who = ''] = name.split(' ')
    return { member: who, point: kind, tokens: asked.tokens < balance ? asked.tokens : balance }
  }

  /** The maximum balance, preferably of a member whose held points then can't be released. */
  #fill(asked: Change): Change {
    const last = this.#model.openHolds.at(-1)
    const { member: who, point: kind = 'gold' } = last ?? asked
    const most = pointTypes.find(({ id }) => id === kind)?.maxBalance ?? greatest
    const left = most - (this.#model.balances.get(`${kind} ${who}`) ?? 0n)
    return left > 0n ? { member: who, point: kind, tokens: left } : asked
  }

  #tagsOf(who: string, { ifMatch, pick }: Action): bigint[] | undefined {
    if (ifMatch === undefined) return undefined
    const version = this.#model.versionOf(who)
    return ifMatch === 'current' ? [version + 100n, version] : [version + BigInt(pick) + 1n, version - 1n]
  }

  #entryFor({ target, pick }: Action): bigint {
    const { journal } = this.#model
    const undone = new Set(journal.map(({ kind, link }) => (kind === 'reversal' ? link : null)))
    const some = journal.filter(({ seq }) => target === 'any' || undone.has(seq) === (target === 'used'))
    return this.#choose(target === 'unknown' ? [] : some, pick)
  }

  /** An unknown one may be an entry of another type. */
  #holdFor({ kind, target, pick }: Action): bigint {
    const { journal, holds, nowUs } = this.#model
    if (target === 'unknown') return this.#choose(journal.slice(pick), pick)
    const isMeant = (ended: boolean) => target === 'any' || ended === (target === 'used')
    const some = [...holds.values()].filter(({ endedBy }) => isMeant(endedBy !== null))
    const due = kind === 'expire' && target === 'suitable' ? some.filter((one) => one.expiresUs <= nowUs) : []
    return this.#choose(due.length > 0 ? due : some, pick)
  }

  #choose(some: readonly { readonly seq: bigint }[], pick: number): bigint {
    const chosen = some.at(-1 - (pick % Math.max(1, some.length)))
    return chosen?.seq ?? BigInt(this.#model.journal.length + 1 + pick)
  }
}

const changeOf = ({ member: who, amount: tokens, credit: adds, point: kind }: Action['change']): Change => ({
  member: who,
  tokens: adds ? tokens : -tokens,
  point: kind,
})

function respelled(request: Request, respell: boolean): { point?: string | undefined } {
  if (!respell || !('member' in request)) return {}
  if (request.point === undefined) return { point: pointTypes[0]?.id }
  return { point: request.point === pointTypes[0]?.id ? undefined : request.point }
}
