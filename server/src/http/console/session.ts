import { scopes, sessionKeyForm } from '../../keys/index.ts'
import { type ReceivedInvitations, roles, type Sessions, type SignedIn } from '../../people/index.ts'
import { gone, ok } from '../problem.ts'
import { sessionRoute } from '../route/route.ts'
import { date, nullable, realmIdParam, Type } from '../route/schemas.ts'
import { sessionCookie, writeCookie } from './cookies.ts'

const path = '/console/session'
const literals = <const T extends readonly string[]>(values: T) =>
  Type.Union(values.map((value) => Type.Literal(value)))

export const roleAnswer = literals(roles)

const sessionAnswer = Type.Object({
  person: Type.Object(
    {
      id: Type.String(),
      name: nullable(Type.String()),
      email: nullable(Type.String()),
    },
    { title: 'SignedInPerson' },
  ),
  operator: Type.Boolean({ description: 'Whether they can get tokens for any realm and the operator API.' }),
  realms: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), role: roleAnswer }, { title: 'ManagedRealm' }),
  ),
  invitations: Type.Array(
    Type.Object(
      {
        id: Type.String(),
        realm: nullable(Type.Object({ id: Type.String(), name: Type.String() }, { title: 'InvitingRealm' })),
        role: nullable(roleAnswer),
        expiresAt: date,
      },
      { title: 'ReceivedInvitation' },
    ),
    {
      description:
        'Invitations to their address, if a provider has verified it: to a realm, or to be an operator ' +
        '(`realm` and `role` are null). They get the role once they accept; until then the realm learns ' +
        'nothing about them.',
    },
  ),
  expiresAt: Type.Unsafe<string>({ ...date, description: 'When it ends unless it is used before then.' }),
})

async function sessionBody(signedIn: SignedIn, sessions: Sessions, received: ReceivedInvitations) {
  const { shown, person, operator, expiresAt } = signedIn
  const [realms, invitations] = [await sessions.realmsOf(person), await received.of(signedIn)]
  return { person: shown, operator, realms, invitations, expiresAt }
}

const read = sessionRoute(
  {
    operationId: 'getSession',
    tag: 'Console',
    methods: ['GET'],
    path,
    summary: 'Read the session',
    description:
      'The person, and the realms where they have a role, at most 1,000. An operator can access any realm.',
    writes: false,
    answer: sessionAnswer,
  },
  async ({ signedIn }, { sessions, received }) => ok(await sessionBody(signedIn, sessions, received)),
)

const makeKey = sessionRoute(
  {
    operationId: 'createSessionKey',
    tag: 'Console',
    methods: ['POST'],
    path: `${path}/keys`,
    summary: 'Create a session token for a realm',
    description:
      'Valid for 15 minutes, and no longer than the session. It has the rights of the person’s current ' +
      'role: a viewer reads; a manager also changes members, wallets and points; an owner and an ' +
      'operator can do everything. Actions with it are recorded under the person’s name.',
    writes: true,
    body: Type.Object({ realm: realmIdParam }, { description: 'A JSON object with realm.' }),
    answer: Type.Object({
      key: Type.String({ pattern: sessionKeyForm.pattern }),
      expiresAt: date,
      role: literals([...roles, 'operator']),
      scopes: Type.Array(literals(scopes)),
    }),
  },
  async ({ signedIn, body }, { sessions }) => ok(await sessions.keyFor(signedIn, body.realm)),
)

const makeToken = sessionRoute(
  {
    operationId: 'createSessionOperatorToken',
    tag: 'Console',
    methods: ['POST'],
    path: `${path}/operator-token`,
    summary: 'Create an operator session token',
    writes: true,
    answer: Type.Object({ token: Type.String({ pattern: sessionKeyForm.pattern }), expiresAt: date }),
  },
  async ({ signedIn }, { sessions }) => ok(await sessions.operatorTokenFor(signedIn)),
)

const answered = {
  methods: ['POST'],
  params: { invitationID: Type.String({ description: 'The invitation’s id.' }) },
  writes: true,
  answer: Type.Object({}),
  refusals: ['invitation_not_found'],
} as const

const accept = sessionRoute(
  {
    ...answered,
    operationId: 'acceptInvitation',
    tag: 'Console',
    path: `${path}/invitations/{invitationID}/accept`,
    summary: 'Accept an invitation',
    description:
      'The person gets the role, and the realm sees who they are. Other invitations of the same realm to ' +
      'this address are used up. An existing role does not change.',
  },
  async ({ signedIn, params: { invitationID }, by }, { received }) => {
    await received.accept(signedIn, invitationID, by())
    return ok({})
  },
)

const decline = sessionRoute(
  {
    ...answered,
    operationId: 'declineInvitation',
    tag: 'Console',
    path: `${path}/invitations/{invitationID}/decline`,
    summary: 'Decline an invitation',
    description: 'It is not shown to them again. The realm is not notified, and can still revoke it.',
  },
  async ({ signedIn, params: { invitationID }, by }, { received }) => {
    await received.decline(signedIn, invitationID, by())
    return ok({})
  },
)

const signOut = sessionRoute(
  {
    operationId: 'deleteSession',
    tag: 'Console',
    methods: ['DELETE'],
    path,
    summary: 'Sign out',
    description: 'Ends the session and all its tokens, everywhere within one second.',
    writes: true,
    deletes: true,
  },
  async ({ signedIn, headers, by }, { sessions, site }) => {
    await sessions.end(signedIn, by())
    return { ...gone, headers: { 'set-cookie': writeCookie(sessionCookie, { site, headers }) } }
  },
)

export const sessionRoutes = [read, makeKey, makeToken, accept, decline, signOut]
