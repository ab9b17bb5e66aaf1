import * as inputs from '../inputs.ts'
import { object, orNull, page, whole, word } from '../shape.ts'
import { tool } from '../tool.ts'

type Reserved = inputs.Paged & { readonly memberId?: string }
const input = {
  memberId: { ...inputs.memberId, description: 'Only those of this member; of all members when omitted.' },
  ...inputs.paged,
}

export const listHolds = tool({
  name: 'list_holds',
  title: 'Open holds',
  description: 'Points that are held and can’t be spent until the hold ends, newest first.',
  scopes: ['members:read'],
  input,
  output: page(
    object({
      holdId: word,
      memberId: orNull(word),
      realmPointId: word,
      tokens: whole,
      expiresAt: word,
      status: word,
    }),
  ),
  run: ({ memberId, ...rest }: Reserved, { realm }) =>
    (memberId === undefined ? realm.holds() : realm.member(memberId).holds()).page(inputs.pageOf(rest)),
})

export const listAwards = tool({
  name: 'list_pending_awards',
  title: 'Pending awards',
  description: 'Points that are promised and not granted yet, newest first.',
  scopes: ['members:read'],
  input,
  output: page(
    object({
      awardId: word,
      memberId: orNull(word),
      realmPointId: word,
      tokens: whole,
      grantAt: orNull(word),
      status: word,
    }),
  ),
  run: ({ memberId, ...rest }: Reserved, { awards }) => awards.list(memberId).page(inputs.pageOf(rest)),
})
