import { refuseLimited } from '../../keys/index.ts'
import { roles } from '../../people/index.ts'
import { roleAnswer } from '../console/session.ts'
import { gone, ok } from '../problem.ts'
import { expectMark } from '../route/expects.ts'
import { listAt, numbered, pageBelow, pageByNumber } from '../route/list.ts'
import type { Route } from '../route/route.ts'
import { date, nullable, orNull, secret, Type, text } from '../route/schemas.ts'
import type { RouteBase } from '../route/scopedRoutes.ts'

export const role = Type.Union(
  roles.map((one) => Type.Literal(one)),
  { description: `A role: ${roles.join(', ')}.` },
)

export const invitationAnswer = {
  id: Type.String(),
  name: Type.String(),
  email: nullable(Type.String()),
  createdAt: date,
  expiresAt: date,
  madeBy: Type.String(),
}
const roleField = { role: roleAnswer }
const invitation = Type.Object({ ...invitationAnswer, ...roleField }, { title: 'Invitation' })
export const link = {
  link: secret({ description: 'A one-time link to the console. It is returned only in this response.' }),
}

export const invitationParam = Type.String({ description: 'The invitation’s id.' })

export const inviteFields = {
  name: text(100, 'The person’s name.'),
  email: orNull(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@\\x00]+@[^\\s@\\x00]+$',
      [expectMark]: 'an e-mail address',
      description:
        'An e-mail address. A person who signs in at the OpenID provider with it can accept without the ' +
        'link, if the provider has verified the address. Until they accept, the realm learns nothing ' +
        'about them.',
    }),
  ),
}

export function invitationRoutesAt(base: RouteBase): Route[] {
  return [invite(base), invited(base), getInvitation(base), cancel(base)]
}

const invite = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'createInvitation',
      tag: 'Invitations',
      methods: ['POST'],
      path: `${base}/invitations`,
      summary: 'Invite a person to a realm',
      description: 'The link works once, for seven days. Each accepted link creates a new person.',
      params,
      writes: true,
      body: Type.Object({ ...inviteFields, role }, { description: 'A JSON object with name and role.' }),
      creates: `${base}/invitations/{invitationID}`,
      answer: Type.Object({ ...invitationAnswer, ...roleField, ...link }),
      refusals: [...refusals, 'forbidden', 'invitation_limit'],
    },
    async (request, { invitations, site, realms }) => {
      refuseLimited(request.caller?.bounds, 'invite people')
      const realm = await realmOf(request, realms)
      const made = await invitations.invite(realm, request.body, request.by())
      const { token, ...shown } = made
      return ok({ ...shown, link: site.linkOf(token, request.headers) })
    },
  )

const invited = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  listAt(route)(
    {
      operationId: 'listInvitations',
      tag: 'Invitations',
      path: `${base}/invitations`,
      summary: 'List open invitations to a realm',
      description: 'Newest first.',
      params,
      item: invitation,
      refusals,
    },
    numbered,
    async (request, { invitations, realms }, asked) => {
      const realm = await realmOf(request, realms)
      return pageByNumber(await invitations.of(realm, pageBelow(asked)), asked)
    },
  )

const getInvitation = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'getInvitation',
      tag: 'Invitations',
      methods: ['GET'],
      path: `${base}/invitations/{invitationID}`,
      summary: 'Read an open invitation to a realm',
      params: { ...params, invitationID: invitationParam },
      writes: false,
      answer: invitation,
      refusals: [...refusals, 'invitation_not_found'],
    },
    async (request, { invitations, realms }) => {
      const realm = await realmOf(request, realms)
      return ok(await invitations.get(realm, request.params.invitationID))
    },
  )

const cancel = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'cancelInvitation',
      tag: 'Invitations',
      methods: ['DELETE'],
      path: `${base}/invitations/{invitationID}`,
      summary: 'Revoke an invitation',
      params: { ...params, invitationID: invitationParam },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'invitation_not_found'],
    },
    async (request, { invitations, realms }) => {
      const realm = await realmOf(request, realms)
      await invitations.cancel(realm, request.params.invitationID, request.by())
      return gone
    },
  )
