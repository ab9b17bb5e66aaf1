import { refuseLimited } from '../../keys/index.ts'
import { roleAnswer } from '../console/session.ts'
import { gone, ok } from '../problem.ts'
import { listAt, numbered, pageAfter, pageByNumber } from '../route/list.ts'
import type { Request, Route } from '../route/route.ts'
import { date, nullable, Type } from '../route/schemas.ts'
import type { RouteBase } from '../route/scopedRoutes.ts'
import { invitationRoutesAt, link, role } from './invitationRoutes.ts'
import { keyAnswer, listedKey } from './keyRoutes.ts'

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
  keyId: Type.String({ description: 'This person’s id in the journal.' }),
}
const holder = Type.Object(holderFields, { title: 'Person' })
const changedHolder = Type.Object({
  ...holderFields,
  issuedKeys: Type.Array(keyAnswer, {
    description: 'Active keys that the person issued in this realm. Revoke those that you don’t recognize.',
  }),
})
const cancelWords =
  'Invitations and links that they created here, signed in or with a key that they issued, are ' +
  'cancelled. Keys that they issued keep working, and are listed as orphaned keys.'

export const personParam = Type.String({ description: 'The person’s id.' })

export function peopleRoutesAt(base: RouteBase): Route[] {
  return [
    list(base),
    get(base),
    orphanedKeys(base),
    change(base),
    remove(base),
    makeLink(base),
    ...invitationRoutesAt(base),
  ]
}

const list = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  listAt(route)(
    {
      operationId: 'listPeople',
      tag: 'People',
      path: `${base}/people`,
      summary: 'List a realm’s people',
      params,
      item: holder,
      refusals,
    },
    numbered,
    async (request, { people, realms }, asked) => {
      const realm = await realmOf(request, realms)
      return pageByNumber(await people.of(realm, pageAfter(asked)), asked)
    },
  )

const get = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'getPerson',
      tag: 'People',
      methods: ['GET'],
      path: `${base}/people/{personID}`,
      summary: 'Read a person of a realm',
      params: { ...params, personID: personParam },
      writes: false,
      answer: holder,
      refusals: [...refusals, 'person_not_found'],
    },
    async (request, { people, realms }) => {
      const realm = await realmOf(request, realms)
      return ok(await people.get({ realm, id: request.params.personID }))
    },
  )

const orphanedKeys = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  listAt(route)(
    {
      operationId: 'listOrphanedKeys',
      tag: 'Keys',
      path: `${base}/keys/orphaned`,
      summary: 'List orphaned keys',
      description:
        'Active keys issued, directly or through a key, by people who have since been removed, erased or ' +
        'given a lower role. They work until they are revoked.',
      params,
      item: Type.Object(
        {
          ...listedKey,
          issuer: Type.Object(
            {
              id: Type.String(),
              name: nullable(Type.String()),
              role: nullable(roleAnswer),
            },
            { title: 'KeyIssuer' },
          ),
        },
        { title: 'OrphanedKey' },
      ),
      refusals,
    },
    numbered,
    async (request, { people, realms }, asked) => {
      // A realm has at most 1,000 active keys.
      const keys = await people.orphanedKeys(await realmOf(request, realms))
      const { after } = pageAfter(asked)
      return pageByNumber(
        keys.filter(({ id }) => Number(id) > after),
        asked,
      )
    },
  )

const change = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'updatePerson',
      tag: 'People',
      methods: ['PATCH'],
      path: `${base}/people/{personID}`,
      summary: 'Change a person’s role',
      description:
        'Takes effect everywhere within one second, also for their session tokens. With a lower role: ' +
        cancelWords,
      params: { ...params, personID: personParam },
      writes: true,
      body: Type.Object({ role }, { description: 'A JSON object with role.' }),
      answer: changedHolder,
      refusals: [...refusals, 'person_not_found'],
    },
    async (request, { people, realms }) => {
      const name = { realm: await realmOf(request, realms), id: request.params.personID }
      return ok(await people.changeRole(name, request.body.role, request.by()))
    },
  )

const remove = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'removePerson',
      tag: 'People',
      methods: ['DELETE'],
      path: `${base}/people/{personID}`,
      summary: 'Remove a person from a realm',
      description: `Takes effect within one second. Their past actions keep their name. ${cancelWords}`,
      params: { ...params, personID: personParam },
      writes: true,
      deletes: true,
      refusals: [...refusals, 'person_not_found'],
    },
    async (request, { people, realms }) => {
      const name = { realm: await realmOf(request, realms), id: request.params.personID }
      await people.remove(name, request.by())
      return gone
    },
  )

/** An owner creates links only for people of their own realm, an operator for any person. */
const ownerOf = (request: Request): { readonly realm: number } | undefined =>
  request.caller && { realm: request.caller.realm }

const makeLink = ({ route, base, params, refusals, realmOf }: RouteBase): Route =>
  route(
    {
      operationId: 'createPersonLink',
      tag: 'People',
      methods: ['POST'],
      path: `${base}/people/{personID}/link`,
      summary: 'Create a sign-in link for a person',
      description:
        'Works once, for one day. Anyone with the link signs in as that person, so a realm key can create ' +
        'one only for people who sign in by link and have a role in this realm only.',
      params: { ...params, personID: personParam },
      writes: true,
      answer: Type.Object({ ...link, expiresAt: date }),
      refusals: [...refusals, 'forbidden', 'person_not_found'],
    },
    async (request, { invitations, site, realms }) => {
      const { params: given, headers, by } = request
      refuseLimited(request.caller?.bounds, 'create links for people')
      await realmOf(request, realms)
      const made = await invitations.linkFor(given.personID, ownerOf(request), by())
      return ok({ link: site.linkOf(made.token, headers), expiresAt: made.expiresAt })
    },
  )
