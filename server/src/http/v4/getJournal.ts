import type { FeedEntry } from '../../ledger/index.ts'
import { isMemberId } from '../../members/index.ts'
import { expectMark } from '../route/expects.ts'
import { type Cursors, realmList } from '../route/list.ts'
import { rangeAnswer, rangeBody, rangeFields, rangeOf } from '../route/ranges.ts'
import { balance, memberIdAnswer, nullable, pointId, realmIdParam, Type } from '../route/schemas.ts'
import { numberOrNull, textOf, typeAnswer } from './entryFields.ts'

const hash = Type.String({ description: '64 hex digits.' })
const digits = (description: string) => Type.String({ description })
const account = Type.Integer({
  description: 'An account number: 0 for the realm, negative for a member’s held points.',
})

const cursorParam = Type.Refine(
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,18})$',
    description:
      'The last seq that you have: returns the entries after it. A whole number from 0 to ' +
      '9223372036854775807; 0 by default.',
    [expectMark]: 'the last seq that you have, a whole number',
  }),
  (value) => value === '0' || isMemberId(value),
)

/** Not opaque: a client that has the journal up to an entry can continue from there. */
const cursors: Cursors<bigint> = {
  param: cursorParam,
  of: (seq) => String(seq),
  in: (cursor) => BigInt(cursor),
}

const entry = Type.Object(
  {
    seq: digits('The entry’s number in the realm’s journal.'),
    atUs: digits('When it was posted, in microseconds since 1970.'),
    type: typeAnswer,
    keyId: digits('The key that posted it; 0 for the operator.'),
    realmPointId: pointId,
    fromAccount: account,
    toAccount: account,
    tokens: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    fromBalance: nullable(balance),
    toBalance: nullable(balance),
    request: nullable(Type.String()),
    fingerprint: nullable(Type.String()),
    detailsHash: nullable(hash),
    link: nullable(digits('The entry that it refers to.')),
    encoding: Type.Integer(),
    hash,
    fromId: nullable(memberIdAnswer),
    toId: nullable(memberIdAnswer),
    details: nullable(
      Type.Object(
        {
          salt: Type.String({ description: 'In hex.' }),
          text: Type.String({ description: 'A JSON object as text, exactly as `detailsHash` covers it.' }),
        },
        { title: 'EntryDetails' },
      ),
    ),
    batchDetails: Type.Optional(
      Type.String({
        description:
          'Details of the whole batch, a JSON object as text, if the member of its first entry was ' +
          'erased. Otherwise they are the `details` of that entry, which `link` names.',
      }),
    ),
  },
  { title: 'JournalEntry' },
)

function entryBody(row: FeedEntry) {
  return {
    seq: String(row.seq),
    atUs: String(row.at_us),
    type: row.kindName,
    keyId: String(row.key),
    realmPointId: row.pointId,
    fromAccount: row.from_account,
    toAccount: row.to_account,
    tokens: Number(row.amount),
    fromBalance: numberOrNull(row.from_balance),
    toBalance: numberOrNull(row.to_balance),
    request: row.request,
    fingerprint: row.fingerprint,
    detailsHash: row.details_hash,
    link: textOf(row.link),
    encoding: row.encoding,
    hash: row.hash,
    fromId: row.fromId,
    toId: row.toId,
    details: row.said,
    ...(row.batchSaid === null ? {} : { batchDetails: row.batchSaid }),
  }
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
    item: entry,
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
      bodyOf: entryBody,
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
