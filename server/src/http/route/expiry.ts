import { invalid } from '../../errors.ts'
import { orNull, Type, time } from './schemas.ts'

/** Ten years. To last longer, omit the expiry. */
const longestSeconds = 10 * 366 * 24 * 60 * 60

/** A lifetime or an expiry time; only one of the two. */
export const expiryFields = {
  expiresAt: orNull(time),
  expiresIn: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: longestSeconds,
      description: `Seconds from now, from 1 to ${longestSeconds}. Send this or expiresAt.`,
    }),
  ),
}

type Expiring = { readonly expiresAt?: unknown; readonly expiresIn?: unknown }

export function refuseBoth({ expiresAt, expiresIn }: Expiring): void {
  if (expiresAt !== undefined && expiresIn !== undefined)
    throw invalid('/expiresIn', 'Send expiresIn or expiresAt, not both.')
}

type Expiry = { readonly expiresAt?: string | undefined; readonly expiresIn?: number | undefined }

/** Undefined when neither is given. */
export function expiryOf(body: Expiry): Date | undefined {
  refuseBoth(body)
  if (body.expiresIn !== undefined) return new Date(Date.now() + body.expiresIn * 1000)
  return body.expiresAt === undefined ? undefined : new Date(body.expiresAt)
}
