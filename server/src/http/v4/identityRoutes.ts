import type { Identities, IdentityDetails, Whose } from '../../members/identities/index.ts'
import { type IdentityRow, identityText } from '../../members/identities/index.ts'
import type { Merges } from '../../merges/index.ts'
import { gone, ok } from '../problem.ts'
import { cursorsOf, pageOfRows, realmList, rowsFor } from '../route/list.ts'
import { realmRoute } from '../route/route.ts'
import {
  clearable,
  date,
  identityField,
  identityParam,
  memberIdParam,
  nullable,
  realmIdParam,
  Type,
  text,
} from '../route/schemas.ts'
import { askedOf, type ByKey, isTaken } from './mergeRoutes.ts'

const base = '/api/v4/realms/{realmID}/members/{memberID}/identities'
const one = `${base}/{identity}`
const params = { realmID: realmIdParam, memberID: memberIdParam }
const oneParams = { ...params, identity: identityParam }

const identityAnswer = Type.Object(
  {
    identity: Type.String({
      description:
        'As it is sent in a path or a body. Of an e-mail address the keyed hash, `email:` and 64 hex digits.',
      examples: ['shop:9f1c'],
    }),
    provider: Type.String({ description: 'The part before the first colon.' }),
    subject: Type.String({ description: 'The part after it; of an e-mail address its keyed hash.' }),
    name: nullable(Type.String({ description: 'The name that the provider shows.' })),
    pictureUrl: nullable(Type.String({ description: 'The picture that the provider shows.' })),
    linkedAt: date,
  },
  { title: 'Identity' },
)

function identityBody({
  provider,
  subject,
  name,
  picture_url: pictureUrl,
  linked_at: linkedAt,
}: IdentityRow) {
  const identity = identityText({ provider, subject })
  return { identity, provider, subject, name, pictureUrl, linkedAt: linkedAt.toISOString() }
}

/** A web address that browsers may show as a picture. */
const isPicture = (value: string): boolean =>
  value === '' || (/^https:\/\/\S+$/.test(value) && URL.canParse(value))

const pictureUrl = Type.Refine(text(500, 'The picture that the provider shows, an https URL.'), isPicture)

const isKept = (value: string): boolean => value.isWellFormed() && !value.includes('\0')
const kept = Type.Refine(Type.String({ maxLength: 400 }), isKept)

/** The provider and the subject. */
const cursors = cursorsOf(Type.Tuple([kept, kept]))

const linkRefusals = [
  'member_not_found',
  'already_exists',
  'member_has_holds',
  'identity_limit',
  'merge_limit',
  'balance_limit',
] as const

const list = realmList(
  {
    operationId: 'listIdentities',
    tag: 'Members',
    path: base,
    summary: 'List a member’s identities',
    description: 'Ordered by provider and subject. A member has at most 16.',
    params,
    scope: 'members:read',
    item: identityAnswer,
    refusals: ['member_not_found'],
  },
  cursors,
  async ({ caller: { realm }, params: { memberID } }, { identities }, asked) => {
    const [provider = '', subject = ''] = asked.after ?? []
    const after = asked.after && { provider, subject }
    const rows = await identities.list(realm, memberID, { after, limit: rowsFor(asked) })
    return pageOfRows(rows, asked, {
      placeOf: (row) => [row.provider, row.subject],
      bodyOf: identityBody,
    })
  },
)

const get = realmRoute(
  {
    operationId: 'getIdentity',
    tag: 'Members',
    methods: ['GET'],
    path: one,
    summary: 'Read a member’s identity',
    params: oneParams,
    writes: false,
    scope: 'members:read',
    answer: identityAnswer,
    refusals: ['member_not_found', 'identity_not_found'],
  },
  async ({ caller: { realm }, params: { memberID: member, identity } }, { identities }) =>
    ok(identityBody(await identities.get({ realm, member, identity }))),
)

const details = {
  name: clearable(text(100, 'The name that the provider shows.')),
  pictureUrl: clearable(pictureUrl),
}

