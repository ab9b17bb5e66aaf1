import {
  type Answer,
  aboutOf,
  BrokenRule,
  type Change,
  canBeUndone,
  type DailyDetails,
  type Kind,
  type Line,
  limit,
  type MatchCondition,
  type ModelHold,
  type ModelRealm,
  meaningOf,
  type Request,
  silent,
  statuses,
  unsaid,
} from './dailyRequests.ts'

/** An independent, simple implementation of the rules. It uses no code of the server. */
type First = { readonly request: Request; readonly point: string; readonly answer: Answer }

type Move = Pick<Line, 'kind' | 'giver' | 'receiver' | 'point' | 'amount' | 'link'>

export class DailyModel {
  readonly #open: boolean
  readonly #kinds: ReadonlyMap<string, Kind>
  #defaultPoint: string
  nowUs = 1_000_000_000n
  readonly frozen = new Set<string>()
  members: Set<string>
  /** By `point member` and `point held member`; only those with entries. */
  balances = new Map<string, bigint>()
  journal: Line[] = []
  holds = new Map<bigint, ModelHold>()
  #answered = new Map<string, First>()

  constructor({ open, kinds, members }: ModelRealm) {
    this.#open = open
    this.#kinds = new Map(kinds.map((kind) => [kind.id, kind]))
    this.#defaultPoint = kinds[0]?.id ?? ''
    this.members = new Set(members)
  }

  post(request: Request): Answer {
    const { idempotencyKey: key, id: requestId, dry } = request
    const first = key === undefined ? undefined : this.#answered.get(key)
    if (first) {
      const same = this.#isSame(first, request)
      return same
        ? { ...first.answer, replayed: true }
        : { code: 'idempotency_key_reused', requestId, replayed: false }
    }
    const restore = this.#save()
    let answer: Answer
    try {
      const lines = this.#make(request)
      const receipts = lines.map(({ seq, atUs, amount, giverHas, receiverHas }) => {
        return { seq, atUs, amount, giverHas, receiverHas }
      })
      answer = { code: 'done', receipts, about: aboutOf(request, lines, this.holds), replayed: false }
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
    for (const giver of this.members) {
      const amount = this.frozen.has(giver) ? 0n : this.balances.get(`${point} ${giver}`)
      if (!amount) continue
      const { seq } = this.#move(unsaid, { kind: 'claim', giver, receiver: null, point, amount, link })
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
  letADayPass(): void {
    for (const [key, { answer }] of this.#answered) if (answer.code !== 'done') this.#answered.delete(key)
  }

  /** The Idempotency-Keys under which a rejection is remembered. */
  get refusedKeys(): string[] {
    return [...this.#answered].flatMap(([key, { answer }]) => (answer.code === 'done' ? [] : [key]))
  }

  changeDefault(point: string): void {
    this.#defaultPoint = point
  }

  /** The time of an entry that is written now: never before the last. */
  get atUs(): bigint {
    const last = this.journal.at(-1)?.atUs ?? 0n
    return last > this.nowUs ? last : this.nowUs
  }

  /** The last entry that changed a member's balances, including held points. */
  versionOf(member: string): bigint {
    const own = [member, `held ${member}`]
    const moved = this.journal.findLast(
      ({ giver, receiver }) => own.includes(giver ?? '') || own.includes(receiver ?? ''),
    )
    return moved?.seq ?? 0n
  }

  #save(): () => void {
    const { members, balances, journal, holds } = this
    const saved = {
      members: new Set(members),
      balances: new Map(balances),
      journal: [...journal],
      holds: new Map([...holds].map(([seq, hold]) => [seq, { ...hold }])),
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

  #known({ member, point }: Change): Kind {
    const kind = this.#kinds.get(point ?? this.#defaultPoint)
    if (!kind) throw new BrokenRule('point_not_found')
    if (!this.#open && !this.members.has(member)) throw new BrokenRule('member_not_found')
    return kind
  }

  #match(member: string, ifMatch: readonly bigint[] | undefined): void {
    if (ifMatch && !ifMatch.includes(this.versionOf(member))) throw new BrokenRule('precondition_failed')
  }

  #thawed(member: string): void {
    if (this.frozen.has(member)) throw new BrokenRule('member_frozen')
  }

  #adjust(
    said: DailyDetails & Partial<MatchCondition>,
    change: Change,
    as: Pick<Line, 'kind' | 'link'>,
  ): Line {
    const { member, tokens } = change
    const { id: point } = this.#known(change)
    this.#match(member, said.ifMatch)
    if (tokens > 0n) return this.#move(said, { ...as, giver: null, receiver: member, point, amount: tokens })
    this.#thawed(member)
    return this.#move(said, { ...as, giver: member, receiver: null, point, amount: -tokens })
  }

  #transfer(request: Request & { kind: 'transfer' }): Line {
    const { member, recipient, tokens: amount, ifMatch } = request
    const { id: point, transferable, maxPerTransfer } = this.#known(request)
    if (!this.#open && !this.members.has(recipient)) throw new BrokenRule('recipient_not_found')
    this.#match(member, ifMatch)
    if (member === recipient) throw new BrokenRule('same_member')
    if (!transferable) throw new BrokenRule('not_transferable')
    this.#thawed(member)
    if (maxPerTransfer !== null && amount > maxPerTransfer) throw new BrokenRule('transfer_limit')
    const sides = { giver: member, receiver: recipient }
    return this.#move(request, { kind: 'transfer', ...sides, point, amount, link: null })
  }

  #batch(request: Request & { kind: 'batch' }): Line[] {
    const lines: Line[] = []
    for (const change of request.changes) {
      const [first] = lines
      lines.push(
        this.#adjust(first ? silent(request) : request, change, { kind: 'adjust', link: first?.seq ?? null }),
      )
    }
    return lines
  }

  #reverse(request: Request & { kind: 'reverse' }): Line {
    const original = this.journal.find(({ seq }) => seq === request.entry)
    if (!original) throw new BrokenRule('entry_not_found')
    const { kind, giver, receiver, point, amount, seq: link } = original
    if (this.journal.some((line) => line.kind === 'reversal' && line.link === link)) {
      throw new BrokenRule('already_reversed')
    }
    if (!canBeUndone.includes(kind)) throw new BrokenRule('not_reversible')
    const sides = { giver: receiver, receiver: giver?.replace('held ', '') ?? null }
    return this.#move(request, { kind: 'reversal', ...sides, point, amount, link })
  }

  #hold(request: Request & { kind: 'hold' }): Line {
    const { member, tokens: amount, forUs } = request
    const { id: point } = this.#known(request)
    this.#thawed(member)
    const sides = { giver: member, receiver: `held ${member}` }
    const line = this.#move(request, { kind: 'hold', ...sides, point, amount, link: null })
    const { seq } = line
    this.holds.set(seq, { seq, member, point, amount, expiresUs: this.nowUs + forUs, endedBy: null })
    return line
  }

