import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import { Cipher, type KeySecret } from '../../keys/index.ts'
import { listSealed, reseal, type SealedRow } from './sealedStore.ts'

/** The encryption of webhooks' secrets. */
export const cipherOf = (secrets: readonly KeySecret[]): Cipher => new Cipher(secrets, 'webhooks')

/** How a webhook is encrypted; without an id if no secret of KEY_SECRETS decrypts it. */
export type EncryptedWebhook = { readonly realm: number; readonly secretIds: readonly (string | undefined)[] }

const textsOf = ({ secret, old_secret: old }: SealedRow): readonly string[] =>
  old === null ? [secret] : [secret, old]

/** The secrets of KEY_SECRETS that the webhooks of these realms are encrypted with. */
export async function listEncryptedWebhooks(
  db: Database,
  secrets: readonly KeySecret[],
  realms: readonly number[],
): Promise<EncryptedWebhook[]> {
  const cipher = cipherOf(secrets)
  return (await listSealed(db.within(realms), realms)).map((row) => {
    return { realm: row.realm, secretIds: [...new Set(textsOf(row).map((text) => cipher.secretOf(text)))] }
  })
}

/** Encrypts with the first secret what another one encrypted; returns how many webhooks that were. */
export async function encryptWebhooksAgain(
  db: Database,
  secrets: readonly KeySecret[],
  realms: readonly number[],
): Promise<number> {
  const cipher = cipherOf(secrets)
  const isOld = (text: string) => ![undefined, secrets[0]?.id].includes(cipher.secretOf(text))
  const again = (text: string): string => {
    const open = isOld(text) ? cipher.decrypt(text) : undefined
    return open === undefined ? text : cipher.encrypt(open)
  }
  const rows = await listSealed(db.within(realms), realms)
  const due = rows.filter((row) => textsOf(row).some(isOld))
  for (const row of due) {
    const old = row.old_secret
    const fresh = { secret: again(row.secret), oldSecret: old === null ? null : again(old) }
    await writeTransaction(db, [row.realm], (tx) => reseal(tx, row, fresh))
  }
  return due.length
}
