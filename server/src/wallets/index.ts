import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import { writeTransaction } from '../db/rowSecurity.ts'
import type { Writable } from '../db/session.ts'
import { invalid, refuse } from '../errors.ts'
import { isOldId } from '../members/identities/index.ts'
import { type Members, memberNotFound } from '../members/index.ts'
import { addNotices, type Notice } from '../notices/index.ts'
import type { Configs } from '../realms/index.ts'
import { matchForm, parseAddress } from './address.ts'
import {
  type ActRow,
  deleteWallet,
  deleteWallets,
  findOwners,
  insertAct,
  insertActs,
  insertProved,
  insertWallet,
  insertWallets,
  type LinkRow,
  listActs,
  listWallets,
  readWallets,
  type UnlinkedWallet,
  type WalletPage,
  type WalletRow,
} from './store.ts'

export { base58Bytes, parseAddress } from './address.ts'
export type { ActRow, LinkRow } from './store.ts'

export type Wallet = {
  readonly address: string
  readonly chain: string
  readonly verified: boolean
  readonly verifiedAt: Date | null
  readonly linkedAt: Date
}

/** A wallet with its position in the list: when it was linked, in microseconds. */
export type PagedWallet = { readonly wallet: Wallet; readonly linkedUs: number }

/** Empty for the empty row of a member without wallets. */
function walletOf({ address, chain, linked_at: linkedAt, verified_at: verifiedAt }: WalletRow): Wallet[] {
  if (address === null || chain === null || linkedAt === null) return []
  return [{ address, chain, linkedAt, verifiedAt, verified: verifiedAt !== null }]
}

export type Link = {
  readonly realm: number
  readonly member: string
  readonly address: string
  readonly chain?: string | undefined
}

/** Per member in one answer. */
const actsListed = 100

export type WalletProof = {
  readonly realm: number
  readonly member: string
  readonly account: number
  readonly address: string
  readonly chain: string
}

/**
 * Links a wallet that its owner has proved, in the current transaction. A member who linked it without proof
 * loses it, a member who proved it does not.
 */
export async function linkProved(tx: Writable, proved: WalletProof, by: Actor): Promise<void> {
  const { realm, member, account, address, chain } = proved
  const kept = await insertProved(tx, { realm, account, match: matchOf(address), address, chain })
  if (!kept) {
    throw refuse('already_exists', `Wallet ${address} belongs to another member, who has proved it.`)
  }
  const act = { realm, address, chain }
  // Recorded under the other's account, which erasing this member does not reach: so without its id.
  const actor = by.name === `member ${member}` ? 'another member' : by.name
  const lost = kept.before !== null && kept.before !== account ? [kept.before] : []
  for (const other of lost) await insertAct(tx, { ...act, account: other, act: 'taken', actor })
  await insertAct(tx, { ...act, account, act: 'proved', actor: by.name })
  await record(tx, by, { realm, action: 'wallet.prove', subject: `${address} to member ${member}` })
  await addNotices(tx, realm, [
    ...lost.map((other) => unlinkedNotice(other, { address, chain })),
    { type: 'wallet.linked', account, data: { address, chain, verified: true } },
  ])
}

const unlinkedNotice = (account: number, { address, chain }: UnlinkedWallet): Notice => ({
  type: 'wallet.unlinked',
  account,
  data: { address, chain },
})

const walletNotFound = (member: string, address: string) =>
  refuse('wallet_not_found', `Member ${member} has no wallet ${address}.`)

const matchOf = (address: string): string => matchForm(address) ?? address

/** Unlinks all wallets of an account, in the transaction that removes its member. */
export const unlinkAll = deleteWallets

export type WalletsOptions = { readonly db: Database; readonly configs: Configs; readonly members: Members }

/** The wallets of a realm's members. */
export class Wallets {
  readonly #db: Database
  readonly #configs: Configs
  readonly #members: Members

  constructor({ db, configs, members }: WalletsOptions) {
    this.#db = db
    this.#configs = configs
    this.#members = members
  }

