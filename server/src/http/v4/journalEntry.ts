import type { FeedEntry } from '../../ledger/index.ts'
import { isMemberId } from '../../members/index.ts'
import { expectMark } from '../route/expects.ts'
import { balance, memberIdAnswer, nullable, pointId, Type } from '../route/schemas.ts'
import { numberOrNull, textOf, typeAnswer } from './entryFields.ts'

/** An entry of the journal with everything that its hash covers, for the list and the stream. */

export const hash = Type.String({ description: '64 hex digits.' })
export const digits = (description: string) => Type.String({ description })
const account = Type.Integer({
  description:
    'An account number: 0 for the realm, negative for a member’s held points, and below -2^30 for its ' +
    'pending ones.',
})

export const isCursor = (value: string): boolean => value === '0' || isMemberId(value)

/** A cursor that is an entry's number; `byDefault` says what is returned without one. */
export const cursorParam = (byDefault: string) =>
  Type.Refine(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,18})$',
      description:
        'The last seq that you have: returns the entries after it. A whole number from 0 to ' +
        `9223372036854775807; ${byDefault}.`,
      [expectMark]: 'the last seq that you have, a whole number',
    }),
    isCursor,
  )

export const journalEntry = Type.Object(
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
    lots: Type.Optional(
      digits('Which points it moves, by the day on which they lapse; only of point types that lapse.'),
    ),
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

export function journalEntryBody(row: FeedEntry) {
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
    ...(row.lots === null ? {} : { lots: row.lots }),
    encoding: row.encoding,
    hash: row.hash,
    fromId: row.fromId,
    toId: row.toId,
    details: row.said,
    ...(row.batchSaid === null ? {} : { batchDetails: row.batchSaid }),
  }
}
