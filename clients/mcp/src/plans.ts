import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { ToolError } from './tool.ts'

const validMs = 300_000

/** A change of points that was looked at and not made. */
export type Change = {
  readonly memberId: string
  /** For a transfer. */
  readonly recipientId?: string
  readonly tokens: number
  readonly realmPointId: string
  readonly reason?: string
  readonly reference?: string
  /** The ETag of the member: the plan is refused if its points have changed since. */
  readonly version: string
}

export type Plan = Change & {
  /** Sent as the Idempotency-Key: applied twice, it is one change. */
  readonly planId: string
  readonly expiresAt: string
  readonly signature: string
}

export type PlanOptions = {
  /** The first one signs, and all of them verify; a secret of this process when omitted. */
  readonly secrets?: readonly Uint8Array[]
  /** Who may apply a plan, where the secrets serve several callers. */
  readonly holder?: string
  readonly now?: (() => number) | undefined
}

/** Signs plans: only one that was made with these secrets, for this holder, and is unchanged is accepted. */
export class Plans {
  readonly #secrets: readonly Uint8Array[]
  readonly #holder: string
  readonly #now: () => number

  constructor({ secrets = [randomBytes(32)], holder = '', now = Date.now }: PlanOptions = {}) {
    this.#secrets = secrets
    this.#holder = holder
    this.#now = now
  }

  sign(change: Change): Plan {
    const planId = randomUUID()
    const expiresAt = new Date(this.#now() + validMs).toISOString()
    const unsigned = { ...change, planId, expiresAt }
    const [first] = this.#secrets
    if (!first) throw new Error('there is no secret to sign plans with')
    return { ...unsigned, signature: this.#signatureOf(unsigned, first) }
  }

  /** Throws if a plan was altered, was made with another secret or for another holder, or is too old. */
  check(plan: Plan): void {
    const given = Buffer.from(plan.signature)
    const isOwn = this.#secrets.some((secret) => {
      const own = Buffer.from(this.#signatureOf(plan, secret))
      return given.length === own.length && timingSafeEqual(given, own)
    })
    if (!isOwn)
      throw new ToolError(
        'plan_invalid',
        'This plan was altered, or was not made here with this key. Pass on the plan exactly as ' +
          'plan_change returned it, or plan again.',
      )
    if (this.#now() >= Date.parse(plan.expiresAt))
      throw new ToolError('plan_expired', 'The plan is older than five minutes. Plan again.')
  }

  #signatureOf(plan: Omit<Plan, 'signature'>, secret: Uint8Array): string {
    const fields = [this.#holder, plan.planId, plan.memberId, plan.recipientId]
    const details = [
      plan.tokens,
      plan.realmPointId,
      plan.reason,
      plan.reference,
      plan.version,
      plan.expiresAt,
    ]
    // A missing field is null, so that no two plans have the same text.
    const text = JSON.stringify([...fields, ...details].map((field) => field ?? null))
    return createHmac('sha256', secret).update(text).digest('base64url')
  }
}
