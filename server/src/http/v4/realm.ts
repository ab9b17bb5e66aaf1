import { ok } from '../problem.ts'
import { publicBoard, realmAnswerFields, realmBody, unknownMembers } from '../realmAnswer.ts'
import { realmRoute } from '../route.ts'
import { pointId, realmIdParam, Type, text } from '../schemas.ts'

const path = '/api/v4/realms/{realmID}'
const params = { realmID: realmIdParam }
const answer = Type.Object(realmAnswerFields)
const coloursCap = 20

/** Pages put it where an image's address goes: no other scheme, and nothing that would end an attribute. */
const logo = Type.Refine(
  Type.String({
    maxLength: 500,
    description: 'An https URL of at most 500 characters; empty takes it away.',
    examples: ['https://example.com/logo.png'],
  }),
  (value) =>
    value === '' || (/^https:\/\/[^\s"'<>\\^`{|}]+$/.test(value) && isAscii(value) && URL.canParse(value)),
)

const isAscii = (value: string): boolean => /^[\x21-\x7e]*$/.test(value)

const colours = Type.Refine(
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    description:
      `A JSON object of at most ${coloursCap} names, a letter and up to 31 letters, digits, _ or -, each ` +
      'with a colour such as #1a2b3c; an empty one takes them away.',
    examples: [{ primary: '#1a2b3c' }],
  }),
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given = Object.entries(value)
    return given.length <= coloursCap && given.every(([name, colour]) => isName(name) && isColour(colour))
  },
)

const isName = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(name)
const isColour = (colour: unknown): boolean => typeof colour === 'string' && /^#[0-9a-fA-F]{6}$/.test(colour)

const timeZone = Type.Refine(
  Type.String({
    maxLength: 64,
    description: 'A name of the IANA time zone database, such as Europe/Berlin.',
    examples: ['Europe/Berlin'],
  }),
  isTimeZone,
)

/** By name alone: offsets mean the opposite to PostgreSQL. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const getRealm = realmRoute(
  {
    methods: ['GET'],
    path,
    summary: 'Read the realm',
    params,
    writes: false,
    scope: 'members:read',
    answer,
  },
  async ({ caller }, { realms }) => ok(realmBody(await realms.get(caller.realmId))),
)

const changeRealm = realmRoute(
  {
    methods: ['PATCH'],
    path,
    summary: 'Change the realm’s settings',
    description:
      'What is not given, or null, stays as it is. An empty `logo` and empty `colours` take away what is ' +
      'there. A day of `maxPerDay` begins at midnight in `timeZone`.',
    params,
    writes: true,
    scope: 'realm:admin',
    body: Type.Object(
      {
        name: Type.Optional(text(100, 'a name')),
        unknownMembers: Type.Optional(unknownMembers),
        logo: Type.Optional(logo),
        colours: Type.Optional(colours),
        timeZone: Type.Optional(timeZone),
        publicBoard: Type.Optional(publicBoard),
        defaultPointId: Type.Optional(pointId),
      },
      { description: 'A JSON object with what is to change.' },
    ),
    answer,
    refusals: ['point_not_found', 'default_point'],
  },
  async ({ caller, body, by }, { realms }) => {
    const { logo: image, colours: named, defaultPointId: defaultPoint, ...rest } = body
    const change = {
      ...rest,
      logo: image === '' ? null : image,
      colours: named && textOf(named),
      defaultPoint,
    }
    return ok(realmBody(await realms.change(caller.realmId, change, by())))
  },
)

const textOf = (named: Readonly<Record<string, string>>): string | null =>
  Object.keys(named).length === 0 ? null : JSON.stringify(named)

export const ownRealmRoutes = [getRealm, changeRealm]
