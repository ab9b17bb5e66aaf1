import { listedKey } from '../keyRoutes.ts'
import { numbered, operatorList, pageAfter, pageBelow, pageByNumber } from '../list.ts'
import {
  invitationAnswer,
  invitationParam,
  inviteFields,
  link,
  listedPerson,
  personParam,
} from '../peopleRoutes.ts'
import { ok } from '../problem.ts'
import { operatorRoute } from '../route.ts'
import { date, listedFields, realmIdParam, Type } from '../schemas.ts'

const people = '/operator/v1/people'
const invitations = '/operator/v1/invitations'

const list = operatorList(
  { path: people, summary: 'List the operators who sign in', item: Type.Object(listedPerson) },
  numbered,
  async (_request, services, asked) => pageByNumber(await services.people.operators(pageAfter(asked)), asked),
)

const erase = operatorRoute(
  {
    methods: ['DELETE'],
    path: `${people}/{personID}`,
    summary: 'Forget a person',
    description:
      'Name, address and every way to sign in are gone, in all realms; sessions and keys end within one ' +
      'second. What they did stays, with their number. Invitations and links that they made are cancelled; ' +
      'keys and tokens that they issued go on working and are listed, to be revoked.',
    params: { personID: personParam },
    writes: true,
    answer: Type.Object({
      issuedKeys: Type.Array(Type.Object({ realmId: realmIdParam, ...listedKey })),
      issuedTokens: Type.Array(Type.Object(listedFields)),
    }),
    refusals: ['person_not_found'],
  },
  async ({ params: { personID = '' }, by }, services) => {
    return ok(await services.people.erase(personID, by()))
  },
)

const makeLink = operatorRoute(
  {
    methods: ['POST'],
    path: `${people}/{personID}/link`,
    summary: 'Make a link for a person to sign in again',
    description: 'For one day, and once. Whoever has it is that person.',
    params: { personID: personParam },
    writes: true,
    answer: Type.Object({ ...link, expiresAt: date }),
    refusals: ['person_not_found'],
  },
  async ({ params: { personID = '' }, headers, by }, services) => {
    const { token, expiresAt } = await services.invitations.linkFor(personID, undefined, by())
    return ok({ link: services.site.linkOf(token, headers), expiresAt })
  },
)

const invite = operatorRoute(
  {
    methods: ['POST'],
    path: invitations,
    summary: 'Invite an operator',
    description: 'The link works for seven days, and once.',
    writes: true,
    body: Type.Object(inviteFields, { description: 'A JSON object with name.' }),
    answer: Type.Object({ ...invitationAnswer, ...link }),
    refusals: ['invitation_limit'],
  },
  async ({ body, headers, by }, services) => {
    const made = await services.invitations.invite(null, { ...body, role: null }, by())
    const { token, role: _none, ...shown } = made
    return ok({ ...shown, link: services.site.linkOf(token, headers) })
  },
)

const invited = operatorList(
  {
    path: invitations,
    summary: 'List open invitations to operators',
    description: 'The newest first.',
    item: Type.Object(invitationAnswer),
  },
  numbered,
  async (_request, services, asked) => {
    const open = await services.invitations.of(null, pageBelow(asked))
    return pageByNumber(
      open.map(({ role: _none, ...shown }) => shown),
      asked,
    )
  },
)

const cancel = operatorRoute(
  {
    methods: ['DELETE'],
    path: `${invitations}/{invitationID}`,
    summary: 'Take an operator’s invitation back',
    params: { invitationID: invitationParam },
    writes: true,
    answer: Type.Object(invitationAnswer),
    refusals: ['invitation_not_found'],
  },
  async ({ params: { invitationID = '' }, by }, services) => {
    const { role: _none, ...shown } = await services.invitations.cancel(null, invitationID, by())
    return ok(shown)
  },
)

export const peopleRoutes = [list, erase, makeLink, invite, invited, cancel]
