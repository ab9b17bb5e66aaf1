/** An independent, simple implementation of the contract's rules. It uses no code of the server. */
export type Request = {
  readonly id: string
  readonly kind: 'adjust' | 'transfer'
  readonly member: string
  /** Only for transfers. */
  readonly recipient: string | undefined
  readonly tokens: bigint
  /** The realm's default when omitted. */
  readonly point: string | undefined
  readonly reason: string | undefined
  readonly idempotencyKey: string | undefined
}

/** The status of each rejection by the ledger. */
export const statuses = {
  point_not_found: 404,
  member_not_found: 404,
  recipient_not_found: 404,
  same_member: 422,
  insufficient_points: 422,
  balance_limit: 422,
  idempotency_key_reused: 422,
} as const

export type ModelRefusal = {
  readonly code: keyof typeof statuses
  /** That of the first request, when replayed. */
  readonly requestId: string
  readonly replayed: boolean
}
export type Done = {
  readonly code: 'done'
  readonly seq: bigint
  /** The balance after, of the sender; null when points were issued. */
  readonly giverHas: bigint | null
  /** The balance after, of the recipient; null when points were spent. */
  readonly receiverHas: bigint | null
  readonly replayed: boolean
}
export type Answer = Done | ModelRefusal

/** One line of the journal, with members and points by their public ids; null is the realm's issuance. */
export type Line = {
  readonly seq: bigint
  readonly kind: 'adjust' | 'transfer'
  readonly giver: string | null
  readonly receiver: string | null
  readonly point: string
  readonly amount: bigint
}

export type ModelRealm = {
  readonly open: boolean
  /** The default first. */
  readonly points: readonly string[]
  readonly members: readonly string[]
}

const limit = 9007199254740991n

export class Model {
  readonly #open: boolean
  readonly #points: readonly string[]
  #defaultPoint: string
  readonly members: Set<string>
  /** By `point member`; only those with entries. */
  readonly balances = new Map<string, bigint>()
  readonly journal: Line[] = []
  readonly #answered = new Map<string, { request: Request; point: string; answer: Answer }>()

  constructor({ open, points, members }: ModelRealm) {
    this.#open = open
    this.#points = points
    this.#defaultPoint = points[0] ?? ''
    this.members = new Set(members)
  }

  post(request: Request): Answer {
    const { idempotencyKey: key } = request
    if (key === undefined) return this.#change(request)
    const point = this.#pointOf(request)
    const first = this.#answered.get(key)
    if (first === undefined) {
      const answer = this.#change(request)
      const isRemembered = answer.code === 'done' || statuses[answer.code] === 422
      if (isRemembered) this.#answered.set(key, { request, point, answer })
      return answer
    }
    // Omitted both times is the same request, even if the default has changed since.
    const samePoint = first.point === point || (first.request.point ?? request.point) === undefined
    if (!samePoint || !sameBesidesPoint(first.request, request)) {
      return refused('idempotency_key_reused', request)
    }
    return { ...first.answer, replayed: true }
  }

  /** Rejections are remembered for 24 hours, changes permanently. */
  letADayPass(): void {
    for (const [key, { answer }] of this.#answered) {
      if (answer.code !== 'done') this.#answered.delete(key)
    }
  }

  changeDefault(point: string): void {
    this.#defaultPoint = point
  }

  #pointOf({ point }: Request): string {
    return point ?? this.#defaultPoint
  }

  #change(request: Request): Answer {
    const { kind, member, recipient, tokens } = request
    const point = this.#pointOf(request)
    const known = (id: string) => this.#open || this.members.has(id)

    if (!this.#points.includes(point)) return refused('point_not_found', request)
    if (!known(member)) return refused('member_not_found', request)
    if (kind === 'transfer') {
      if (recipient === undefined) throw new Error('a transfer has a recipient')
      if (!known(recipient)) return refused('recipient_not_found', request)
      if (member === recipient) return refused('same_member', request)
      return this.#move(request, { giver: member, receiver: recipient, point, amount: tokens })
    }
    if (tokens > 0n) return this.#move(request, { giver: null, receiver: member, point, amount: tokens })
    return this.#move(request, { giver: member, receiver: null, point, amount: -tokens })
  }

  #move(request: Request, move: Omit<Line, 'seq' | 'kind'>): Answer {
    const { giver, receiver, point, amount } = move
    const has = (id: string) => this.balances.get(`${point} ${id}`) ?? 0n

    if (giver !== null && has(giver) < amount) return refused('insufficient_points', request)
    if (receiver !== null && has(receiver) + amount > limit) return refused('balance_limit', request)

    if (giver !== null) this.balances.set(`${point} ${giver}`, has(giver) - amount)
    if (receiver !== null) this.balances.set(`${point} ${receiver}`, has(receiver) + amount)
    if (receiver !== null) this.members.add(receiver)
    const seq = BigInt(this.journal.length + 1)
    this.journal.push({ seq, kind: request.kind, ...move })
    const giverHas = giver === null ? null : has(giver)
    const receiverHas = receiver === null ? null : has(receiver)
    return { code: 'done', seq, giverHas, receiverHas, replayed: false }
  }
}

function sameBesidesPoint(a: Request, b: Request): boolean {
  const { kind, member, recipient, tokens, reason } = a
  const sameParties = kind === b.kind && member === b.member && recipient === b.recipient
  return sameParties && tokens === b.tokens && reason === b.reason
}

function refused(code: ModelRefusal['code'], request: Request): ModelRefusal {
  return { code, requestId: request.id, replayed: false }
}
