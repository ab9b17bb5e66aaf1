import fc from 'fast-check'
import type { DailyModel } from './dailyModel.ts'
import type { Answer, Change, Kind, ModelRealm, Request } from './dailyRequests.ts'

const registered = ['1', '1190194345295482952', '1190194345295482953'] as const
const strangers = ['7', '9223372036854775807'] as const
/** The default first. */
export const kinds: readonly Kind[] = [
  { id: 'gold', maxBalance: null, maxPerTransfer: null, transferable: true },
  { id: 'silver', maxBalance: 10n, maxPerTransfer: 2n, transferable: true },
  { id: 'iron', maxBalance: null, maxPerTransfer: null, transferable: false },
]

const greatest = 9007199254740991n
const small = [1n, 2n, 5n, 10n]
const huge = [greatest, greatest - 5n, greatest / 2n]
const keys = ['order-1', 'order-2', 'order-3']

const member = fc.constantFrom(...registered, ...registered, ...registered, ...strangers)
const amount = fc.constantFrom(...small, ...small, ...small, ...huge)
const named = ['gold', 'silver', 'iron'] as const
const usual = [undefined, undefined, undefined, undefined, 'gold', 'gold'] as const
const point = fc.constantFrom(...usual, 'silver', 'silver', 'silver', 'iron', 'iron', 'lead')
const credit = fc.constantFrom(true, true, true, false)
const change = fc.record({ member, amount, credit, point })

const act = fc.record({
  kind: fc.constantFrom(
    ...(['adjust', 'adjust', 'adjust', 'adjust', 'opening', 'transfer', 'transfer', 'transfer'] as const),
    ...(['batch', 'batch', 'reverse', 'reverse', 'reverse', 'hold', 'hold', 'hold', 'hold'] as const),
    ...(['capture', 'capture', 'capture', 'release', 'release', 'expire', 'expire'] as const),
  ),
  change,
  recipient: member,
  changes: fc.array(change, { minLength: 1, maxLength: 5 }),
  reason: fc.constantFrom(undefined, undefined, 'a quest', 'a raid'),
  /** No Idempotency-Key, its own, or one that others use too. */
  key: fc.constantFrom(...keys.map(() => undefined), ...keys.map(() => 'own'), ...keys),
  /** The entry or hold to use: a suitable one, one already used, any, or an unknown one. */
  aim: fc.constantFrom('right', 'right', 'right', 'right', 'past', 'any', 'none'),
  pick: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3, 5, 8, 13),
  part: fc.constantFrom(undefined, undefined, undefined, 1n, 2n, 5n, 10n),
  brim: fc.constantFrom(false, false, false, false, false, false, true),
  forUs: fc.constantFrom(1n, 3_000_000n, 3_600_000_000n, 3_600_000_000n),
  ifMatch: fc.constantFrom(undefined, undefined, undefined, undefined, 'fresh', 'stale'),
  dry: fc.constantFrom(false, false, false, false, false, true),
  /** Retries an earlier request with a key, counted from the last one. */
  again: fc.constantFrom(0, 0, 0, 0, 0, 1, 2, 3, 5),
  /** When sent again, the default point type is named if it was omitted, and the other way round. */
  respell: fc.boolean(),
})
type Act = Readonly<typeof act extends fc.Arbitrary<infer T> ? T : never>

const seldom = Array.from({ length: 7 }, () => undefined)

const step = fc.record({
  act,
  more: fc.array(act, { minLength: 0, maxLength: 4 }),
  /** Posted; with a dry run first; in a dry run of several; and then posted one by one. */
  mode: fc.constantFrom('post', 'post', 'post', 'post', 'dry first', 'rehearse', 'rehearse first'),
  /** The batch ends here, and the clock advances by this much, or goes back. */
  cut: fc.constantFrom(false, false, false, true),
  /** The batch that starts here has only commands that can be decided from memory. */
  plain: fc.constantFrom(false, false, true),
  elapsedUs: fc.constantFrom(1n, 1n, 0n, 2_000n, -3_000_000n, 4_000_000n, 7_200_000_000n),
  nextDay: fc.constantFrom(false, false, false, false, true),
  newDefault: fc.constantFrom(...seldom, ...seldom, ...named),
  /** After the cut, this member is frozen, or unfrozen if it was. */
  turned: fc.constantFrom(...seldom, ...registered),
  /** And a claimable snapshot deducts all of this point type. */
  claimed: fc.constantFrom(...seldom, ...seldom, 'gold', 'gold', 'silver'),
})
type Step = Readonly<typeof step extends fc.Arbitrary<infer T> ? T : never>

