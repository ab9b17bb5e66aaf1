import type { FeedEntry } from '../../ledger/index.ts'
import { type Cursors, realmList } from '../route/list.ts'
import { rangeAnswer, rangeBody, rangeFields, rangeOf } from '../route/ranges.ts'
import { realmIdParam, Type } from '../route/schemas.ts'
import { cursorParam, digits, hash, journalEntry, journalEntryBody } from './journalEntry.ts'

/** Not opaque: a client that has the journal up to an entry can continue from there. */
const cursors: Cursors<bigint> = {
  param: cursorParam('0 by default'),
  of: (seq) => String(seq),
  in: (cursor) => BigInt(cursor),
}

export const getJournal = realmList(
  {
    operationId: 'listJournal',
    tag: 'Journal',
    path: '/api/v4/realms/{realmID}/journal',
    summary: 'Read the realm’s journal',
    description:
      'Every entry in order, without gaps, with everything that its hash covers: examples/verify-feed.mjs ' +
      'verifies the chain, docs/journal.md describes it. A cursor is the last `seq` that you have. ' +
      '`nextCursor` is null when you are up to date: store your last `seq`, and send it later for newer ' +
      'entries. `from` and `to` limit the entries to that range. A page also ends at about 1 MiB. `head` ' +
      'is the last entry, `origin` the hash before the first. `fromId` and `toId` are null for the realm ' +
      'and for removed members. `details` is null where there are none, or they were erased.',
    params: { realmID: realmIdParam },
    query: rangeFields,
    scope: 'journal:read',
    item: journalEntry,
    beside: {
      head: Type.Object({ seq: digits('0 before the first entry.'), hash }, { title: 'JournalHead' }),
      origin: hash,
      ...rangeAnswer,
    },
  },
  cursors,
  async ({ caller, query }, { history, standings }, { limit, after = 0n }) => {
    const range = await rangeOf({ from: query.get('from'), to: query.get('to') }, { caller, standings })
    const { pieces, head, end, origin } = await history.feed(caller.realm, { after, ...range, limit })
    let last = end
    return {
      items: noting(pieces, ({ seq }) => {
        last = seq
      }),
      bodyOf: journalEntryBody,
      next: () => (last < end ? last : null),
      beside: () => ({ head: { seq: String(head.seq), hash: head.hash }, origin, ...rangeBody(range) }),
    }
  },
)

/** Passes pieces on, and records the last entry. */
async function* noting(
  pieces: AsyncIterable<readonly FeedEntry[]>,
  note: (last: FeedEntry) => void,
): AsyncGenerator<readonly FeedEntry[]> {
  for await (const entries of pieces) {
    yield entries
    const last = entries.at(-1)
    if (last) note(last)
  }
}
