import { roles } from '../people/people.ts'
import { roleAnswer } from './console/session.ts'
import { expectMark } from './expects.ts'
import { listedKey } from './keyRoutes.ts'
import { listAt, numbered, pageAfter, pageBelow, pageByNumber } from './list.ts'
import { gone, ok } from './problem.ts'
import type { Request, Route } from './route.ts'
import { date, nullable, orNull, secret, Type, text } from './schemas.ts'
import type { RealmDoor } from './twoDoors.ts'

export const listedPerson = {
  id: Type.String(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  signsInBy: Type.Union([Type.Literal('provider'), Type.Literal('link')]),
  addedAt: date,
  lastSeenAt: nullable(date),
}

const holderFields = {
  ...listedPerson,
  role: roleAnswer,
  keyId: Type.String({ description: 'What the journal names this person by.' }),
}
const holder = Type.Object(holderFields)
const changedHolder = Type.Object({
  ...holderFields,
  issuedKeys: Type.Array(Type.Object(listedKey), {
    description: 'The keys that they issued here and that still work: revoke those that you don’t know.',
  }),
})
const cancelWords =
  'Invitations and links that they made here, signed in or with a key that they issued, are cancelled; ' +
  'the keys that they issued go on working, and are listed as orphaned keys.'

const role = Type.Union(
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
export const link = {
  link: secret({ description: 'Opens the console, once. It is in this answer and nowhere else.' }),
}

export const personParam = Type.String({ description: 'A person’s id.' })
export const invitationParam = Type.String({ description: 'An invitation’s id.' })

export const inviteFields = {
  name: text(100, 'what they are called here'),
  email: orNull(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@\\x00]+@[^\\s@\\x00]+$',
      [expectMark]: 'an e-mail address',
      description:
        'An e-mail address. A person who signs in at the OpenID provider with it can accept without the ' +
        'link, if the provider vouches for the address. Until they accept, the realm learns nothing ' +
        'about them.',
    }),
  ),
}

export function peopleRoutesAt(door: RealmDoor): Route[] {
  return [
    list(door),
    get(door),
    orphanedKeys(door),
    change(door),
    remove(door),
    makeLink(door),
    invite(door),
    invited(door),
    getInvitation(door),
    cancel(door),
  ]
}

const list = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  listAt(route)(
    { path: `${base}/people`, summary: 'List who looks after a realm', params, item: holder, refusals },
    numbered,
    async (request, services, asked) => {
      const realm = await realmOf(request, services)
      return pageByNumber(await services.people.of(realm, pageAfter(asked)), asked)
    },
  )

const get = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['GET'],
      path: `${base}/people/{personID}`,
      summary: 'Read one person who looks after a realm',
      params: { ...params, personID: personParam },
      writes: false,
      answer: holder,
      refusals: [...refusals, 'person_not_found'],
    },
    async (request, services) => {
      const realm = await realmOf(request, services)
      return ok(await services.people.get({ realm, id: request.params['personID'] ?? '' }))
    },
  )

const orphanedKeys = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  listAt(route)(
    {
      path: `${base}/keys/orphaned`,
      summary: 'List the keys of people who may not issue keys any more',
      description:
        'The keys that still work and were issued by people who were removed, erased or given a lower role ' +
        'since, signed in or with a key of theirs. They work until they are revoked.',
      params,
      item: Type.Object({
        ...listedKey,
        issuer: Type.Object({
          id: Type.String(),
          name: nullable(Type.String()),
          role: nullable(roleAnswer),
        }),
      }),
      refusals,
    },
    numbered,
    async (request, services, asked) => {
      // A realm has a thousand live keys at most.
      const keys = await services.people.orphanedKeys(await realmOf(request, services))
      const { after } = pageAfter(asked)
      return pageByNumber(
        keys.filter(({ id }) => Number(id) > after),
        asked,
      )
    },
  )

