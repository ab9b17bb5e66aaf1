import type { Queryable } from '../db/session.ts'
import { storedCheck } from './secretStore.ts'
import { hashOf, type KeySecret } from './text.ts'

/** Hashed with a secret to recognise it: no key looks like this. */
const checkedText = 'check value of a key secret'

/** What is wrong with KEY_SECRETS, and what to do; undefined when each secret matches its id. */
export async function findSecretMismatch(
  db: Queryable,
  secrets: readonly KeySecret[],
): Promise<string | undefined> {
  for (const secret of secrets) {
    const value = hashOf(checkedText, secret).toString('hex')
    if ((await storedCheck(db, secret.id, value)) === value) continue
    return (
      `KEY_SECRETS has another secret under the id ${secret.id} than the one that keys in this database ` +
      'were created with: those keys get 401 here, and keys created here get 401 elsewhere. Use the ' +
      'same KEY_SECRETS for the server and every command. A new secret needs a new id, as in k2:…'
    )
  }
  return undefined
}