export type Between = Pick<Step, 'elapsedUs' | 'nextDay' | 'newDefault' | 'turned' | 'claimed'>
export type Batch = { readonly steps: readonly Step[]; readonly between: Between }
export type Sequence = { readonly realm: ModelRealm; readonly batches: readonly Batch[] }

/** Without unknown members and retries, which are always looked up. */
function plainly(one: Step): Step {
  const { kind: asked, change: own, changes, recipient, key } = one.act
  const kind = asked === 'transfer' || asked === 'batch' ? asked : 'adjust'
  const friend = (id: Act['recipient']) => registered.find((known) => known === id) ?? registered[0]
  const among = (some: Act['change']) => ({ ...some, member: friend(some.member) })
  const parties = { change: among(own), changes: changes.map(among), recipient: friend(recipient) }
  const more = { kind, again: 0, ifMatch: undefined, dry: false, key: key && 'own' } as const
  return { ...one, plain: true, mode: 'post', act: { ...one.act, ...more, ...parties } }
}

function sequenceOf(open: boolean, steps: readonly Step[]): Sequence {
  const batches: Batch[] = []
  let current: Step[] = []
  steps.forEach((one, index) => {
    current.push((current[0] ?? one).plain ? plainly(one) : one)
    if (!one.cut && index + 1 < steps.length) return
    batches.push({ steps: current, between: one })
    current = []
  })
  return { realm: { open, kinds, members: registered }, batches }
}

/** Requests of one realm with retries and mistakes, split into batches anywhere. */
export function dailySequences(minLength: number, maxLength: number): fc.Arbitrary<Sequence> {
  return fc
    .tuple(fc.boolean(), fc.array(step, { minLength, maxLength, size: 'max' }))
    .map(([open, steps]) => sequenceOf(open, steps))
}

/** One request, or a dry run of several, and the model's outcome. */
export type Item = {
  readonly requests: readonly Request[]
  readonly rehearsal: boolean
  readonly answers: readonly Answer[]
  /** A dry run; the next one is the same for real. */
  readonly earnestNext: boolean
}

/** Turns steps into requests, in the model's terms: only it knows which entries and holds will exist. */
export class Scribe {
  readonly #model: DailyModel
  readonly #earlier: Request[] = []
  #count = 0

  constructor(model: DailyModel) {
    this.#model = model
  }

