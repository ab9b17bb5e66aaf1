import {
  type About,
  type Answer,
  assertRule,
  BrokenRule,
  type Change,
  type Line,
  type ModelHold,
  type ModelRealm,
  meaningOf,
  noDetails,
  type PointType,
  type Request,
  type RequestDetails,
  type RequestOf,
  statuses,
} from './requests.ts'

type First = { readonly request: Request; readonly point: string; readonly answer: Answer }

type Move = Pick<Line, 'kind' | 'from' | 'to' | 'point' | 'amount' | 'link'>

const reversible = ['adjust', 'transfer', 'capture', 'opening']
const limit = 9007199254740991n

/** An independent, simple implementation of the rules, for one realm. It uses no code of the server. */
export class LedgerModel {
  readonly #open: boolean
  readonly #points: ReadonlyMap<string, PointType>
  #defaultPoint: string
  nowUs = 1_000_000_000n
  readonly frozen = new Set<string>()
  members: Set<string>
  /** By `point member` and `point held member`; only those with entries. */
  balances = new Map<string, bigint>()
  journal: Line[] = []
  holds = new Map<bigint, ModelHold>()
  #answered = new Map<string, First>()

  constructor({ open, points, members }: ModelRealm) {
    this.#open = open
    this.#points = new Map(points.map((point) => [point.id, point]))
    this.#defaultPoint = points[0]?.id ?? ''
    this.members = new Set(members)
  }

