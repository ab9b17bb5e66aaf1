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
  description: 'An account’s number: 0 for the realm, below zero for what is held of a member.',
})

const cursorParam = Type.Refine(
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,18})$',
    description:
      'The last seq that you have: entries after it. A whole number from 0 to 9223372036854775807; 0 when ' +
      'left out.',
    [expectMark]: 'the last seq that you have, a whole number',
  }),
  (value) => value === '0' || isMemberId(value),
)

/** Not opaque: a reader who has the journal up to an entry goes on from there, with or without a page. */
const cursors: Cursors<bigint> = {
  param: cursorParam,
  of: (seq) => String(seq),
  in: (cursor) => BigInt(cursor),
}

const entry = Type.Object(
  {
    seq: digits('Its number in the realm’s journal.'),
    atUs: digits('When, in microseconds since 1970.'),
    type: typeAnswer,
    keyId: digits('The key that made it; 0 for the operator.'),
    realmPointId: pointId,
    fromAccount: account,
    toAccount: account,
    tokens: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    fromBalance: nullable(balance),
    toBalance: nullable(balance),
    request: nullable(Type.String()),
    fingerprint: nullable(Type.String()),
    detailsHash: nullable(hash),
    link: nullable(digits('The entry that it is about.')),
    encoding: Type.Integer(),
    hash,
    fromId: nullable(memberIdAnswer),
    toId: nullable(memberIdAnswer),
    details: nullable(
      Type.Object(
        {
          salt: Type.String({ description: 'In hex.' }),
          text: Type.String({ description: 'A JSON object as text, as `detailsHash` covers it.' }),
        },
        { title: 'EntryDetails' },
      ),
    ),
    batchDetails: Type.Optional(
      Type.String({
        description:
          'What was said of the whole batch, a JSON object as text, where the member of its first entry ' +
          'was erased. Otherwise it is the `details` of that entry, which `link` names.',
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
      'Every entry in its order, without a gap, with all that its hash covers: examples/verify-feed.mjs ' +
      'checks the chain, docs/journal.md describes it. A cursor is the last `seq` that you have. ' +
      '`nextCursor` is null where you are up to date: keep your last `seq`, and ask with it again for what ' +
      'is to come. With `from` and `to` it is the entries of that time alone. A page ends at about 1 MiB, ' +
      'before `limit`. `head` is the last entry there is, `origin` the hash before the first. `fromId` ' +
      'and `toId` are null for the realm and for who is no longer a member, `details` where nothing was ' +
      'said, or what was said has been erased.',
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

/** The same pieces, whose last entry is noted. */
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
