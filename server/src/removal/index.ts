import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import { bind } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { erasePiece, eraseRefusals, untouched, type Whose } from '../ledger/index.ts'
import { emptyAccount, removeMember } from '../members/index.ts'
import { underHeadLock } from '../realms/index.ts'
import { forgetRequests } from '../requests/index.ts'
import { unlinkAll } from '../wallets/index.ts'
import { forgetProofs } from '../web3/proofs/index.ts'
import { forgetSnapshots } from '../web3/snapshots/index.ts'

type OfMember = { readonly realm: number; readonly id: string }
/** What is looked at before a member leaves; it throws where the member may not. */
export type Before = (db: Queryable) => Promise<void>
const nothing: Before = async () => {}

/**
 * How members leave: what each noun keeps of them goes in one transaction. Under the head lock, as decisions
 * read members. An account number is never used again, so whoever comes back begins anew.
 */
export class MemberRemoval {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Removes a member and its wallets. Its entries stay, with what was written of them. */
  remove({ realm, id }: OfMember, by: Actor, before: Before = nothing): Promise<void> {
    return underHeadLock(this.#db, realm, async (tx) => {
      await before(tx)
      const account = await removeMember(tx, realm, id)
      await unlinkAll(tx, realm, account)
      await forgetProofs(tx, realm, account)
      await record(tx, by, { realm, action: 'member.remove', subject: `member ${id}` })
    })
  }

  /**
   * Removes a member and all that was written of it; returns of how many entries that was. What was written
   * goes first, by pieces, as long as the member is there to be found: if this ends half way, again goes on.
   */
  async erase({ realm, id }: OfMember, by: Actor, before: Before = nothing): Promise<number> {
    await before(this.#db.within([realm]))
    const account = await emptyAccount(this.#db.within([realm]), realm, id)
    const whose = { realm, account, id }
    let progress = untouched
    while (!progress.done) progress = await this.#piece(whose, progress)
    return underHeadLock(this.#db, realm, async (tx) => {
      const removed = { ...whose, account: await removeMember(tx, realm, id) }
      // What came since. Anew from the start if the id has joined again meanwhile, as another account.
      let rest = { ...(removed.account === account ? progress : untouched), done: false }
      while (!rest.done) rest = await erasePiece(tx, removed, rest)
      await eraseRefusals(tx, realm, id)
      await forgetRequests(tx, realm, id)
      await unlinkAll(tx, realm, removed.account)
      await forgetProofs(tx, realm, removed.account)
      await forgetSnapshots(tx, realm, removed.account)
      // Not by id: this is the one act that must not keep it.
      await record(tx, by, { realm, action: 'member.erase', subject: `account ${removed.account}` })
      return rest.erased
    })
  }

  #piece(whose: Whose, progress: typeof untouched) {
    return this.#db.transaction(async (tx) => {
      await bind(tx, [whose.realm])
      return erasePiece(tx, whose, progress)
    })
  }
}