  post(request: Request): Answer {
    const { idempotencyKey: key, id: requestId, dry } = request
    const first = key === undefined ? undefined : this.#answered.get(key)
    if (first && !this.#isSame(first, request))
      return { code: 'idempotency_key_reused', requestId, replayed: false }
    if (first) return { ...first.answer, replayed: true }
    const restore = this.#save()
    let answer: Answer
    try {
      const lines = this.#make(request)
      const receipts = lines.map(({ seq, atUs, amount, fromBalance, toBalance }) => {
        return { seq, atUs, amount, fromBalance, toBalance }
      })
      answer = { code: 'done', receipts, about: this.#aboutOf(request, lines), replayed: false }
      if (dry) restore()
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error
      restore()
      answer = { code: error.rule, requestId, replayed: false }
    }
    // After a 404 or 412 the same request may be retried.
    if (key !== undefined && !dry && (answer.code === 'done' || statuses[answer.code] === 422)) {
      this.#answered.set(key, { request, point: this.#pointOf(request), answer })
    }
    return answer
  }

  /** All balances of a point type, except of frozen members. */
  claim(point: string): void {
    let link: bigint | null = null
    for (const from of this.members) {
      const amount = this.frozen.has(from) ? 0n : this.balances.get(`${point} ${from}`)
      if (!amount) continue
      const { seq } = this.#move(noDetails, { kind: 'claim', from, to: null, point, amount, link })
      link ??= seq
    }
  }

  /** Everything that is done in it is then rolled back. */
  rehearse<T>(work: () => T): T {
    const restore = this.#save()
    const result = work()
    restore()
    return result
  }

  /** Rejections are remembered for 24 hours, changes permanently. */
  forgetRefusals(): void {
    for (const key of this.refusedKeys) this.#answered.delete(key)
  }

  /** The Idempotency-Keys under which a rejection is remembered. */
  get refusedKeys(): string[] {
    return [...this.#answered].flatMap(([key, { answer }]) => (answer.code === 'done' ? [] : [key]))
  }

  get openHolds(): ModelHold[] {
    return [...this.holds.values()].filter(({ endedBy }) => endedBy === null)
  }

  changeDefault(point: string): void {
    this.#defaultPoint = point
  }

  /** The last entry that changed a member's balances, including held points. */
  versionOf(member: string): bigint {
    const own = [member, `held ${member}`]
    const moved = this.journal.findLast(({ from, to }) => own.includes(from ?? '') || own.includes(to ?? ''))
    return moved?.seq ?? 0n
  }

  #save(): () => void {
    const { members, balances, journal, holds } = this
    const saved = {
      members: new Set(members),
      balances: new Map(balances),
      journal: [...journal],
      holds: new Map(holds),
    }
    const savedAnswers = new Map(this.#answered)
    return () => {
      Object.assign(this, saved)
      this.#answered = savedAnswers
    }
  }

  #pointOf(request: Request): string {
    return 'member' in request ? (request.point ?? this.#defaultPoint) : ''
  }

  /** Omitted both times is the same, even if the default has changed since. */
  #isSame({ request: first, point }: First, request: Request): boolean {
    if (meaningOf(first) !== meaningOf(request)) return false
    if (!('member' in first && 'member' in request)) return true
    return point === this.#pointOf(request) || (first.point ?? request.point) === undefined
  }

  #make(request: Request): Line[] {
    switch (request.kind) {
      case 'adjust':
      case 'opening':
        return [this.#adjust(request, request, { kind: request.kind, link: null })]
      case 'transfer':
        return [this.#transfer(request)]
      case 'batch':
        return this.#batch(request)
      case 'reverse':
        return [this.#reverse(request)]
      case 'hold':
        return [this.#hold(request)]
      case 'capture':
        return this.#capture(request)
      case 'release':
      case 'expire':
        return [this.#release(request)]
    }
  }

  /** The members and the point type in an answer, in addition to its receipts. */
  #aboutOf(request: Request, [line]: readonly Line[]): About | undefined {
    if (!line) return undefined
    const { from, to, point } = line
    if (request.kind === 'hold') return { from: request.member, to: null, point }
    if (request.kind === 'capture' || request.kind === 'release')
      return { from: this.holds.get(request.hold)?.member ?? null, to: null, point }
    return request.kind === 'reverse' ? { from, to, point } : undefined
  }

  #isKnown(member: string): boolean {
    return this.#open || this.members.has(member)
  }

  #find({ member, point }: Change): PointType {
    const found = this.#points.get(point ?? this.#defaultPoint)
    assertRule(found !== undefined, 'point_not_found')
    assertRule(this.#isKnown(member), 'member_not_found')
    return found
  }

  #match(member: string, ifMatch: readonly bigint[] | undefined): void {
    assertRule(!ifMatch || ifMatch.includes(this.versionOf(member)), 'precondition_failed')
  }

  #adjust(details: RequestDetails, change: Change, as: Pick<Line, 'kind' | 'link'>): Line {
    const { member, tokens } = change
    const { id: point } = this.#find(change)
    this.#match(member, details.ifMatch)
    if (tokens > 0n) return this.#move(details, { ...as, from: null, to: member, point, amount: tokens })
    assertRule(!this.frozen.has(member), 'member_frozen')
    return this.#move(details, { ...as, from: member, to: null, point, amount: -tokens })
  }

  #transfer(request: RequestOf<'transfer'>): Line {
    const { member: from, recipient: to, tokens: amount, ifMatch } = request
    const { id: point, transferable, maxPerTransfer } = this.#find(request)
    assertRule(this.#isKnown(to), 'recipient_not_found')
    this.#match(from, ifMatch)
    assertRule(from !== to, 'same_member')
    assertRule(transferable, 'not_transferable')
    assertRule(!this.frozen.has(from), 'member_frozen')
    assertRule(maxPerTransfer === null || amount <= maxPerTransfer, 'transfer_limit')
    return this.#move(request, { kind: 'transfer', from, to, point, amount, link: null })
  }

  /** Details are stored once, with the first entry. */
  #batch(request: RequestOf<'batch'>): Line[] {
    const lines: Line[] = []
    for (const change of request.changes) {
      const [first] = lines
      const as = { kind: 'adjust', link: first?.seq ?? null } as const
      lines.push(this.#adjust(first ? noDetails : request, change, as))
    }
    return lines
  }

  #reverse(request: RequestOf<'reverse'>): Line {
    const original = this.journal.find(({ seq }) => seq === request.entry)
    assertRule(original !== undefined, 'entry_not_found')
    const { kind, from, to, point, amount, seq: link } = original
    const isReversed = this.journal.some((line) => line.kind === 'reversal' && line.link === link)
    assertRule(!isReversed, 'already_reversed')
    assertRule(reversible.includes(kind), 'not_reversible')
    const sides = { from: to, to: from?.replace('held ', '') ?? null }
    return this.#move(request, { kind: 'reversal', ...sides, point, amount, link })
  }

  #hold(request: RequestOf<'hold'>): Line {
    const { member, tokens: amount, forUs } = request
    const { id: point } = this.#find(request)
    assertRule(!this.frozen.has(member), 'member_frozen')
    const sides = { from: member, to: `held ${member}` }
    const line = this.#move(request, { kind: 'hold', ...sides, point, amount, link: null })
    const { seq } = line
    this.holds.set(seq, { seq, member, point, amount, expiresUs: this.nowUs + forUs, endedBy: null })
    return line
  }

