import { invalid } from '../../errors.ts'
import type { Start } from '../../events/streams/index.ts'
import { realmRoute } from '../route/route.ts'
import { realmIdParam } from '../route/schemas.ts'
import { eventStream, eventStreamReply } from '../shared/eventStream.ts'
import { cursorParam, isCursor } from './journalEntry.ts'

/** A browser's EventSource sends this header when it connects again, with the query of the first time. */
function startOf(lastEventId: string | undefined, cursor: string | null): Start {
  if (lastEventId !== undefined && !isCursor(lastEventId))
    throw invalid('header:Last-Event-ID', 'Expected the `id` of the last event that you have: its seq.')
  if (lastEventId !== undefined) return { after: BigInt(lastEventId), from: 'header:Last-Event-ID' }
  return cursor === null ? 'end' : { after: BigInt(cursor), from: 'query:cursor' }
}

export const streamJournal = realmRoute(
  {
    operationId: 'streamJournal',
    tag: 'Journal',
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/journal/stream',
    summary: 'Follow the realm’s journal',
    description:
      'Server-sent events, one for each entry, as soon as it is posted: `id` is its seq, `data` the entry ' +
      'as the journal lists it. Begins after `cursor`, or with the next entry. After a disconnection, send ' +
      'the last `id` as `Last-Event-ID`, which wins over `cursor`: nothing is missed and nothing repeated. ' +
      'The server ends a stream after about 15 minutes, or within a second when its key is revoked; ' +
      'connect again.',
    params: { realmID: realmIdParam },
    query: { cursor: cursorParam('the last entry by default') },
    writes: false,
    scope: 'journal:read',
    answerType: eventStream,
    refusals: ['overloaded'],
  },
  async ({ caller: { realm, key }, headers, query }, { streams }) => {
    const start = startOf(headers['last-event-id']?.toString(), query.get('cursor'))
    return eventStreamReply(await streams.journal({ realm, client: `key ${realm}/${key}`, start }))
  },
)
