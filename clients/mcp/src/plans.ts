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

/** Signs plans with a secret of this process: only a plan that it made, and as it made it, can be applied. */
export class Plans {
  readonly #secret = randomBytes(32)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  sign(change: Change): Plan {
    const planId = randomUUID()
    const expiresAt = new Date(this.#now() + validMs).toISOString()
    const unsigned = { ...change, planId, expiresAt }
    return { ...unsigned, signature: this.#signatureOf(unsigned) }
  }

  /** Throws if a plan was altered, is of another process, or is too old. */
  check(plan: Plan): void {
    const [given, own] = [plan.signature, this.#signatureOf(plan)].map((text) => Buffer.from(text))
    if (!given || !own || given.length !== own.length || !timingSafeEqual(given, own))
      throw new ToolError(
        'plan_invalid',
        'This is not a plan of this process, or it was altered. Pass on the plan exactly as plan_change ' +
          'returned it, or plan again.',
      )
    if (this.#now() >= Date.parse(plan.expiresAt))
      throw new ToolError('plan_expired', 'The plan is older than five minutes. Plan again.')
  }

  #signatureOf(plan: Omit<Plan, 'signature'>): string {
    const fields = [plan.planId, plan.memberId, plan.recipientId, plan.tokens, plan.realmPointId]
    const details = [plan.reason, plan.reference, plan.version, plan.expiresAt]
    // A missing field is null, so that no two plans have the same text.
    const text = JSON.stringify([...fields, ...details].map((field) => field ?? null))
    return createHmac('sha256', this.#secret).update(text).digest('base64url')
  }
}
