import { type HashAddress, isAddress, looksLikeAddress } from '../../members/identities/index.ts'
import type { FieldPath, Request, Route } from './description.ts'
import { expected } from './expects.ts'
import { addressMark } from './schemas.ts'
import type { Services } from './services.ts'

/**
 * E-mail addresses as identities. Those in a body become their keyed hashes before anything else reads them:
 * no handler, fingerprint, log or error has an address. In a URL, which proxies log, they are rejected.
 */

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly [addressMark]?: true
}

/** Stands for each item of a list in a path of fields. */
const items = '*'

/** The fields of a body that may have an address. */
export function addressFields(schema: Schema | undefined): FieldPath[] {
  if (!schema) return []
  if (schema[addressMark]) return [[]]
  if (schema.items) return addressFields(schema.items).map((path) => [items, ...path])
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    addressFields(field).map((path) => [name, ...path]),
  )
}

type Fields = Readonly<Record<string, unknown>>

function hasAddress(value: unknown, path: FieldPath, at = 0): boolean {
  if (at === path.length) return typeof value === 'string' && isAddress(value)
  if (typeof value !== 'object' || value === null) return false
  const step = path[at] ?? ''
  if (step !== items) return hasAddress((value as Fields)[step], path, at + 1)
  return Array.isArray(value) && value.some((item) => hasAddress(item, path, at + 1))
}

function hashed(value: unknown, hash: HashAddress, path: FieldPath): unknown {
  const [step, ...rest] = path
  if (step === undefined) return typeof value === 'string' ? hash(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (step === items) return Array.isArray(value) ? value.map((item) => hashed(item, hash, rest)) : value
  return step in value ? { ...value, [step]: hashed((value as Fields)[step], hash, rest) } : value
}

/** The request with hashes in place of addresses; undefined when it has none, which costs no promise. */
export function hashAddresses(
  { addressFields: fields }: Route,
  request: Request,
  { identities }: Pick<Services, 'identities'>,
): Promise<Request> | undefined {
  const { body, caller } = request
  if (!caller || !fields.some((path) => hasAddress(body, path))) return undefined
  return identities.hasher(caller.realm).then((hash) => ({
    ...request,
    body: fields.reduce((said, path) => hashed(said, hash, path), body),
  }))
}

export const addressInUrl =
  'An e-mail address must not be in a URL, as URLs are logged. Send it in a body, or use the identity ' +
  'email:<hash>, as the list of the member’s identities has it.'

/** The error for an invalid part of a URL. */
export const invalidInUrl = (schema: object | undefined, sent: string | undefined): string =>
  sent !== undefined && looksLikeAddress(sent) ? addressInUrl : expected(schema, sent)
