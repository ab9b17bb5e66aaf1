import { ExchequerError, type Realm, type Scope } from '@exchequer/sdk'

/** Whether a request is let in; what else is wrong with it does not matter. */
async function isAllowed(send: () => Promise<unknown>): Promise<boolean> {
  try {
    await send()
    return true
  } catch (error) {
    if (!(error instanceof ExchequerError)) throw error
    if (error.code === 'insufficient_scope') return false
    if ([400, 404, 409, 412, 422].includes(error.status)) return true
    throw error
  }
}

/** The scopes of a key, of those that a tool needs, found by requests that change nothing. */
export async function scopesOf(realm: Realm): Promise<ReadonlySet<Scope>> {
  const requests: readonly (readonly [Scope, () => Promise<unknown>])[] = [
    ['members:read', () => realm.get()],
    ['journal:read', () => realm.head()],
    // Scopes are checked before the body: 0 is not a valid amount, and this is a dry run.
    ['points:write', () => realm.member('1').adjust(0, { dryRun: true })],
  ]
  const found = await Promise.all(
    requests.map(async ([scope, send]) => ((await isAllowed(send)) ? [scope] : [])),
  )
  return new Set(found.flat())
}
