import { ExchequerError, type ListedRealm, type OperatedRealm, type Operator } from '@exchequer/sdk'

export const shownAtMost = 500

export const isRealmId = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text)

/** The first realms, up to the number listed. */
export async function firstRealms(operator: Operator): Promise<readonly ListedRealm[]> {
  const found: ListedRealm[] = []
  for await (const realm of operator.realms()) {
    found.push(realm)
    if (found.length >= shownAtMost) break
  }
  return found
}

/** A realm by its full ID, also beyond those listed; undefined when it does not exist. */
export async function realmBy(operator: Operator, id: string): Promise<OperatedRealm | undefined> {
  try {
    return await operator.realm(id).get()
  } catch (error) {
    if (error instanceof ExchequerError && error.status === 404) return undefined
    throw error
  }
}
