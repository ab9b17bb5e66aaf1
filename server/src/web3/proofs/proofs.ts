import { randomBytes } from 'node:crypto'
import type { Actor } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import type { Writable } from '../../db/session.ts'
import { invalid } from '../../errors.ts'
import type { Members } from '../../members/index.ts'
import type { Configs } from '../../realms/index.ts'
import { linkProved, parseAddress } from '../../wallets/index.ts'
import type { Chains } from '../chains/index.ts'
import { type ChallengeRow, insertChallenge, sweep, takeChallenge } from './store.ts'
import { challengeChain, differenceOf, nonceIn, textOf } from './text.ts'
import { proofRefused, provedChain } from './verify.ts'

export { forgetLinksMadeBy, forgetProofs, listLinkRealms } from './store.ts'

const challengeSeconds = 5 * 60
/** Per member at a time; the oldest is dropped. */
const openChallenges = 20

export type ProofsOptions = {
  readonly db: Database
  readonly configs: Configs
  readonly members: Members
  readonly chains: Chains
  /** The public URL of this server. */
  readonly publicUrl: string
}

export type ChallengeRequest = {
  readonly realm: number
  readonly member: string
  readonly address: string
  readonly chain?: string | undefined
}

/** A message to be signed. */
export type Challenge = {
  readonly address: string
  readonly chain: string
  readonly message: string
  readonly expiresAt: Date
}

export type Proof = {
  readonly realm: number
  readonly member: string
  readonly address: string
  readonly message: string
  readonly signature: string
}

/** Wallets that are linked because their owner signed a message. */
export class Proofs {
  readonly #options: ProofsOptions

  constructor(options: ProofsOptions) {
    this.#options = options
  }

  /** Issues a message for the wallet's owner to sign, once and within five minutes. */
  async challenge({ realm, member, ...wanted }: ChallengeRequest): Promise<Challenge> {
    const { db, members, publicUrl } = this.#options
    const parsed = parseAddress(wanted.address, wanted.chain)
    const chain = parsed && challengeChain(parsed.chain)
    if (!parsed) throw invalid('/address', 'Not an address of an EVM chain or of Solana.')
    if (!chain)
      throw invalid('/chain', 'Wallets can be proved on EVM chains (eip155:1) and on Solana (solana).')
    const account = await members.accountOf(realm, member)
    const made = { realm, nonce: randomBytes(16).toString('hex'), account, address: parsed.shown, chain }
    const life = await writeTransaction(db, [realm], async (tx) => {
      await sweep(tx, { realm, account, keep: openChallenges - 1 })
      return insertChallenge(tx, made, challengeSeconds)
    })
    const realmId = await this.#realmId(realm)
    const message = textOf({ ...made, ...life, realmId, member }, publicUrl)
    return { address: parsed.shown, chain, message, expiresAt: life.expiresAt }
  }

  /**
   * Links the wallet of an issued message that comes back signed. The challenge is used up before the
   * signature is checked, so it can't be tried twice, nor concurrently. `also` runs in the same transaction.
   */
  async prove(proof: Proof, by: Actor, also?: (tx: Writable) => Promise<void>): Promise<void> {
    const { db, members, chains } = this.#options
    const { realm, member, message: text, signature } = proof
    const { address, chain } = await this.#taken(proof)
    const proved = await provedChain(chains, { address, chain, text, signature })
    await writeTransaction(db, [realm], async (tx) => {
      const account = await members.accountIn(tx, realm, member)
      await also?.(tx)
      await linkProved(tx, { realm, member, account, address, chain: proved }, by)
    })
  }

  /** The challenge that matches the message to the byte, for this member and wallet, in time. */
  async #taken(proof: Proof): Promise<ChallengeRow> {
    const { db, members, publicUrl } = this.#options
    const { realm, member, message } = proof
    const account = await members.accountOf(realm, member)
    const nonce = nonceIn(message)
    if (nonce === undefined)
      throw proofRefused('This message was not issued here: it has no nonce. Request a challenge.')
    const taken = await takeChallenge(db.writing([realm]), realm, nonce)
    if (!taken) throw proofRefused('This challenge does not exist, or was used before. Request a new one.')
    if (taken.account !== account) throw proofRefused('This challenge was issued for another member.')
    const challenge = { ...taken, nonce, member, issuedAt: taken.issued_at, expiresAt: taken.expires_at }
    const due = textOf({ ...challenge, realmId: await this.#realmId(realm) }, publicUrl)
    const difference = differenceOf(message, due)
    if (difference !== undefined)
      throw proofRefused(`The message is not the one that was issued: ${difference} differs.`)
    if (parseAddress(proof.address)?.shown !== taken.address)
      throw proofRefused('This challenge was issued for another wallet.')
    if (!taken.live) throw proofRefused('The challenge has expired. Request a new one.')
    return taken
  }

  async #realmId(realm: number): Promise<string> {
    return (await this.#options.configs.latest(this.#options.db.within([realm]), realm)).id
  }
}
