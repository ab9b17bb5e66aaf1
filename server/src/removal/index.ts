import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import { writeTransaction } from '../db/rowSecurity.ts'
import type { Queryable, Writable } from '../db/session.ts'
import { erasePiece, eraseRefusals, untouched, type Whose } from '../ledger/index.ts'
import { identityText, removeIdentities } from '../members/identities/index.ts'
import { emptyAccount, removeMember } from '../members/index.ts'
import { forgetMerges, mergedInto } from '../merges/index.ts'
import { addNotices, forgetNotices, goneMember } from '../notices/index.ts'
import { underHeadLock } from '../realms/index.ts'
import { forgetRequests } from '../requests/index.ts'
import { unlinkAll } from '../wallets/index.ts'
import { forgetProofs } from '../web3/proofs/index.ts'
import { forgetSnapshots } from '../web3/snapshots/index.ts'

type OfMember = { readonly realm: number; readonly id: string }
/** A check before a member is removed; it throws when the removal is not allowed. */
export type Before = (db: Queryable) => Promise<void>
const nothing: Before = async () => {}

/** Webhooks, which may have read or logged what is erased. */
export type Deliveries = {
  readonly takeLeases: (tx: Writable, realm: number) => Promise<void>
  readonly forgetAnswers: (db: Writable, realm: number) => Promise<void>
}

/**
 * Removes members: what each module stores about them is deleted in one transaction, under the head lock, as
 * decisions read members. An account number is never reused, so a member who joins again starts from zero.
 */
export class MemberRemoval {
  readonly #db: Database
  readonly #deliveries: Deliveries

  constructor(db: Database, deliveries: Deliveries) {
    this.#db = db
    this.#deliveries = deliveries
  }

  /** Removes a member, its wallets and identities. Its entries stay, with reason, reference and metadata. */
  remove({ realm, id }: OfMember, by: Actor, before: Before = nothing): Promise<void> {
    return underHeadLock(this.#db, realm, async (tx) => {
      await before(tx)
      const account = await removeMember(tx, realm, id)
      await unlinkAll(tx, realm, account)
      await removeIdentities(tx, realm, account)
      await forgetMerges(tx, realm, [account])
      await forgetProofs(tx, realm, account)
      await record(tx, by, { realm, action: 'member.remove', subject: `member ${id}` })
      await addNotices(tx, realm, [{ type: 'member.removed', account, data: goneMember(id) }])
    })
  }

  /**
   * Removes a member and the details of its entries; returns of how many entries. Details are erased first,
   * in pieces, while the member can still be found: an interrupted erasure continues when requested again.
   */
  async erase({ realm, id }: OfMember, by: Actor, before: Before = nothing): Promise<number> {
    await before(this.#db.within([realm]))
    const account = await emptyAccount(this.#db.within([realm]), realm, id)
    const whose = { realm, account, id }
    let progress = untouched
    while (!progress.done) progress = await this.#piece(whose, progress)
    let others = 0
    for (const one of await mergedInto(this.#db.within([realm]), realm, account)) {
      let theirs = untouched
      while (!theirs.done) theirs = await this.#piece({ realm, ...one }, theirs)
      others += theirs.erased
    }
    // Most of them, before the lock is held.
    await this.#deliveries.forgetAnswers(this.#db.writing([realm]), realm)
    return underHeadLock(this.#db, realm, async (tx) => {
      const removed = { ...whose, account: await removeMember(tx, realm, id) }
      // What was added since. Starts over if the id has joined again meanwhile, with another account.
      let rest = { ...(removed.account === account ? progress : untouched), done: false }
      while (!rest.done) rest = await erasePiece(tx, removed, rest)
      const merged = await mergedInto(tx, realm, removed.account)
      const identities = (await removeIdentities(tx, realm, removed.account)).map(identityText)
      for (const one of [removed, ...merged]) {
        others += one === removed ? 0 : await eraseRest(tx, { realm, ...one })
        await eraseRefusals(tx, realm, { id: one.id, identities })
        await forgetRequests(tx, realm, one.id)
        await unlinkAll(tx, realm, one.account)
        await forgetProofs(tx, realm, one.account)
        await forgetSnapshots(tx, realm, one.account)
      }
      await forgetMerges(tx, realm, [removed.account])
      // In this order: a delivery that is logged later was made with what is read from here on.
      await this.#deliveries.takeLeases(tx, realm)
      await this.#deliveries.forgetAnswers(tx, realm)
      // Not by id: this is the only act that must not record it.
      await record(tx, by, { realm, action: 'member.erase', subject: `account ${removed.account}` })
      for (const one of [removed, ...merged]) await forgetNotices(tx, realm, one)
      // The only notice that still has the id, for receivers to erase their copies.
      await addNotices(tx, realm, [{ type: 'member.erased', data: goneMember(id) }])
      return rest.erased + others
    })
  }

  #piece(whose: Whose, progress: typeof untouched) {
    return writeTransaction(this.#db, [whose.realm], (tx) => erasePiece(tx, whose, progress))
  }
}

/** What was added since most of it was erased, of an account that was merged into the member. */
async function eraseRest(tx: Writable, whose: Whose): Promise<number> {
  let rest = untouched
  while (!rest.done) rest = await erasePiece(tx, whose, rest)
  return rest.erased
}
