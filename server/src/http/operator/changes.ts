import type { StoredChange } from '../../events/changes/index.ts'
import { cursorsOf, operatorList, smallNumber } from '../route/list.ts'
import { Type } from '../route/schemas.ts'
import { cellIn, cellParam } from '../shared/cell.ts'

/** The system and the timeline of the database, a transaction and a realm. */
const cursors = cursorsOf(
  Type.Tuple([
    Type.String({ pattern: '^[0-9]{0,20}$' }),
    Type.String({ pattern: '^[0-9A-F]{0,8}$' }),
    Type.String({ pattern: '^[0-9]{1,19}$' }),
    smallNumber,
  ]),
)

const seq = (description: string) => Type.String({ pattern: '^[0-9]{1,19}$', description })

const item = Type.Object(
  {
    realmId: Type.String(),
    fromSeq: seq('The first new entry.'),
    toSeq: seq('The last new entry.'),
  },
  { title: 'RealmChange' },
)

const bodyOf = ({ realmId, fromSeq, toSeq }: StoredChange) => ({
  realmId,
  fromSeq: String(fromSeq),
  toSeq: String(toSeq),
})

export const listRealmChanges = operatorList(
  {
    operationId: 'listRealmChanges',
    tag: 'Installation',
    path: '/operator/v1/changes',
    summary: 'Follow changes of all realms',
    description:
      'Which realms have new entries, oldest first, where `OPERATOR_FEED` is on. For each item read that ' +
      'realm’s journal after the last `seq` that you have, up to `toSeq`, and skip what you have. `cursor` ' +
      'is where a page ends: store it with what you read, and send it later for newer changes, also when ' +
      '`nextCursor` is null. Without a cursor the list begins with the oldest change that is kept, 7 days ' +
      'by default. A change is listed when no earlier transaction of the database is open any more: a ' +
      'claim that takes 17 s delays all changes by 17 s. A cursor from before a failover or a restore, or ' +
      'older than what is kept, is refused with `cursor_expired`.',
    query: { cell: cellParam },
    item,
    beside: {
      cursor: Type.String({
        description: 'Where this page ends. Send it as `cursor` for newer changes.',
      }),
    },
    refusals: ['not_set_up', 'cursor_expired'],
  },
  cursors,
  async ({ query }, { changeFeed, realms }, { limit, after }) => {
    realms.refuseOther(cellIn(query))
    const [systemId = '', timeline = '', xid = '', realm = 0] = after ?? []
    const page = await changeFeed.page(after && { systemId, timeline, xid, realm }, limit)
    const { end } = page
    const place = [end.systemId, end.timeline, end.xid, end.realm] as const
    return {
      items: page.changes,
      bodyOf,
      next: () => (page.hasMore ? place : null),
      beside: (_next, cursorOf) => ({ cursor: cursorOf(place) }),
    }
  },
)
