import { areColours, coloursCap, isLogo, isTimeZone, logoCap } from '../../realms/index.ts'
import { ok } from '../problem.ts'
import { expectMark } from '../route/expects.ts'
import { realmRoute } from '../route/route.ts'
import { clearable, pointId, realmIdParam, Type, text } from '../route/schemas.ts'
import { publicBoard, realmAnswerFields, realmBody, unknownMembers } from '../shared/realmAnswer.ts'

const path = '/api/v4/realms/{realmID}'
const params = { realmID: realmIdParam }
const answer = Type.Object(realmAnswerFields, { title: 'Realm' })

const logo = Type.Refine(
  Type.String({
    maxLength: logoCap,
    description: `An https URL of at most ${logoCap} characters; an empty string clears it.`,
    [expectMark]: `an https URL of at most ${logoCap} characters`,
    examples: ['https://example.com/logo.png'],
  }),
  (value) => value === '' || isLogo(value),
)

const colours = Type.Refine(
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    title: 'NewColours',
    description:
      `A JSON object of at most ${coloursCap} names, a letter and up to 31 letters, digits, _ or -, each ` +
      'with a colour such as #1a2b3c; an empty object clears them.',
    [expectMark]: 'a JSON object of names and colours such as #1a2b3c',
    examples: [{ primary: '#1a2b3c' }],
  }),
  areColours,
)

const timeZone = Type.Refine(
  Type.String({
    maxLength: 64,
    description: 'An IANA time zone name, such as Europe/Berlin.',
    [expectMark]: 'an IANA time zone name, such as Europe/Berlin',
    examples: ['Europe/Berlin'],
  }),
  isTimeZone,
)

const getRealm = realmRoute(
  {
    operationId: 'getRealm',
    tag: 'Realm',
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
    operationId: 'updateRealm',
    tag: 'Realm',
    methods: ['PATCH'],
    path,
    summary: 'Change the realm’s settings',
    description:
      'Omitted fields do not change. Null or empty `logo` and `colours` clear the current value. The day ' +
      'of `maxPerDay` begins at midnight in `timeZone`.',
    params,
    writes: true,
    scope: 'realm:admin',
    body: Type.Object(
      {
        name: Type.Optional(text(100, 'The name.')),
        unknownMembers: Type.Optional(unknownMembers),
        logo: clearable(logo),
        colours: clearable(colours),
        timeZone: Type.Optional(timeZone),
        publicBoard: Type.Optional(publicBoard),
        defaultPointId: Type.Optional(pointId),
      },
      { description: 'A JSON object with the fields to change.' },
    ),
    answer,
    refusals: ['point_not_found', 'default_point'],
  },
  async ({ caller, body, by }, { realms }) => {
    const { logo: image, colours: named, defaultPointId: defaultPoint, ...rest } = body
    const change = {
      ...rest,
      logo: image === '' ? null : image,
      colours: named ? textOf(named) : named,
      defaultPoint,
    }
    return ok(realmBody(await realms.change(caller.realmId, change, by())))
  },
)

const textOf = (named: Readonly<Record<string, string>>): string | null =>
  Object.keys(named).length === 0 ? null : JSON.stringify(named)

export const ownRealmRoutes = [getRealm, changeRealm]
