import type { Queryable, Writable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import { memberNotFound } from './reader.ts'
import { deleteMember, findAccounts, hasPoints } from './store.ts'

/** The account of a member without points; rejects a member that has any, as they could never be spent. */
export async function emptyAccount(db: Queryable, realm: number, id: string): Promise<number> {
  const known = (await findAccounts(db, realm, [id])).get(id)
  if (known?.own !== id) throw memberNotFound(id)
  if (await hasPoints(db, realm, known.account)) {
    throw refuse(
      'member_has_points',
      `Member ${id} has spendable, held or pending points. Deduct, transfer, release or cancel them first.`,
    )
  }
  return known.account
}

/** Removes a member without points from the realm, under the head lock. Its entries stay. */
export async function removeMember(tx: Writable, realm: number, id: string): Promise<number> {
  const account = await emptyAccount(tx, realm, id)
  await deleteMember(tx, realm, account)
  return account
}