type Linking = ByKey & { readonly caller: { readonly scopes: ReadonlySet<string> } }

type LinkTools = {
  readonly details: IdentityDetails
  readonly identities: Identities
  readonly merges: Merges
}

/** Links an identity. One of an unclaimed member, which was credited before it joined, brings that member. */
async function linked(
  request: Linking,
  whose: Whose,
  { details, identities, merges }: LinkTools,
): Promise<boolean> {
  const link = () => identities.link(whose, details, request.by())
  try {
    return await link()
  } catch (error) {
    if (!isTaken(error)) throw error
    const consent = { force: false, isAdmin: request.caller.scopes.has('realm:admin'), onlyUnclaimed: true }
    await merges.merge(askedOf(request), { from: whose.identity, to: whose.member, consent })
    await link()
    return true
  }
}

type Details = { readonly name?: string | null; readonly pictureUrl?: string | null }

const cleared = (value: string | null | undefined) => (value === null ? '' : value)

const detailsOf = ({ name, pictureUrl: picture }: Details) => ({
  name: cleared(name),
  pictureUrl: cleared(picture),
})

const post = realmRoute(
  {
    operationId: 'linkIdentity',
    tag: 'Members',
    methods: ['POST'],
    path: base,
    summary: 'Link an identity that is sent in the body',
    description:
      'The same as `PUT …/identities/{identity}`: 201 if it is new, 200 if the member has it. Of an e-mail ' +
      'address, which must not be in a URL, only a keyed hash is stored and returned: `email:` and 64 hex ' +
      'digits, with which the identity is read and unlinked.',
    params,
    writes: true,
    scope: 'members:write',
    body: Type.Object(
      { identity: identityField, ...details },
      { description: 'A JSON object with identity.' },
    ),
    creates: one,
    createdId: 'identity',
    answer: identityAnswer,
    refusals: linkRefusals,
  },
  async (request, { identities, merges }) => {
    const { identity, ...given } = request.body
    const whose = { realm: request.caller.realm, member: request.params.memberID, identity }
    const isNew = await linked(request, whose, { details: detailsOf(given), identities, merges })
    return { ...ok(identityBody(await identities.get(whose))), isNew }
  },
)

const put = realmRoute(
  {
    operationId: 'putIdentity',
    tag: 'Members',
    methods: ['PUT'],
    path: one,
    summary: 'Link an identity to a member',
    description:
      'From then on the identity can be sent wherever a member id can: in paths and in bodies. An identity ' +
      'belongs to one member of the realm: one that another member has is rejected (409), unless that one ' +
      'was created by a first credit and has not joined: it is merged into this member, with its points. ' +
      'Omitted fields do not change. An e-mail address must not be in a URL: `POST …/identities` has it ' +
      'in the body.',
    params: oneParams,
    writes: true,
    scope: 'members:write',
    body: Type.Object(details, { description: 'A JSON object, which may be empty.' }),
    bodyRequired: false,
    creates: one,
    answer: identityAnswer,
    refusals: linkRefusals,
  },
  async (request, { identities, merges }) => {
    const { memberID: member, identity } = request.params
    const whose = { realm: request.caller.realm, member, identity }
    const given = request.body as typeof request.body | undefined
    const isNew = await linked(request, whose, { details: detailsOf(given ?? {}), identities, merges })
    return { ...ok(identityBody(await identities.get(whose))), isNew }
  },
)

const remove = realmRoute(
  {
    operationId: 'deleteIdentity',
    tag: 'Members',
    methods: ['DELETE'],
    path: one,
    summary: 'Unlink an identity from a member',
    description: 'The points stay with the member. The identity can then be linked to another member.',
    params: oneParams,
    writes: true,
    scope: 'members:write',
    deletes: true,
    refusals: ['member_not_found', 'identity_not_found'],
  },
  async (request, { identities }) => {
    const { memberID: member, identity } = request.params
    await identities.unlink({ realm: request.caller.realm, member, identity }, request.by())
    return gone
  },
)

export const identityRoutes = [list, get, post, put, remove]
