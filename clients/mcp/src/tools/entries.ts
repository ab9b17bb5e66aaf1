import * as inputs from '../inputs.ts'
import { flag, name, object, orNull, page, reason, whole, word } from '../shape.ts'
import { tool } from '../tool.ts'

/** Of every entry. `metadata` is any JSON of another program, and left out. */
const common = {
  transactionId: word,
  type: word,
  at: word,
  realmPointId: word,
  tokens: whole,
  reason: orNull(reason),
  reference: orNull(reason),
  actorId: orNull(word),
  keyId: orNull(word),
  keyName: orNull(name),
  person: orNull(object({ id: word, name: orNull(name) })),
  reverses: orNull(word),
  reversedBy: orNull(word),
  reversible: flag,
  holdId: orNull(word),
  awardId: orNull(word),
  batchId: orNull(word),
}

type History = inputs.Paged & {
  readonly memberId: string
  readonly realmPointId?: string
  readonly direction?: 'in' | 'out'
  readonly from?: string
  readonly to?: string
}

export const listEntries = tool({
  name: 'list_entries',
  title: 'History of a member',
  description: 'The journal entries of one member, newest first, with the balances after each.',
  scopes: ['journal:read'],
  input: {
    memberId: inputs.memberId,
    realmPointId: { ...inputs.realmPointId, description: 'Only this point type.' },
    direction: { enum: ['in', 'out'], description: 'Only points received, or only points given.' },
    from: inputs.moment,
    to: inputs.moment,
    ...inputs.paged,
  },
  required: ['memberId'],
  output: page(
    object({
      ...common,
      newBalance: orNull(whole),
      heldTokens: whole,
      newHeld: orNull(whole),
      pendingTokens: whole,
      newPending: orNull(whole),
      counterpartyId: orNull(word),
      mergedFrom: orNull(word),
    }),
  ),
  run: ({ memberId, limit, cursor, ...filter }: History, { realm }) =>
    realm
      .member(memberId)
      .history(filter)
      .page(inputs.pageOf({ ...(limit ? { limit } : {}), ...(cursor ? { cursor } : {}) })),
})

export const getEntry = tool({
  name: 'get_entry',
  title: 'Entry',
  description: 'One entry of the journal with both of its sides and its hash.',
  scopes: ['journal:read'],
  input: { transactionId: { type: 'string', pattern: '^[1-9][0-9]{0,18}$' } },
  required: ['transactionId'],
  output: object({
    ...common,
    fromId: orNull(word),
    fromBalance: orNull(whole),
    toId: orNull(word),
    toBalance: orNull(whole),
    hash: word,
  }),
  run: ({ transactionId }: { readonly transactionId: string }, { realm }) => realm.entry(transactionId),
})
