import Type, { type Static, type TSchema } from 'typebox'
import { limitCap } from '../../limits/index.ts'
import { isMemberId } from '../../members/index.ts'
import { expectMark, timeForm as timeExample } from './expects.ts'
import { memberId, memberIdPattern, wholeId } from './memberIds.ts'
import { flagParam } from './queryValues.ts'

export {
  addressMark,
  identityField,
  identityParam,
  idMark,
  memberId,
  memberIdAnswer,
  memberIdParam,
} from './memberIds.ts'

/** Marks an optional field for which null means omitted: responses have null for it as well. */
export const nullMark = 'x-null-is-absent'

/** An optional field that may be sent as null, as responses have it when it is not set. */
export const orNull = <T extends TSchema>(schema: T) =>
  Object.assign(Type.Optional(schema), { [nullMark]: true })

/** Marks a response field that is returned once: a replay has null in its place. */
export const secretMark = 'x-shown-once'

export const secret = ({
  description,
  ...options
}: {
  readonly pattern?: string
  readonly description?: string
}) =>
  Type.Unsafe<string | null>({
    anyOf: [{ type: 'string', ...options }, { type: 'null' }],
    description: `${description ?? 'It is returned only in this response.'} Null in a replay.`,
    [secretMark]: true,
  })

export const realmIdParam = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'A realm id: 1 to 64 letters, digits, _ or -.',
  [expectMark]: '1 to 64 letters, digits, _ or -',
  examples: ['5f7f3c9f0c1d4e2a8b6d7e90'],
})

export const pointId = Type.String({
  pattern: '^([0-9a-fA-F]{24}|[A-Za-z][A-Za-z0-9_-]{0,63})$',
  description: 'A point type id: 24 hex digits, or a letter and up to 63 letters, digits, _ or -.',
  [expectMark]: '24 hex digits, or a letter and up to 63 letters, digits, _ or -',
})

/** Counts code points, as JSON Schema does. */
const codePoints = (value: string): number => Array.from(value).length

/** Whether PostgreSQL can store a text, and it has at most this many code points. */
export const isStorable = (value: string, longest: number): boolean =>
  value.isWellFormed() && !value.includes('\0') && codePoints(value) <= longest

/** Text that PostgreSQL can store, with at most this many code points. */
export function text(longest: number, what: string) {
  return Type.Refine(
    Type.String({
      maxLength: longest,
      description: `${what} At most ${longest} characters, without NUL.`,
      [expectMark]: `text of at most ${longest} characters, without NUL and lone surrogates`,
    }),
    (value) => isStorable(value, longest),
  )
}

export const date = Type.Unsafe<string>({ type: 'string', format: 'date-time' })

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

export const timeWords = 'A time with its zone, such as 2030-01-31T12:00:00Z.'

export const isTime = (value: string): boolean => timeForm.test(value) && !Number.isNaN(Date.parse(value))

/** A time with this description. */
export const timeThat = (description: string) =>
  Type.Refine(
    Type.Unsafe<string>({
      type: 'string',
      format: 'date-time',
      description,
      [expectMark]: timeExample,
    }),
    (value) => typeof value === 'string' && isTime(value),
  )

/** A time in a body. */
export const time = timeThat(timeWords)

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A field that null clears; it is null when not set. */
export const clearable = <T extends TSchema>(schema: T) =>
  Type.Optional(
    Type.Union([schema, Type.Null()], {
      description: `${(schema as { description?: string }).description ?? ''} Null clears it.`,
    }),
  )

/** The signed-in person who did something, if any. */
export const personAnswer = Type.Object(
  { id: Type.String(), name: nullable(Type.String()) },
  {
    title: 'PersonName',
    description: 'The signed-in person; the name is null once the person was erased.',
  },
)

/** What a list shows of a key or a token. */
export const listedFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  lastFour: Type.String(),
  createdAt: date,
  expiresAt: nullable(date),
  lastUsedAt: nullable(date),
  revokedAt: nullable(date),
  status: Type.Union([Type.Literal('active'), Type.Literal('expired'), Type.Literal('revoked')], {
    description: 'Only `active` ones authenticate.',
  }),
  madeBy: nullable(
    Type.String({ description: 'The operator, a token, a key or a person; null when not stored.' }),
  ),
}

/** Filter for a list of keys or tokens. */
export const statusQuery = {
  status: Type.Union([Type.Literal('active'), Type.Literal('revoked')], {
    description:
      '`active` (default): those that still work, in the order they were issued. `revoked`: ' +
      'those that were revoked or have expired, newest first.',
  }),
}
export const statusWords = 'Active ones; with `status=revoked` those that were revoked or have expired.'

export const statusOf = (query: URLSearchParams): 'active' | 'revoked' =>
  query.get('status') === 'revoked' ? 'revoked' : 'active'

export const balance = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** A rate limit for a realm or a key. */
export const rateLimit = Type.Union(
  [
    Type.Literal('default'),
    Type.Literal('off'),
    Type.Object(
      {
        rate: Type.Integer({ minimum: 1, maximum: limitCap }),
        burst: Type.Integer({ minimum: 1, maximum: limitCap }),
      },
      { title: 'RateLimit' },
    ),
  ],
  {
    description:
      'A rate limit: an object with `rate`, requests a second, and `burst`, requests at once, both from 1 ' +
      `to ${limitCap}; or \`off\`; or \`default\`, the server’s setting. It takes effect within 30 seconds.`,
    [expectMark]: `default, off or an object with rate and burst, both from 1 to ${limitCap}`,
  },
)

export const transactionIdParam = Type.Refine(
  Type.String({
    pattern: memberIdPattern,
    description: 'A transaction id: an entry’s number in the realm’s journal.',
    [expectMark]: `a transaction id, ${wholeId}, in decimal digits`,
    examples: ['1042'],
  }),
  isMemberId,
)

export const transactionId = Type.String({
  description: "The entry's number in the realm's journal.",
  examples: ['1042'],
})

export const signedTokens = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  not: { const: 0 },
  description:
    'A whole number other than 0, at most 9007199254740991 either way; above 0 adds, below 0 subtracts.',
  [expectMark]: 'a whole number other than 0, at most 9007199254740991 either way',
  examples: [25],
})

export const plainTokens = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'A whole number from 1 to 9007199254740991.',
  examples: [25],
})

export const idempotencyKey = Type.String({
  pattern: '^[\\x21-\\x7e]{1,255}$',
  description: '1 to 255 visible ASCII characters.',
  [expectMark]: '1 to 255 visible ASCII characters',
})

/** Details that any change can have. */
export const saidFields = {
  reason: orNull(text(500, 'The reason for the change.')),
  reference: orNull(text(255, 'Your own reference, such as an order number.')),
  metadata: orNull(
    Type.Object(
      {},
      {
        title: 'Metadata',
        additionalProperties: true,
        description: 'Your own JSON object, at most 2 KiB.',
        [expectMark]: 'a JSON object',
      },
    ),
  ),
  actorId: orNull(memberId('The member who caused the change')),
}

export const detailFields = { realmPointId: Type.Optional(pointId), ...saidFields }

/** A parameter of every change of points. */
export const dryRun = {
  dryRun: flagParam('`true`: run all checks and return the result without changing anything.'),
}

export const dryRunAnswer = {
  dryRun: Type.Optional(
    Type.Literal(true, { description: 'True for a dry run, which has no `transactionId`.' }),
  ),
}

export type { Static }
export { Type }
