import type { Point, Realm, RealmConfig } from '../../realms/index.ts'
import { expectMark } from '../route/expects.ts'
import {
  balance,
  date,
  isStorable,
  nullable,
  pointId,
  rateLimit,
  realmIdParam,
  Type,
} from '../route/schemas.ts'
import { lapseAnswer, lapseBody } from './lapseRule.ts'

export const unknownMembers = Type.Union([Type.Literal('refuse'), Type.Literal('create')], {
  description: '`refuse`: an unknown member returns 404. `create`: every valid id is a member with 0 points.',
})

export const publicBoard = Type.Boolean({
  description: 'Whether the leaderboard is public at `/boards/{realmID}`, without a key.',
})

const reasonCap = 500

export const suspensionReason = Type.Refine(
  Type.String({
    minLength: 1,
    maxLength: reasonCap,
    description: `Why it is suspended: 1 to ${reasonCap} characters, shown to clients and people.`,
    [expectMark]: `text of 1 to ${reasonCap} characters, not only spaces`,
  }),
  (value) => value.trim() !== '' && isStorable(value, reasonCap),
)

const suspension = Type.Object(
  { reason: Type.String(), since: date },
  {
    title: 'Suspension',
    description: 'Why and since when nothing in the realm can be changed (403 `realm_suspended`).',
  },
)

export const pointAnswer = Type.Object(
  {
    id: pointId,
    name: Type.String(),
    emoji: nullable(Type.String()),
    default: Type.Boolean({ description: 'Whether it is used when a request omits the point type.' }),
    archived: Type.Boolean({
      description: 'Archived points are not shown and can’t change; balances stay.',
    }),
    transferable: Type.Boolean(),
    maxBalance: nullable(balance),
    maxPerTransfer: nullable(balance),
    maxPerDay: nullable(balance),
    lapse: nullable(lapseAnswer),
  },
  { title: 'PointType' },
)

/** A realm as keys and operators see it. */
export const realmAnswerFields = {
  id: realmIdParam,
  name: Type.String(),
  logo: nullable(Type.String()),
  colours: nullable(Type.Record(Type.String(), Type.String(), { title: 'Colours' })),
  timeZone: Type.String({ examples: ['Europe/Berlin'] }),
  publicBoard,
  unknownMembers,
  defaultPointId: pointId,
  points: Type.Array(pointAnswer),
  rateLimit,
  suspended: nullable(suspension),
  createdAt: date,
}

const limitOf = (limit: bigint | null): number | null => (limit === null ? null : Number(limit))

export function pointBody({ defaultPoint }: RealmConfig, point: Point) {
  const { id, name, emoji, archived, transferable } = point
  return {
    id,
    name,
    emoji,
    default: id === defaultPoint.id,
    archived,
    transferable,
    maxBalance: limitOf(point.maxBalance),
    maxPerTransfer: limitOf(point.maxPerTransfer),
    maxPerDay: limitOf(point.maxPerDay),
    lapse: lapseBody(point.lapse?.at(-1)),
  }
}

/** The default first, then in order of creation. */
export const pointBodies = (config: RealmConfig) =>
  [...config.points.values()].map((point) => pointBody(config, point))

export function realmBody({ id, createdAt, config, rateLimit: limit }: Realm) {
  const {
    name,
    logo,
    colours,
    timeZone,
    publicBoard: isPublic,
    unknownMembers: unknown,
    defaultPoint,
    suspended,
  } = config
  return {
    id,
    name,
    logo,
    colours: colours === null ? null : (JSON.parse(colours) as Record<string, string>),
    timeZone,
    publicBoard: isPublic,
    unknownMembers: unknown,
    defaultPointId: defaultPoint.id,
    points: pointBodies(config),
    rateLimit: limit,
    suspended,
    createdAt,
  }
}