const change = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['PATCH'],
      path: `${base}/people/{personID}`,
      summary: 'Change a person’s role',
      description:
        'It holds everywhere within one second, for the keys they have as well. With a lower role: ' +
        cancelWords,
      params: { ...params, personID: personParam },
      writes: true,
      body: Type.Object({ role }, { description: 'A JSON object with role.' }),
      answer: changedHolder,
      refusals: [...refusals, 'person_not_found'],
    },
    async (request, services) => {
      const name = { realm: await realmOf(request, services), id: request.params['personID'] ?? '' }
      return ok(await services.people.changeRole(name, request.body.role, request.by()))
    },
  )

const remove = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['DELETE'],
      path: `${base}/people/{personID}`,
      summary: 'Take a person’s role away',
      description: `Everywhere within one second. What they did stays, with their name. ${cancelWords}`,
      params: { ...params, personID: personParam },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'person_not_found'],
    },
    async (request, services) => {
      const name = { realm: await realmOf(request, services), id: request.params['personID'] ?? '' }
      await services.people.remove(name, request.by())
      return gone
    },
  )

/** An owner makes links for people of the own realm alone, an operator for anybody. */
const ownerOf = (request: Request): { readonly realm: number } | undefined =>
  request.caller && { realm: request.caller.realm }

const makeLink = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['POST'],
      path: `${base}/people/{personID}/link`,
      summary: 'Make a link for a person to sign in again',
      description:
        'For one day, and once. Whoever has it is that person: a key of the realm makes one only for those ' +
        'who sign in by link and have rights in this realm alone.',
      params: { ...params, personID: personParam },
      writes: true,
      answer: Type.Object({ ...link, expiresAt: date }),
      refusals: [...refusals, 'forbidden', 'person_not_found'],
    },
    async (request, services) => {
      const { params: given, headers, by } = request
      await realmOf(request, services)
      const made = await services.invitations.linkFor(given['personID'] ?? '', ownerOf(request), by())
      return ok({ link: services.site.linkOf(made.token, headers), expiresAt: made.expiresAt })
    },
  )

const invite = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['POST'],
      path: `${base}/invitations`,
      summary: 'Invite somebody to look after a realm',
      description: 'The link works for seven days, and once. Each makes somebody new.',
      params,
      writes: true,
      body: Type.Object({ ...inviteFields, role }, { description: 'A JSON object with name and role.' }),
      creates: `${base}/invitations/{invitationID}`,
      answer: Type.Object({ ...invitationAnswer, ...roleField, ...link }),
      refusals: [...refusals, 'invitation_limit'],
    },
    async (request, services) => {
      const realm = await realmOf(request, services)
      const made = await services.invitations.invite(realm, request.body, request.by())
      const { token, ...shown } = made
      return ok({ ...shown, link: services.site.linkOf(token, request.headers) })
    },
  )

const invited = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  listAt(route)(
    {
      path: `${base}/invitations`,
      summary: 'List open invitations to a realm',
      description: 'The newest first.',
      params,
      item: Type.Object({ ...invitationAnswer, ...roleField }),
      refusals,
    },
    numbered,
    async (request, services, asked) => {
      const realm = await realmOf(request, services)
      return pageByNumber(await services.invitations.of(realm, pageBelow(asked)), asked)
    },
  )

const getInvitation = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['GET'],
      path: `${base}/invitations/{invitationID}`,
      summary: 'Read an open invitation to a realm',
      params: { ...params, invitationID: invitationParam },
      writes: false,
      answer: Type.Object({ ...invitationAnswer, ...roleField }),
      refusals: [...refusals, 'invitation_not_found'],
    },
    async (request, services) => {
      const realm = await realmOf(request, services)
      return ok(await services.invitations.get(realm, request.params['invitationID'] ?? ''))
    },
  )

const cancel = ({ route, base, params, refusals, realmOf }: RealmDoor): Route =>
  route(
    {
      methods: ['DELETE'],
      path: `${base}/invitations/{invitationID}`,
      summary: 'Take an invitation back',
      params: { ...params, invitationID: invitationParam },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'invitation_not_found'],
    },
    async (request, services) => {
      const realm = await realmOf(request, services)
      await services.invitations.cancel(realm, request.params['invitationID'] ?? '', request.by())
      return gone
    },
  )
