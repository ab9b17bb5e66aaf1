import type { FeedEntry } from '../../ledger/ledger.ts'
import { isMemberId } from '../../members/members.ts'
import { LongList } from '../longList.ts'
import { realmRoute } from '../route.ts'
import {
  balance,
  memberIdAnswer,
  nullable,
  pointId,
  realmIdParam,
  Type,
  timeThat,
  timeWords,
} from '../schemas.ts'
import { microsecondsOf } from '../times.ts'
import { kindAnswer, limitOf, limitParam, numberOrNull, textOf } from './entryFields.ts'

const hash = Type.String({ description: '64 hex digits.' })
const digits = (description: string) => Type.String({ description })
const account = Type.Integer({
  description: 'An account’s number: 0 for the realm, below zero for what is held of a member.',
})

const afterParam = Type.Refine(
  Type.String({
    pattern: '^(0|[1-9][0-9]{0,18})$',
    description:
      'A seq: only entries after it. A whole number from 0 to 9223372036854775807; 0 when left out.',
  }),
  (value) => value === '0' || isMemberId(value),
)

const fromParam = timeThat(`${timeWords} Entries from then on, where \`after\` does not mean later ones.`)

const entry = Type.Object({
  seq: digits('Its number in the realm’s journal.'),
  atUs: digits('When, in microseconds since 1970.'),
  kind: Type.Integer(),
  kindName: kindAnswer,
  keyId: digits('The key that made it; 0 for the operator.'),
  realmPointId: pointId,
  from: account,
  to: account,
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
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
    Type.Object({
      salt: Type.String({ description: 'In hex.' }),
      text: Type.String({ description: 'A JSON object as text, as `detailsHash` covers it.' }),
    }),
  ),
  batchDetails: Type.Optional(
    Type.String({
      description:
        'What was said of the whole batch, a JSON object as text, where the member of its first entry was ' +
        'erased. Otherwise it is the `details` of that entry, which `link` names.',
    }),
  ),
})

function entryBody(row: FeedEntry) {
  return {
    seq: String(row.seq),
    atUs: String(row.at_us),
    kind: row.kind,
    kindName: row.kindName,
    keyId: String(row.key),
    realmPointId: row.pointId,
    from: row.from_account,
    to: row.to_account,
    amount: Number(row.amount),
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

export const getJournal = realmRoute(
  {
    methods: ['GET'],
    path: '/api/v4/realms/{realmID}/journal',
    summary: 'Read the realm’s journal',
    description:
      'Every entry in its order, without a gap, with all that its hash covers: examples/verify-feed.mjs ' +
      'checks the chain, docs/journal.md describes it. Read on with `next` as `after`; it is there on the ' +
      'last page too, for what is to come. A page ends at about 1 MiB, before `limit`. `head` is the last ' +
      'entry there is, `origin` the hash before the first. `fromId` and `toId` are null for the realm and ' +
      'for who is no longer a member, `details` where nothing was said, or what was said has been erased.',
    params: { realmID: realmIdParam },
    query: { after: afterParam, from: fromParam, limit: limitParam },
    writes: false,
    scope: 'journal:read',
    answer: Type.Object({
      entries: Type.Array(entry),
      next: digits('What to read after next.'),
      head: Type.Object({ seq: digits('0 before the first entry.'), hash }),
      origin: hash,
    }),
  },
  async ({ caller, query }, { history }) => {
    const after = BigInt(query.get('after') ?? 0)
    const from = query.get('from')
    const fromUs = from === null ? undefined : microsecondsOf(from)
    const asked = { after, fromUs, limit: limitOf(query) }
    const { after: begin, pieces, head, origin } = await history.feed(caller.realm, asked)
    const list = new LongList('entries')
    let next = begin
    for await (const entries of pieces) {
      await list.add(entries, entryBody)
      next = entries.at(-1)?.seq ?? next
    }
    return list.end({ next: String(next), head: { seq: String(head.seq), hash: head.hash }, origin })
  },
)