  #openHold(seq: bigint): ModelHold {
    const hold = this.holds.get(seq)
    if (!hold) throw new BrokenRule('hold_not_found')
    if (hold.endedBy !== null) throw new BrokenRule('hold_ended')
    return hold
  }

  #capture(request: Request & { kind: 'capture' }): Line[] {
    const hold = this.#openHold(request.hold)
    const { member, point, amount: whole, expiresUs, seq: link } = hold
    if (this.nowUs >= expiresUs) throw new BrokenRule('hold_ended')
    this.#thawed(member)
    const amount = request.tokens ?? whole
    if (amount > whole) throw new BrokenRule('insufficient_points')
    const giver = `held ${member}`
    const spent = this.#move(request, { kind: 'capture', giver, receiver: null, point, amount, link })
    hold.endedBy = spent.seq
    if (amount === whole) return [spent]
    const rest = { giver, receiver: member, point, amount: whole - amount, link }
    return [spent, this.#move(silent(request), { kind: 'release', ...rest })]
  }

  #release(request: Request & { kind: 'release' | 'expire' }): Line {
    const hold = this.#openHold(request.hold)
    const { member, point, amount, expiresUs, seq: link } = hold
    const kind = request.kind === 'expire' ? 'expiry' : 'release'
    if (kind === 'expiry' && this.nowUs < expiresUs) throw new BrokenRule('hold_ended')
    const sides = { giver: `held ${member}`, receiver: member }
    const line = this.#move(request, { kind, ...sides, point, amount, link })
    hold.endedBy = line.seq
    return line
  }

  #move({ reason, idempotencyKey }: DailyDetails, move: Move): Line {
    const { kind, giver, receiver, point, amount } = move
    const nameOf = (who: string) => `${point} ${who}`
    const has = (who: string | null) => (who === null ? null : (this.balances.get(nameOf(who)) ?? 0n))
    // Reversals are exempt, and held points belong to the member already.
    const isCredit = kind === 'adjust' || kind === 'opening' || kind === 'transfer'
    const most = isCredit ? (this.#kinds.get(point)?.maxBalance ?? limit) : limit
    if ((has(giver) ?? amount) < amount) throw new BrokenRule('insufficient_points')
    if ((has(receiver) ?? -amount) + amount > most) throw new BrokenRule('balance_limit')
    const giverHas = giver === null ? null : (has(giver) ?? 0n) - amount
    const receiverHas = receiver === null ? null : (has(receiver) ?? 0n) + amount
    if (giver !== null && giverHas !== null) this.balances.set(nameOf(giver), giverHas)
    if (receiver !== null && receiverHas !== null) this.balances.set(nameOf(receiver), receiverHas)
    if (receiver) this.members.add(receiver.replace('held ', ''))
    const seq = BigInt(this.journal.length + 1)
    const line = { seq, atUs: this.atUs, ...move, giverHas, receiverHas, reason, idempotencyKey }
    this.journal.push(line)
    return line
  }
}
