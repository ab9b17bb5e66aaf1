import Type from 'typebox'
import {
  isAddress,
  isIdentity,
  providerPattern,
  subjectCap,
  subjectPattern,
} from '../../members/identities/index.ts'
import { isMemberId } from '../../members/index.ts'
import { expectMark } from './expects.ts'

/** Members in requests: by id, by identity, and in bodies by e-mail address. */

export const memberIdPattern = '^[1-9][0-9]{0,18}$'

export const wholeId = 'a whole number from 1 to 9223372036854775807'

/** Marks ids, which a caller may send as a number: they are converted to digits before they are checked. */
export const idMark = 'x-exact-id'

/** Marks fields of a body that may be an e-mail address, `email:ada@example.org`: addresses.ts. */
export const addressMark = 'x-may-be-address'

const identityForm = `${providerPattern}:${subjectPattern}`
const idForm = { type: 'string', pattern: `^([1-9][0-9]{0,18}|${identityForm})$` } as const

const identityWords =
  'or an identity such as shop:9f1c: a provider, a colon and what that provider calls the member, at most ' +
  `${subjectCap} characters.`

/** A member by its id, or by an identity. */
const isMember = (value: unknown): boolean =>
  typeof value === 'string' && (isMemberId(value) || isIdentity(value))

const isMemberInBody = (value: unknown): boolean =>
  isMember(value) || (typeof value === 'string' && isAddress(value))

const addressWords = ' Or an e-mail address, email:ada@example.org, which is stored as a keyed hash.'

export const memberIdParam = Type.Refine(
  Type.String({
    pattern: idForm.pattern,
    description: `A member id: ${wholeId}, in decimal digits; ${identityWords}`,
    [expectMark]: `a member id, ${wholeId}, in decimal digits, or an identity such as shop:9f1c`,
    examples: ['1190194345295482952'],
  }),
  isMember,
)

export const identityParam = Type.Refine(
  Type.String({
    pattern: `^${identityForm}$`,
    description:
      'An identity: a provider of up to 32 lower-case letters, digits and -, a colon, and what that ' +
      `provider calls the member, at most ${subjectCap} characters. Percent-encoded in a path.`,
    [expectMark]: 'an identity such as shop:9f1c',
    examples: ['shop:9f1c'],
  }),
  isIdentity,
)

/** An identity in a body, which may be an e-mail address. */
export const identityField = Type.Refine(
  Type.String({
    pattern: `^${identityForm}$`,
    description:
      'An identity: a provider, a colon and what that provider calls the member; or an e-mail address, ' +
      'email:ada@example.org, which is stored as a keyed hash.',
    [addressMark]: true,
    [expectMark]: 'an identity such as shop:9f1c or email:ada@example.org',
    examples: ['email:ada@example.org'],
  }),
  (value) => isIdentity(value) || isAddress(value),
)

/** A member id in a body. */
export function memberId(whose: string) {
  const schema = Type.Unsafe<string>({
    anyOf: [{ type: 'integer', minimum: 1 }, idForm],
    description:
      `${whose}: a member id, from 1 to 9223372036854775807, as a number or a string of digits; ` +
      identityWords +
      addressWords,
    examples: ['1190194345295482952'],
    [idMark]: true,
    [addressMark]: true,
    [expectMark]: `a member id, ${wholeId} or a string of its digits, or an identity such as shop:9f1c`,
  })
  return Type.Refine(schema, isMemberInBody)
}

export const memberIdAnswer = Type.String({
  description: 'A member id; always a string.',
  examples: ['1190194345295482952'],
})
