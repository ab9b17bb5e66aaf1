import { gone, ok } from '../problem.ts'
import { numbered, operatorList, pageAfter, pageBelow, pageByNumber } from '../route/list.ts'
import { operatorRoute } from '../route/route.ts'
import { date, realmIdParam, Type } from '../route/schemas.ts'
import { invitationAnswer, invitationParam, inviteFields, link } from '../shared/invitationRoutes.ts'
import { listedKey } from '../shared/keyRoutes.ts'
import { listedPerson, personParam } from '../shared/peopleRoutes.ts'
import { tokenAnswer } from './tokens.ts'

const people = '/operator/v1/people'
const invitations = '/operator/v1/invitations'
const operator = Type.Object(listedPerson, { title: 'Operator' })
const invitation = Type.Object(invitationAnswer, { title: 'OperatorInvitation' })

const list = operatorList(
  {
    operationId: 'listOperators',
    tag: 'Operators',
    path: people,
    summary: 'List operators',
    item: operator,
  },
  numbered,
  async (_request, { people }, asked) => pageByNumber(await people.operators(pageAfter(asked)), asked),
)

const get = operatorRoute(
  {
    operationId: 'getInstallationPerson',
    tag: 'Operators',
    methods: ['GET'],
    path: `${people}/{personID}`,
    summary: 'Read a person',
    description: 'An operator, or a person with a role in a realm.',
    params: { personID: personParam },
    writes: false,
    answer: operator,
    refusals: ['person_not_found'],
  },
  async ({ params: { personID } }, { people }) => ok(await people.person(personID)),
)

const issued = operatorRoute(
  {
    operationId: 'listIssuedCredentials',
    tag: 'Operators',
    methods: ['GET'],
    path: `${people}/{personID}/issued`,
    summary: 'List active keys and tokens that a person issued',
    description:
      'In all realms, up to 1000 of each, also after the person was erased. Revoke those that you don’t ' +
      'know.',
    params: { personID: personParam },
    writes: false,
    answer: Type.Object({
      keys: Type.Array(Type.Object({ realmId: realmIdParam, ...listedKey }, { title: 'KeyOfRealm' })),
      tokens: Type.Array(tokenAnswer),
    }),
    refusals: ['person_not_found'],
  },
  async ({ params: { personID } }, { people }) => ok(await people.issuedBy(personID)),
)

const erase = operatorRoute(
  {
    operationId: 'eraseOperator',
    tag: 'Operators',
    methods: ['DELETE'],
    path: `${people}/{personID}`,
    summary: 'Erase a person',
    description:
      'Deletes name, address and every way to sign in, in all realms. Sessions and their tokens end within ' +
      'one second. Past actions stay, under the person’s id. Invitations and links that they created are ' +
      'cancelled; keys and tokens that they issued keep working and can still be listed.',
    params: { personID: personParam },
    writes: true,
    deletes: true,
    refusals: ['person_not_found'],
  },
  async ({ params: { personID }, by }, { people }) => {
    await people.erase(personID, by())
    return gone
  },
)

const makeLink = operatorRoute(
  {
    operationId: 'createOperatorLink',
    tag: 'Operators',
    methods: ['POST'],
    path: `${people}/{personID}/link`,
    summary: 'Create a sign-in link for a person',
    description: 'Works once, for one day. Anyone with the link signs in as that person.',
    params: { personID: personParam },
    writes: true,
    answer: Type.Object({ ...link, expiresAt: date }),
    refusals: ['person_not_found'],
  },
  async ({ params: { personID }, headers, by }, { invitations, site }) => {
    const { token, expiresAt } = await invitations.linkFor(personID, undefined, by())
    return ok({ link: site.linkOf(token, headers), expiresAt })
  },
)

const invite = operatorRoute(
  {
    operationId: 'inviteOperator',
    tag: 'Operators',
    methods: ['POST'],
    path: invitations,
    summary: 'Invite an operator',
    description: 'The link works once, for seven days.',
    writes: true,
    body: Type.Object(inviteFields, { description: 'A JSON object with name.' }),
    creates: `${invitations}/{invitationID}`,
    answer: Type.Object({ ...invitationAnswer, ...link }),
    refusals: ['invitation_limit'],
  },
  async ({ body, headers, by }, { invitations, site }) => {
    const made = await invitations.invite(null, { ...body, role: null }, by())
    const { token, role: _none, ...shown } = made
    return ok({ ...shown, link: site.linkOf(token, headers) })
  },
)

const invited = operatorList(
  {
    operationId: 'listOperatorInvitations',
    tag: 'Operators',
    path: invitations,
    summary: 'List open operator invitations',
    description: 'Newest first.',
    item: invitation,
  },
  numbered,
  async (_request, { invitations }, asked) => {
    const open = await invitations.of(null, pageBelow(asked))
    return pageByNumber(
      open.map(({ role: _none, ...shown }) => shown),
      asked,
    )
  },
)

const getInvitation = operatorRoute(
  {
    operationId: 'getOperatorInvitation',
    tag: 'Operators',
    methods: ['GET'],
    path: `${invitations}/{invitationID}`,
    summary: 'Read an open operator invitation',
    params: { invitationID: invitationParam },
    writes: false,
    answer: invitation,
    refusals: ['invitation_not_found'],
  },
  async ({ params: { invitationID } }, { invitations }) => {
    const { role: _none, ...shown } = await invitations.get(null, invitationID)
    return ok(shown)
  },
)

const cancel = operatorRoute(
  {
    operationId: 'cancelOperatorInvitation',
    tag: 'Operators',
    methods: ['DELETE'],
    path: `${invitations}/{invitationID}`,
    summary: 'Revoke an operator invitation',
    params: { invitationID: invitationParam },
    writes: true,
    deletes: true,
    refusals: ['invitation_not_found'],
  },
  async ({ params: { invitationID }, by }, { invitations }) => {
    await invitations.cancel(null, invitationID, by())
    return gone
  },
)

export const peopleRoutes = [list, get, issued, erase, makeLink, invite, invited, getInvitation, cancel]
