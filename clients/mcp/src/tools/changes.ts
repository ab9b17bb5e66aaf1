import type { Realm } from '@exchequer/sdk'
import * as inputs from '../inputs.ts'
import type { Change, Plan } from '../plans.ts'
import { flag, name, object, orNull, reason, type Schema, whole, word } from '../shape.ts'
import { clean } from '../text.ts'
import { ToolError, tool } from '../tool.ts'

const scopes = ['members:read', 'points:write'] as const
const most = Number.MAX_SAFE_INTEGER
const textCap = 200

const tokens: Schema = { type: 'integer', minimum: -most, maximum: most, not: { const: 0 } }
const text: Schema = { type: 'string', minLength: 1, maxLength: textCap }
const recipientId: Schema = { ...inputs.memberId, description: 'For a transfer: who receives the points.' }

type Wanted = {
  readonly memberId: string
  readonly recipientId?: string
  readonly tokens: number
  readonly realmPointId?: string
  readonly reason?: string
  readonly reference?: string
}

const planned = {
  planId: word,
  memberId: word,
  recipientId: word,
  tokens: whole,
  realmPointId: word,
  reason,
  reference: reason,
  version: word,
  expiresAt: word,
  signature: word,
}

/** A text without what is not seen: what a person approves is what is recorded. */
function textsOf(given: Pick<Wanted, 'reason' | 'reference'>) {
  const texts = Object.entries(given).map(([field, value]) => [field, clean(value, textCap)] as const)
  return Object.fromEntries(texts.filter(([, value]) => value !== ''))
}

type Sent = Omit<Change, 'memberId' | 'recipientId' | 'tokens' | 'version'> & {
  readonly ifMatch: string
  readonly idempotencyKey?: string
  readonly dryRun?: true
}

/** The balances after a change, or after its dry run. */
async function send(realm: Realm, { memberId, recipientId: to, tokens: amount }: Wanted, options: Sent) {
  const member = realm.member(memberId)
  if (to === undefined) return member.adjust(amount, options)
  return member.transfer(to, amount, options)
}

export const planChange = tool({
  name: 'plan_change',
  title: 'Plan a change of points',
  description:
    'A dry run: adds points to a member, deducts them with tokens below 0, or transfers them with ' +
    'recipientId, without changing anything. Returns the balances afterwards and a signed plan, which ' +
    'apply_plan accepts for five minutes and only while the member’s points are unchanged. ' +
    'Show it to the user first.',
  scopes,
  needsWrites: true,
  input: {
    memberId: inputs.memberId,
    recipientId,
    tokens,
    realmPointId: inputs.realmPointId,
    reason: { ...text, description: 'Recorded in the journal.' },
    reference: { ...text, description: 'Your own reference, such as an order number.' },
  },
  required: ['memberId', 'tokens'],
  output: object({
    plan: object(planned),
    member: object({ id: word, username: orNull(name), displayName: orNull(name), frozen: flag }),
    balanceBefore: whole,
    balanceAfter: whole,
    recipientBalanceAfter: whole,
  }),
  run: async (wanted: Wanted, { realm, plans }) => {
    const [member, realmPointId] = await Promise.all([
      realm.member(wanted.memberId).get(),
      // By its id: the default may change before the plan is applied.
      wanted.realmPointId ?? realm.get().then(({ defaultPointId }) => defaultPointId),
    ])
    if (member.etag === undefined) throw new ToolError('no_version', 'The server returned no ETag.')
    const { memberId, recipientId: to, tokens: amount, reason: why, reference } = wanted
    const texts = textsOf({
      ...(why === undefined ? {} : { reason: why }),
      ...(reference === undefined ? {} : { reference }),
    })
    const result = await send(realm, wanted, {
      ...texts,
      realmPointId,
      ifMatch: member.etag,
      dryRun: true,
    })
    const recipient = to === undefined ? {} : { recipientId: to }
    const change = { memberId, ...recipient, tokens: amount, realmPointId, ...texts, version: member.etag }
    return {
      plan: plans.sign(change),
      member,
      balanceBefore: member.balances[realmPointId] ?? 0,
      balanceAfter: result.newBalance,
      ...('recipientBalance' in result ? { recipientBalanceAfter: result.recipientBalance } : {}),
    }
  },
})

const planInput: Schema = {
  type: 'object',
  description: 'The plan exactly as plan_change returned it.',
  properties: {
    planId: { type: 'string', pattern: '^[0-9a-f-]{36}$' },
    memberId: inputs.memberId,
    recipientId,
    tokens,
    realmPointId: inputs.realmPointId,
    reason: text,
    reference: text,
    version: { type: 'string', maxLength: 200, pattern: '^[ -~]+$' },
    expiresAt: { type: 'string', maxLength: 40, pattern: '^[0-9TZ:.-]+$' },
    signature: { type: 'string', pattern: '^[0-9A-Za-z_-]{43}$' },
  },
  required: ['planId', 'memberId', 'tokens', 'realmPointId', 'version', 'expiresAt', 'signature'],
  additionalProperties: false,
}

export const applyPlan = tool({
  name: 'apply_plan',
  title: 'Apply a plan',
  description:
    'Makes the change of a plan, once: applied again, it returns the first result. An altered plan, one ' +
    'that is older than five minutes, and one of a member whose points have changed since, are refused.',
  scopes,
  needsWrites: true,
  isWrite: true,
  input: { plan: planInput },
  required: ['plan'],
  output: object({
    planId: word,
    transactionId: word,
    memberId: word,
    recipientId: word,
    tokens: whole,
    realmPointId: word,
    newBalance: whole,
    recipientBalance: whole,
  }),
  run: async ({ plan }: { readonly plan: Plan }, { realm, plans }) => {
    plans.check(plan)
    const { planId, version, expiresAt: _, signature: _s, ...change } = plan
    const { memberId: _m, recipientId: _r, tokens: _t, ...rest } = change
    const result = await send(realm, change, { ...rest, idempotencyKey: planId, ifMatch: version })
    return { ...change, ...result, planId }
  },
})
