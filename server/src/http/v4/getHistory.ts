import { invalid } from '../../errors.ts'
import type { Caller } from '../../keys/keys.ts'
import type { Seen } from '../../ledger/ledger.ts'
import { cursorsOf, realmList, seqText } from '../list.ts'
import {
  balance,
  memberIdAnswer,
  memberIdParam,
  nullable,
  pointId,
  realmIdParam,
  Type,
  timeThat,
  timeWords,
} from '../schemas.ts'
import { microsecondsOf } from '../times.ts'
import { headFields, headOf, numberOrNull, tailFields, tailOf } from './entryFields.ts'

const query = {
  realmPointId: pointId,
  from: timeThat(`${timeWords} Entries from then on.`),
  to: timeThat(`${timeWords} Entries before it.`),
  until: timeThat(`${timeWords} The same as \`to\`.`),
  direction: Type.Union([Type.Literal('in'), Type.Literal('out')], {
    description: '`in` for what raised the balance, `out` for what lowered it; all when left out.',
  }),
}

const moved = (description: string) =>
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, description })

const entry = Type.Object(
  {
    ...headFields,
    tokens: moved('What it did to what the member can spend; 0 for a capture, which spends held points.'),
    newBalance: nullable(balance),
    heldTokens: moved('What it did to what is held of the member.'),
    held: nullable(balance),
    counterpartyId: nullable(memberIdAnswer),
    ...tailFields,
  },
  { title: 'MemberEntry' },
)

function entryBody(seen: Seen, reader: Caller) {
  const { entry: recorded, tokens, newBalance, heldTokens, held, counterparty } = seen
  return {
    ...headOf(recorded),
    tokens: Number(tokens),
    newBalance: numberOrNull(newBalance),
    heldTokens: Number(heldTokens),
    held: numberOrNull(held),
    counterpartyId: counterparty,
    ...tailOf(recorded, reader),
  }
}

/** Two names of one thing: not two ends. */
function endOf(asked: URLSearchParams): string | null {
  if (asked.has('to') && asked.has('until')) throw invalid('query:until', 'Send to or until, not both.')
  return asked.get('to') ?? asked.get('until')
}

const timeIn = (given: string | null): bigint | undefined =>
  given === null ? undefined : microsecondsOf(given)

/** The entry that the next page begins before. */
const cursors = cursorsOf(Type.Tuple([seqText]))

export const getHistory = realmList(
  {
    operationId: 'listMemberEntries',
    tag: 'Journal',
    path: '/api/v4/realms/{realmID}/members/{memberID}/history',
    summary: 'Read a member’s history',
    description:
      'The member’s statement, the newest entry first. `newBalance` and `held` are what there was after an ' +
      'entry, null where it did not move that. `counterpartyId` is null for the realm, and for someone who ' +
      'is no longer a member. With `realmPointId` a page may have fewer entries than `limit`, or none, and ' +
      'still a next one. A page ends at about 1 MiB, too.',
    params: { realmID: realmIdParam, memberID: memberIdParam },
    query,
    scope: 'journal:read',
    item: entry,
    refusals: ['member_not_found', 'point_not_found'],
  },
  cursors,
  async ({ caller, params, query: asked }, { history }, { limit, after }) => {
    const { entries, next } = await history.page(caller.realm, {
      member: params['memberID'] ?? '',
      point: asked.get('realmPointId') ?? undefined,
      fromUs: timeIn(asked.get('from')),
      untilUs: timeIn(endOf(asked)),
      before: after && BigInt(after[0]),
      direction: (asked.get('direction') as 'in' | 'out' | null) ?? undefined,
      limit,
    })
    return {
      items: entries,
      bodyOf: (one: Seen) => entryBody(one, caller),
      next: () => (next === null ? null : ([String(next)] as const)),
    }
  },
)