  #openHold(seq: bigint): ModelHold {
    const hold = this.holds.get(seq)
    assertRule(hold !== undefined, 'hold_not_found')
    assertRule(hold.endedBy === null, 'hold_ended')
    return hold
  }

  #capture(request: RequestOf<'capture'>): Line[] {
    const hold = this.#openHold(request.hold)
    const { member, point, amount: whole, expiresUs, seq: link } = hold
    assertRule(this.nowUs < expiresUs, 'hold_ended')
    assertRule(!this.frozen.has(member), 'member_frozen')
    const amount = request.tokens ?? whole
    assertRule(amount <= whole, 'insufficient_points')
    const from = `held ${member}`
    const spent = this.#move(request, { kind: 'capture', from, to: null, point, amount, link })
    this.holds.set(link, { ...hold, endedBy: spent.seq })
    if (amount === whole) return [spent]
    const rest = { from, to: member, point, amount: whole - amount, link }
    return [spent, this.#move(noDetails, { kind: 'release', ...rest })]
  }

  #release(request: RequestOf<'release' | 'expire'>): Line {
    const hold = this.#openHold(request.hold)
    const { member, point, amount, expiresUs, seq: link } = hold
    const kind = request.kind === 'expire' ? 'expiry' : 'release'
    assertRule(kind === 'release' || this.nowUs >= expiresUs, 'hold_ended')
    const line = this.#move(request, { kind, from: `held ${member}`, to: member, point, amount, link })
    this.holds.set(link, { ...hold, endedBy: line.seq })
    return line
  }

  #move({ reason, idempotencyKey }: RequestDetails, move: Move): Line {
    const { kind, from, to, point, amount } = move
    const balanceAfter = (account: string | null, by: bigint) =>
      account === null ? null : (this.balances.get(`${point} ${account}`) ?? 0n) + by
    const [fromBalance, toBalance] = [balanceAfter(from, -amount), balanceAfter(to, amount)]
    // Reversals are exempt, and held points belong to the member already.
    const isCredit = kind === 'adjust' || kind === 'opening' || kind === 'transfer'
    const most = isCredit ? (this.#points.get(point)?.maxBalance ?? limit) : limit
    assertRule((fromBalance ?? 0n) >= 0n, 'insufficient_points')
    assertRule((toBalance ?? 0n) <= most, 'balance_limit')
    if (fromBalance !== null) this.balances.set(`${point} ${from}`, fromBalance)
    if (toBalance !== null) this.balances.set(`${point} ${to}`, toBalance)
    if (to !== null) this.members.add(to.replace('held ', ''))
    const last = this.journal.at(-1)?.atUs ?? 0n
    const atUs = last > this.nowUs ? last : this.nowUs
    const seq = BigInt(this.journal.length + 1)
    const line = { seq, atUs, ...move, fromBalance, toBalance, reason, idempotencyKey }
    this.journal.push(line)
    return line
  }
}