  /** The owner of each wallet, in the given order; null for a wallet that is not linked. */
  async ownersOf(realm: number, wallets: readonly string[]): Promise<readonly (string | null)[]> {
    const matches = wallets.map(matchForm)
    if (matches.every((match) => match === undefined)) return matches.map(() => null)
    return findOwners(this.#db.within([realm]), realm, matches)
  }

  /** A member's wallets. In an open realm every id is a member; an unknown one has no wallets. */
  async of(realm: number, member: string): Promise<Wallet[]> {
    const rows = await readWallets(this.#db.within([realm]), realm, member)
    if (rows.length === 0) await this.#assertOpen(realm, member)
    return rows.flatMap(walletOf)
  }

  /** The same, those after a given wallet. */
  async page(realm: number, asked: WalletPage): Promise<PagedWallet[]> {
    const rows = await listWallets(this.#db.within([realm]), realm, asked)
    if (rows.length === 0) await this.#assertOpen(realm, asked.member)
    return rows.flatMap((row) => walletOf(row).map((wallet) => ({ wallet, linkedUs: Number(row.linked_us) })))
  }

  /** One of a member's wallets; the case of an EVM address does not matter. */
  async get({ realm, member, address }: Link): Promise<Wallet> {
    const match = matchOf(address)
    const found = (await this.of(realm, member)).find((one) => matchOf(one.address) === match)
    if (!found) throw walletNotFound(member, address)
    return found
  }

  /** Who linked and unlinked a member's wallets, and when; newest first. */
  acts(realm: number, member: string): Promise<ActRow[]> {
    return listActs(this.#db.within([realm]), realm, { member, limit: actsListed })
  }

  /**
   * Links a wallet without proof; returns whether it was not linked yet. Repeating it for the same member
   * changes nothing.
   */
  async link(link: Link, by: Actor): Promise<boolean> {
    const address = parseAddress(link.address, link.chain)
    if (!address) {
      throw invalid(
        '/address',
        'Not an address of this chain. For chains other than EVM and Solana, name the chain.',
      )
    }
    const { realm, member } = link
    const { match, shown, chain } = address
    return writeTransaction(this.#db, [realm], async (tx) => {
      const account = await this.#members.accountIn(tx, realm, member)
      const kept = await insertWallet(tx, { realm, account, match, address: shown, chain })
      if (!kept) {
        throw refuse(
          'already_exists',
          `Wallet ${shown} is linked to another member of the realm. Unlink it there first.`,
        )
      }
      if (kept.made)
        await insertAct(tx, { realm, account, act: 'linked', address: shown, chain, actor: by.name })
      await record(tx, by, { realm, action: 'wallet.link', subject: `${shown} to member ${member}` })
      const data = { address: shown, chain, verified: false }
      if (kept.made) await addNotices(tx, realm, [{ type: 'wallet.linked', account, data }])
      return kept.made
    })
  }

  /** Links wallets that are not linked yet, all or none. The import that does has one notice for all. */
  async linkMany(realm: number, links: readonly LinkRow[], by: Actor): Promise<void> {
    await writeTransaction(this.#db, [realm], async (tx) => {
      if ((await insertWallets(tx, realm, links)) !== links.length) {
        throw refuse(
          'already_exists',
          'Some of these wallets were linked just now; nothing was linked. Try again.',
        )
      }
      await insertActs(tx, { realm, actor: by.name }, links)
      await record(tx, by, { realm, action: 'wallet.link', subject: `${links.length} wallets` })
    })
  }

  async unlink({ realm, member, address }: Link, by: Actor): Promise<void> {
    const account = await this.#members.accountOf(realm, member)
    const match = matchForm(address)
    await writeTransaction(this.#db, [realm], async (tx) => {
      const unlinked = match === undefined ? undefined : await deleteWallet(tx, { realm, match, account })
      if (!unlinked) throw walletNotFound(member, address)
      await insertAct(tx, { realm, account, act: 'unlinked', ...unlinked, actor: by.name })
      await record(tx, by, { realm, action: 'wallet.unlink', subject: `${address} of member ${member}` })
      await addNotices(tx, realm, [unlinkedNotice(account, unlinked)])
    })
  }

  /** In an open realm every id is a member's, but for the old ids of merged ones. */
  async #assertOpen(realm: number, member: string): Promise<void> {
    const own = this.#db.within([realm])
    const { unknownMembers, hasMerges } = await this.#configs.latest(own, realm)
    if (unknownMembers !== 'create' || (hasMerges && (await isOldId(own, realm, member))))
      throw memberNotFound(member)
  }
}
