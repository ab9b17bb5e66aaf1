import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import { isNamed, splitIdentity } from '../members/identities/index.ts'
import { memberNotFound } from '../members/index.ts'
import { findAccount, type Party, readParty } from './store.ts'

/** What the caller allows: `unclaimed` only a member that was credited before it joined. */
export type Consent = {
  /** Two members that both joined. */
  readonly force: boolean
  /** Whether the key has the scope `realm:admin`. */
  readonly isAdmin: boolean
  /** For linking an identity: whose it is must be unclaimed. */
  readonly onlyUnclaimed?: boolean
}

/** As generated for a credit to an identity that no member had. */
const drawnFrom = 2n ** 62n

/**
 * Created by a first credit to an identity: it has that one identity, no wallet and no profile. `PUT member`,
 * a wallet or a second identity claims it.
 */
export const isUnclaimed = ({ id, profiled, identities, wallets }: Party): boolean =>
  BigInt(id) >= drawnFrom && !profiled && identities.length === 1 && wallets.length === 0

type Two = { readonly from: Party; readonly to: Party; readonly name: string }

export function assertMayMerge({ from, to, name }: Two, consent: Consent): void {
  const { force, isAdmin, onlyUnclaimed = false } = consent
  if (onlyUnclaimed && !isUnclaimed(from))
    throw refuse('already_exists', `The identity ${name} belongs to member ${from.id}.`)
  const areClaimed = !isUnclaimed(from) && !isUnclaimed(to)
  if (areClaimed && !force)
    throw refuse(
      'member_claimed',
      `Members ${from.id} and ${to.id} have both joined. Send "force": true with a key that has realm:admin.`,
    )
  if (areClaimed && !isAdmin)
    throw refuse('insufficient_scope', 'Merging two members that have both joined needs realm:admin.')
  if ((from.frozen || to.frozen) && !isAdmin)
    throw refuse('insufficient_scope', 'Merging a frozen member needs realm:admin.')
}

const namedOf = (name: string) =>
  isNamed(name) ? { id: null, ...splitIdentity(name) } : { id: name, provider: 'id', subject: name }

/** A member by its id, an old id or an identity. */
export async function findParty(db: Queryable, realm: number, name: string): Promise<Party> {
  const account = await findAccount(db, realm, namedOf(name))
  const party = account === undefined ? undefined : await readParty(db, realm, account)
  if (!party) throw memberNotFound(name)
  return party
}

/** Whether a numeric id is an old one. */
export async function isAlias(db: Queryable, realm: number, name: string): Promise<boolean> {
  if (isNamed(name)) return false
  const named = { id: null, provider: 'id', subject: name }
  return (await findAccount(db, realm, named)) !== undefined
}
