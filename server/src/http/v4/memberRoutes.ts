import { type RefusalError, refuse } from '../../errors.ts'
import { isNamed } from '../../members/identities/index.ts'
import {
  type IsCurrent,
  type Member,
  type Members,
  memberNotFound,
  type NewMember,
} from '../../members/index.ts'
import { ok } from '../problem.ts'
import { metadataOf, metadataText } from '../route/metadata.ts'
import { countOf, type Request, type Route } from '../route/route.ts'
import { clearable, memberId, memberIdParam, nullable, Type, text } from '../route/schemas.ts'
import type { RouteBase } from '../route/scopedRoutes.ts'
import { etagOf, memberAnswerFields, memberBody } from './getMember.ts'

const fields = {
  username: clearable(text(100, 'The user name.')),
  displayName: clearable(text(100, 'The display name.')),
  metadata: clearable(
    Type.Object(
      {},
      {
        title: 'Metadata',
        additionalProperties: true,
        description: 'Your own JSON object, at most 2 KiB.',
      },
    ),
  ),
  note: clearable(text(2000, 'A note for managers.')),
  frozen: Type.Optional(
    Type.Boolean({
      description: 'Whether the member’s points can’t be spent, from the next change on.',
    }),
  ),
  hidden: Type.Optional(Type.Boolean({ description: 'Whether the member is left out of leaderboards.' })),
}

type Text = string | null | undefined
type Fields = Pick<NewMember, 'frozen' | 'hidden'> & {
  readonly username?: Text
  readonly displayName?: Text
  readonly note?: Text
  readonly metadata?: object | null
}

const cleared = (given: Text): string | undefined => (given === null ? '' : given)

/** Null, an empty text and an empty object clear the current value. */
function inputOf(id: string, given: Fields, pointer: string): NewMember {
  const json = metadataText(given.metadata ?? undefined, pointer)
  return {
    ...given,
    id,
    username: cleared(given.username),
    displayName: cleared(given.displayName),
    note: cleared(given.note),
    metadata: given.metadata === null || json === '{}' ? '' : json,
  }
}

/** A member with its note and metadata, which only managers see. */
export const profileAnswer = Type.Object(
  {
    ...memberAnswerFields,
    metadata: nullable(Type.Object({}, { title: 'Metadata', additionalProperties: true })),
    note: nullable(Type.String()),
  },
  { title: 'Profile' },
)

type Whose = { readonly realm: number; readonly realmId: string; readonly id: string }

export async function profileBody(members: Members, { realm, realmId, id }: Whose) {
  const [member, profile] = await Promise.all([members.get(realm, id), members.profile(realm, id)])
  return { ...memberBody(realmId, member), metadata: metadataOf(profile.metadata), note: profile.note }
}

/** Checks that a member has not changed since it was read; undefined without a condition. */
export function currentBy({ ifMatch, isCreation, headers }: Request): IsCurrent | undefined {
  if (isCreation) return (member) => !member || member.joinedAtMs === null
  if (ifMatch === undefined) return undefined
  const tags: readonly string[] = headers['if-match']?.match(/(W\/)?"[^"]*"/g) ?? []
  return (member: Member | undefined): boolean => {
    if (!member) return false
    if (ifMatch === 'exists') return member.joinedAtMs !== null
    return tags.includes(etagOf(member))
  }
}

const isThere = (id: string): RefusalError =>
  refuse('precondition_failed', `Member ${id} already exists. Omit If-None-Match: * to change it.`)

export function memberRoutesAt(base: RouteBase): Route[] {
  return [put(base), putMany(base)]
}

const put = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'putMember',
      tag: 'Members',
      methods: ['PUT'],
      path: `${base}/{memberID}`,
      summary: 'Create or change a member',
      description:
        'Omitted fields do not change. A frozen member can still receive points. An identity that no ' +
        'member has creates a member with that identity and a generated id.',
      params: { ...params, memberID: memberIdParam },
      writes: true,
      takesIdentities: true,
      body: Type.Object(fields, { description: 'A JSON object, which may be empty.' }),
      creates: `/api/v4/realms/{realmID}/members/{memberID}`,
      answer: profileAnswer,
      conditional: true,
      refusals: [...refusals, 'precondition_failed'],
    },
    async (request, { members, realms, identities }) => {
      const { realmID: realmId, memberID: sent } = request.params
      const realm = await realmOf(request, realms)
      const member = inputOf(sent, request.body, '/metadata')
      const isCurrent = currentBy(request)
      const refused = request.isCreation ? { refused: isThere } : {}
      const made = isCurrent
        ? await members.putIf(realm, member, { by: request.by(), isCurrent, ...refused })
        : await members.put(realm, [member], request.by())
      const id = isNamed(sent) ? await identities.find(realm, sent) : sent
      if (id === undefined) throw memberNotFound(sent)
      const body = await profileBody(members, { realm, realmId, id })
      return { ...ok(body), isNew: made === 1 }
    },
  )

const putMany = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'upsertMembers',
      tag: 'Members',
      methods: ['POST'],
      path: base,
      summary: 'Create or change many members',
      description: 'All or none. If a member is listed twice, the last one counts.',
      params,
      writes: true,
      weight: countOf('members'),
      body: Type.Object(
        {
          members: Type.Array(
            Type.Object({ id: memberId('A member'), ...fields }, { title: 'MemberInput' }),
            {
              minItems: 1,
              maxItems: 1000,
              description: 'A list of 1 to 1000 members, each with an id.',
            },
          ),
        },
        { description: 'A JSON object with members.' },
      ),
      answer: Type.Object({ created: Type.Integer(), updated: Type.Integer() }),
      refusals,
    },
    async (request, { members, realms }) => {
      const list = request.body.members.map(({ id, ...given }, index) =>
        inputOf(id, given, `/members/${index}/metadata`),
      )
      const { created, updated } = await members.putMany(await realmOf(request, realms), list, request.by())
      return ok({ created, updated })
    },
  )
