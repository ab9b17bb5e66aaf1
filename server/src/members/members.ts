import { type Actor, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import type { Configs } from '../realms/realms.ts'
import { type Member, MemberReader, memberNotFound } from './reader.ts'
import {
  findAccounts,
  insertMembers,
  lockHead,
  type NewMember,
  raiseNextAccount,
  renameMembers,
} from './store.ts'

export { type Member, memberNotFound } from './reader.ts'
export type { NewMember } from './store.ts'

const largestId = 9_223_372_036_854_775_807n
const shortOfLargest = String(largestId).length - 1

/** Decimal digits from 1 to 2^63 - 1, without sign or leading zero. */
export function isMemberId(text: string): boolean {
  if (!/^[1-9][0-9]{0,18}$/.test(text)) return false
  return text.length <= shortOfLargest || BigInt(text) <= largestId
}

/** A realm's members. */
export class Members {
  readonly #db: Database
  readonly #reader: MemberReader

  constructor(db: Database, configs: Configs) {
    this.#db = db
    this.#reader = new MemberReader(db, configs)
  }

  get(realm: number, id: string): Promise<Member> {
    return this.#reader.get(realm, id)
  }

  /** Makes the members that are missing and renames those that are there. Returns how many were made. */
  put(realm: number, members: readonly NewMember[], by: Actor): Promise<number> {
    const once = [...new Map(members.map((member) => [member.id, member])).values()]
    return this.#db.transaction(async (tx) => {
      const next = await lockHead(tx, realm)
      const ids = once.map((member) => member.id)
      const known = await findAccounts(tx, realm, ids)
      const missing = once.filter((member) => !known.has(member.id))
      if (missing.length > 0) {
        const numbered = missing.map((member, index) => ({ ...member, account: next + index }))
        await insertMembers(tx, realm, numbered)
        await raiseNextAccount(tx, realm, next + missing.length)
      }
      const renamed = once.filter((member) => known.has(member.id))
      if (renamed.length > 0) await renameMembers(tx, realm, renamed)
      const [only] = once
      const subject = once.length === 1 && only ? `member ${only.id}` : `${once.length} members`
      await record(tx, by, { realm, action: 'member.put', subject })
      return missing.length
    })
  }

  async accountOf(realm: number, id: string): Promise<number> {
    const account = (await findAccounts(this.#db, realm, [id])).get(id)
    if (account === undefined) throw memberNotFound(id)
    return account
  }
}
