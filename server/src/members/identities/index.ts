import { type Actor, record } from '../../audit/index.ts'
import { Coalescer } from '../../db/coalesce.ts'
import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import type { Queryable } from '../../db/session.ts'
import { type RefusalError, refuse } from '../../errors.ts'
import { underHeadLock } from '../../realms/index.ts'
import type { HashAddress } from './address.ts'
import { AddressKeys } from './addressKey.ts'
import { type Identity, splitIdentity } from './identity.ts'
import {
  countOf,
  findAccount,
  findIdentities,
  getIdentity,
  type IdentityRow,
  insertIdentities,
  listIdentities,
  lockHead,
  type Named,
  removeIdentity,
  updateIdentity,
} from './store.ts'

export { type HashAddress, isAddress, looksLikeAddress } from './address.ts'
export { AddressKeys } from './addressKey.ts'
export {
  drawMemberId,
  type Identity,
  identityText,
  isIdentity,
  isNamed,
  providerPattern,
  splitIdentity,
  subjectCap,
  subjectPattern,
} from './identity.ts'
export {
  type FoundMember,
  findIdentities,
  type IdentityRow,
  insertIdentities,
  isOldId,
  type Named,
  removeIdentities,
} from './store.ts'

/** Identities of one member: each is one more key in every process that caches it. */
export const identitiesCap = 16

/** Whose identity: the member by its numeric id, and the identity as sent. */
export type Whose = { readonly realm: number; readonly member: string; readonly identity: string }

/** Omitted stays as it is; an empty text removes it. */
export type IdentityDetails = {
  readonly name: string | undefined
  readonly pictureUrl: string | undefined
}

type Listing = { readonly after: Identity | undefined; readonly limit: number }

const memberNotFound = (id: string): RefusalError =>
  refuse('member_not_found', `The realm has no member ${id}.`)

const identityNotFound = ({ member, identity }: Whose): RefusalError =>
  refuse('identity_not_found', `Member ${member} does not have the identity ${identity}.`)

const accountIn = async (db: Queryable, realm: number, id: string): Promise<number> => {
  const account = await findAccount(db, realm, id)
  if (account === undefined) throw memberNotFound(id)
  return account
}

/** What other systems call a realm's members. */
export class Identities {
  readonly #db: Database
  readonly #finds: Coalescer<Named, string | null>
  readonly #keys: AddressKeys

  constructor(db: Database) {
    this.#db = db
    this.#keys = new AddressKeys(db)
    const ask = async (asked: readonly Named[]) => {
      const realms = [...new Set(asked.map(({ realm }) => realm))]
      const found = await findIdentities(db.within(realms), asked)
      return found.map((member) => member?.id ?? null)
    }
    this.#finds = new Coalescer(ask, { cap: 128, parallel: 2 })
  }

  /** Turns e-mail addresses of this realm's members into identities. */
  hasher(realm: number): Promise<HashAddress> {
    return this.#keys.hasher(realm)
  }

  /** The id of the member with this identity, as of now; one statement for all waiting look-ups. */
  async find(realm: number, name: string): Promise<string | undefined> {
    return (await this.#finds.get({ realm, name })) ?? undefined
  }

  async list(realm: number, member: string, listing: Listing): Promise<readonly IdentityRow[]> {
    const own = this.#db.within([realm])
    return listIdentities(own, realm, { account: await accountIn(own, realm, member), ...listing })
  }

  async get(whose: Whose): Promise<IdentityRow> {
    const { realm, member, identity } = whose
    const own = this.#db.within([realm])
    const account = await accountIn(own, realm, member)
    const found = await getIdentity(own, realm, { ...splitIdentity(identity), account })
    if (!found) throw identityNotFound(whose)
    return found
  }

  /**
   * Links an identity that no member has, or changes the details of the member's own. Returns whether it is
   * new. The configuration version stays: a process caches identities of members, and never that an identity
   * has none.
   */
  link(whose: Whose, details: IdentityDetails, by: Actor): Promise<boolean> {
    const { realm, member, identity } = whose
    return writeTransaction(this.#db, [realm], async (tx) => {
      await lockHead(tx, realm)
      const account = await accountIn(tx, realm, member)
      const [owner] = await findIdentities(tx, [{ realm, name: identity }])
      if (owner && owner.account !== account)
        throw refuse('already_exists', `The identity ${identity} belongs to member ${owner.id}.`)
      if (!owner) {
        if ((await countOf(tx, realm, account)) >= identitiesCap) throw tooMany(member)
        await insertIdentities(tx, [{ realm, name: identity, account }])
      }
      const split = splitIdentity(identity)
      await updateIdentity(tx, realm, { ...split, ...details })
      const action = owner ? 'identity.change' : 'identity.link'
      // Not the subject: the audit log keeps its rows when a member is erased.
      await record(tx, by, { realm, action, subject: `member ${member}, ${split.provider}` })
      return !owner
    })
  }

  /** The points stay with the member. Processes cache whose identity it was: they get a new version. */
  unlink(whose: Whose, by: Actor): Promise<void> {
    const { realm, member, identity } = whose
    return underHeadLock(this.#db, realm, async (tx) => {
      const split = splitIdentity(identity)
      const account = await accountIn(tx, realm, member)
      if (!(await removeIdentity(tx, realm, { ...split, account }))) throw identityNotFound(whose)
      const subject = `member ${member}, ${split.provider}`
      await record(tx, by, { realm, action: 'identity.unlink', subject })
    })
  }
}

const tooMany = (member: string): RefusalError =>
  refuse('identity_limit', `Member ${member} has ${identitiesCap} identities, which is the maximum.`, {
    limit: identitiesCap,
  })
