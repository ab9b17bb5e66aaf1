import * as inputs from '../inputs.ts'
import { amounts, flag, name, object, orNull, page, type Shape, whole, word } from '../shape.ts'
import { ToolError, tool } from '../tool.ts'

const member: Shape = object({
  id: word,
  username: orNull(name),
  displayName: orNull(name),
  balances: amounts,
  held: amounts,
  pending: amounts,
  joinedAt: orNull(word),
  updatedAt: orNull(word),
  frozen: flag,
  hidden: flag,
})

type Search = inputs.Paged & { readonly search?: string }

export const findMembers = tool({
  name: 'find_members',
  title: 'Find members',
  description:
    'Members whose username or display name contains a text, ignoring case and accents; all members, in ' +
    'the order they joined, without one. Names are not unique: identify a member by its id.',
  scopes: ['members:read'],
  input: { search: { type: 'string', minLength: 1, maxLength: 100 }, ...inputs.paged },
  output: page(member),
  run: ({ search, ...rest }: Search, { realm }) =>
    realm.members.list(search === undefined ? {} : { search }).page(inputs.pageOf(rest)),
})

type One = { readonly memberId: string }

export const getMember = tool({
  name: 'get_member',
  title: 'Member',
  description: 'One member: its names, whether it is frozen or hidden, and its points of every type.',
  scopes: ['members:read'],
  input: { memberId: inputs.memberId },
  required: ['memberId'],
  output: member,
  run: ({ memberId }: One, { realm }) => realm.member(memberId).get(),
})

type Balance = One & { readonly realmPointId?: string; readonly at?: string }

function timeOf(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new ToolError('invalid_time', 'at is not a valid time.')
  return time
}

export const getBalance = tool({
  name: 'get_balance',
  title: 'Balance',
  description:
    'What a member can spend of one point type, what is held and what is pending; now, or at a past time.',
  scopes: ['members:read'],
  input: {
    memberId: inputs.memberId,
    realmPointId: inputs.realmPointId,
    at: inputs.time,
  },
  required: ['memberId'],
  output: object({
    memberId: word,
    realmPointId: word,
    tokens: whole,
    held: whole,
    pending: whole,
    at: word,
  }),
  run: async ({ memberId, realmPointId, at }: Balance, { realm }) => {
    const one = realm.member(memberId)
    const read = at === undefined ? one.get() : one.at(timeOf(at))
    const [{ id, balances, held, pending, ...rest }, point] = await Promise.all([
      read,
      realmPointId ?? realm.get().then(({ defaultPointId }) => defaultPointId),
    ])
    const ofPoint = (some: Readonly<Record<string, number>> = {}) => some[point] ?? 0
    const then = 'at' in rest ? { at: rest.at } : {}
    return {
      memberId: id,
      realmPointId: point,
      tokens: ofPoint(balances),
      held: ofPoint(held),
      pending: ofPoint(pending),
      ...then,
    }
  },
})
