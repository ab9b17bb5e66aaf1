import type { Members, NewMember } from '../members/members.ts'
import { metadataOf, metadataText } from './metadata.ts'
import { ok } from './problem.ts'
import type { Route } from './route.ts'
import { memberId, memberIdParam, nullable, Type, text } from './schemas.ts'
import type { RealmDoor } from './twoDoors.ts'
import { memberAnswerFields, memberBody } from './v4/getMember.ts'

const fields = {
  username: Type.Optional(text(100, 'a name; empty takes it away')),
  displayName: Type.Optional(text(100, 'a name; empty takes it away')),
  metadata: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'A JSON object, at most 2 KiB as JSON; an empty one takes it away.',
      },
    ),
  ),
  note: Type.Optional(text(2000, 'what managers should know; empty takes it away')),
  frozen: Type.Optional(
    Type.Boolean({
      description: 'True or false: whether nothing of it can be spent, from the next change on.',
    }),
  ),
  hidden: Type.Optional(Type.Boolean({ description: 'True or false: whether it is on no leaderboard.' })),
}

type Fields = Omit<NewMember, 'id' | 'metadata'> & { readonly metadata?: object }

/** An empty text takes away what is there; so does an empty object. */
function inputOf(id: string, { metadata, ...given }: Fields, pointer: string): NewMember {
  const json = metadataText(metadata, pointer)
  return { ...given, id, metadata: json === '{}' ? '' : json }
}

/** A member with what is kept for managers alone. */
export const profileAnswer = Type.Object({
  ...memberAnswerFields,
  metadata: nullable(Type.Object({}, { additionalProperties: true })),
  note: nullable(Type.String()),
})

type Whose = { readonly realm: number; readonly realmId: string; readonly id: string }

export async function profileBody(members: Members, { realm, realmId, id }: Whose) {
  const [member, profile] = await Promise.all([members.get(realm, id), members.profile(realm, id)])
  return { ...memberBody(realmId, member), metadata: metadataOf(profile.metadata), note: profile.note }
}

export function memberRoutesAt(door: RealmDoor): Route[] {
  return [put(door), putMany(door)]
}

const put = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['PUT'],
      path: `${base}/{memberID}`,
      summary: 'Make or change a member',
      description: 'What is not given stays as it is. A member that is frozen can receive points.',
      params: { ...params, memberID: memberIdParam },
      writes: true,
      body: Type.Object(fields, { description: 'A JSON object, which may be empty.' }),
      answer: profileAnswer,
      refusals,
    },
    async (request, services) => {
      const { realmID: realmId = '', memberID: id = '' } = request.params
      const realm = await realmOf(request, services)
      await services.members.put(realm, [inputOf(id, request.body, '/metadata')], request.by())
      return ok(await profileBody(services.members, { realm, realmId, id }))
    },
  )

const putMany = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['POST'],
      path: base,
      summary: 'Make or change many members',
      description: 'All or none. Of a member that is given twice the last counts.',
      params,
      writes: true,
      weight: (sent: { members: readonly object[] }) => sent.members.length,
      body: Type.Object(
        {
          members: Type.Array(Type.Object({ id: memberId('A member'), ...fields }), {
            minItems: 1,
            maxItems: 1000,
            description: 'A list of 1 to 1000 members, each with an id.',
          }),
        },
        { description: 'A JSON object with members.' },
      ),
      answer: Type.Object({ created: Type.Integer(), updated: Type.Integer() }),
      refusals,
    },
    async (request, services) => {
      const list = request.body.members.map(({ id, ...given }, index) =>
        inputOf(id, given, `/members/${index}/metadata`),
      )
      const created = await services.members.put(await realmOf(request, services), list, request.by())
      return ok({ created, updated: new Set(list.map(({ id }) => id)).size - created })
    },
  )