  write({ act: first, more, mode }: Step): Item[] {
    if (mode === 'post') return [this.#post(this.#requestOf(first))]
    if (mode === 'dry first') {
      const request = this.#requestOf(first)
      return [{ ...this.#post({ ...request, dry: true }), earnestNext: true }, this.#post(request)]
    }
    const requests: Request[] = []
    const answers = this.#model.rehearse(() =>
      [first, ...more].map((one) => {
        const request = this.#requestOf(one)
        requests.push(request)
        return this.#model.post(request)
      }),
    )
    const rehearsed = { requests, rehearsal: true, answers, earnestNext: mode === 'rehearse first' }
    return rehearsed.earnestNext ? [rehearsed, ...requests.map((one) => this.#post(one))] : [rehearsed]
  }

  #post(request: Request): Item {
    const answers = [this.#model.post(request)]
    return { requests: [request], rehearsal: false, answers, earnestNext: false }
  }

  #requestOf(one: Act): Request {
    const id = `request-${++this.#count}`
    const first = one.again > 0 ? this.#earlier.at(-one.again) : undefined
    const request = first ? { ...first, id, ...respelt(first, one.respell) } : this.#newRequest(one, id)
    if (request.idempotencyKey !== undefined) this.#earlier.push(request)
    return request
  }

  #newRequest(one: Act, id: string): Request {
    const { kind, reason, key, dry, recipient, changes, forUs, part: tokens } = one
    const said = { id, reason, idempotencyKey: key === 'own' ? `of ${id}` : key, dry }
    const own = one.brim ? this.#toTheBrim(changeOf(one.change)) : changeOf(one.change)
    const positive = this.#affordable({ ...own, tokens: one.change.amount }, one)
    const ifMatch = this.#tagsOf(own.member, one)
    switch (kind) {
      case 'adjust':
      case 'opening':
        return { ...said, kind, ...own, ifMatch }
      case 'transfer':
        return { ...said, kind, ...positive, recipient, ifMatch }
      case 'batch':
        return { ...said, kind, changes: changes.map(changeOf) }
      case 'reverse':
        return { ...said, kind, entry: this.#entryFor(one) }
      case 'hold':
        return { ...said, kind, ...positive, forUs }
      case 'capture':
        return { ...said, kind, hold: this.#holdFor(one), tokens }
      case 'release':
      case 'expire':
        return { ...said, kind, hold: this.#holdFor(one) }
    }
  }

  /** A member with enough points, when the step should succeed. */
  #affordable(asked: Change, { aim, pick }: Act): Change {
    const has = [...this.#model.balances].filter(([name, balance]) => balance > 0n && !name.includes('held'))
    const [name, balance] = has[pick % Math.max(1, has.length)] ?? []
    if (aim !== 'right' || name === undefined || balance === undefined) return asked
    const [kind, who = ''] = name.split(' ')
    return { member: who, point: kind, tokens: asked.tokens < balance ? asked.tokens : balance }
  }

  /** The maximum balance, preferably of a member whose held points then can't be released. */
  #toTheBrim(asked: Change): Change {
    const open = [...this.#model.holds.values()].filter(({ endedBy }) => endedBy === null)
    const { member: who, point: kind } = open.at(-1) ?? { member: asked.member, point: asked.point ?? 'gold' }
    const most = kinds.find(({ id }) => id === kind)?.maxBalance ?? greatest
    const left = most - (this.#model.balances.get(`${kind} ${who}`) ?? 0n)
    return left > 0n ? { member: who, point: kind, tokens: left } : asked
  }

  #tagsOf(who: string, { ifMatch, pick }: Act): bigint[] | undefined {
    if (ifMatch === undefined) return undefined
    const version = this.#model.versionOf(who)
    return ifMatch === 'fresh' ? [version + 100n, version] : [version + BigInt(pick) + 1n, version - 1n]
  }

  #entryFor({ aim, pick }: Act): bigint {
    const { journal } = this.#model
    const undone = new Set(journal.map(({ kind, link }) => (kind === 'reversal' ? link : null)))
    const some = journal.filter(({ seq }) => aim === 'any' || undone.has(seq) === (aim === 'past'))
    return this.#choose(aim === 'none' ? [] : some, pick)
  }

  /** An unknown one may be an entry of another type. */
  #holdFor({ kind, aim, pick }: Act): bigint {
    const { journal, holds, nowUs } = this.#model
    if (aim === 'none') return this.#choose(journal.slice(pick), pick)
    const isMeant = (ended: boolean) => aim === 'any' || ended === (aim === 'past')
    const some = [...holds.values()].filter(({ endedBy }) => isMeant(endedBy !== null))
    const due = kind === 'expire' && aim === 'right' ? some.filter((one) => one.expiresUs <= nowUs) : []
    return this.#choose(due.length > 0 ? due : some, pick)
  }

  #choose(some: readonly { readonly seq: bigint }[], pick: number): bigint {
    const chosen = some.at(-1 - (pick % Math.max(1, some.length)))
    return chosen?.seq ?? BigInt(this.#model.journal.length + 1 + pick)
  }
}

const changeOf = ({ member: who, amount: tokens, credit: adds, point: kind }: Act['change']): Change => ({
  member: who,
  tokens: adds ? tokens : -tokens,
  point: kind,
})

function respelt(request: Request, respell: boolean): { point?: string | undefined } {
  if (!respell || !('member' in request)) return {}
  if (request.point === undefined) return { point: kinds[0]?.id }
  return { point: request.point === kinds[0]?.id ? undefined : request.point }
}
