import { type Paged, paged, pageOf } from '../inputs.ts'
import { flag, name, object, orNull, page, reason, type Shape, whole, word } from '../shape.ts'
import { tool } from '../tool.ts'

const pointType: Shape = object({
  id: word,
  name,
  emoji: orNull(name),
  default: flag,
  archived: flag,
  transferable: flag,
  maxBalance: orNull(whole),
  maxPerTransfer: orNull(whole),
  maxPerDay: orNull(whole),
})

export const getRealm = tool({
  name: 'get_realm',
  title: 'Realm',
  description:
    'The realm of the key: its name, time zone and default point type, and whether it is suspended.',
  scopes: ['members:read'],
  input: {},
  output: object({
    id: word,
    name,
    timeZone: word,
    unknownMembers: word,
    publicBoard: flag,
    defaultPointId: word,
    suspended: orNull(object({ reason, since: word })),
    createdAt: word,
  }),
  run: (_input: object, { realm }) => realm.get(),
})

export const listPointTypes = tool({
  name: 'list_point_types',
  title: 'Point types',
  description: 'The point types of the realm with their rules, archived ones too.',
  scopes: ['members:read'],
  input: paged,
  output: page(pointType),
  run: (input: Paged, { realm }) => realm.points.list().page(pageOf(input)),
})
