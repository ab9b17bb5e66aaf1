import { hash as digest, randomBytes } from 'node:crypto'
import { type Actor, record } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import { invalid, RefusalError, refuse } from '../../errors.ts'
import type { Members } from '../../members/index.ts'
import type { Configs, Realms } from '../../realms/index.ts'
import type { Challenge, Proofs } from './proofs.ts'
import { countChallenge, insertLink, type LinkRow, readLink, useLink } from './store.ts'

const linkSeconds = 15 * 60
/** Challenges that one link may request. */
const challengesOfLink = 20

export type PageLinksOptions = {
  readonly db: Database
  readonly configs: Configs
  readonly realms: Realms
  readonly members: Members
  readonly proofs: Proofs
  readonly publicUrl: string
}

export type MadeLink = { readonly url: string; readonly expiresAt: Date }

/** What the page shows. */
export type OpenedLink = {
  readonly realm: number
  readonly realmId: string
  readonly realmName: string
  readonly member: string
  readonly memberName: string | null
  readonly returnUrl: string | null
  readonly expiresAt: Date
}

const hashOf = (secret: string): Buffer => digest('sha256', secret, 'buffer')

/** `realm.secret`: its holder can link one wallet to one member, once and for 15 minutes. */
const tokenForm = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{43})$/

/** Links to the page where a member signs; the holder of a key creates them and sends them to the member. */
export class PageLinks {
  readonly #options: PageLinksOptions

  constructor(options: PageLinksOptions) {
    this.#options = options
  }

  async make(
    { realm, member, returnUrl }: { realm: number; member: string; returnUrl: string | undefined },
    by: Actor,
  ): Promise<MadeLink> {
    const { db, members, configs, publicUrl } = this.#options
    const returnTo = returnUrl === undefined ? null : returnAddress(returnUrl)
    const secret = randomBytes(32).toString('base64url')
    const expiresAt = await writeTransaction(db, [realm], async (tx) => {
      const account = await members.accountIn(tx, realm, member)
      const link = {
        realm,
        hash: hashOf(secret),
        account,
        returnUrl: returnTo,
        madeByPerson: by.behind ?? null,
      }
      await record(tx, by, { realm, action: 'wallet.invite', subject: `member ${member}` })
      return insertLink(tx, link, linkSeconds)
    })
    const { id } = await configs.latest(db.within([realm]), realm)
    return { url: `${publicUrl}/link/${id}.${secret}`, expiresAt }
  }

  async open(token: string): Promise<OpenedLink> {
    const { row, realm, realmId } = await this.#find(token)
    const { db, configs } = this.#options
    const { name } = await configs.latest(db.within([realm]), realm)
    return {
      realm,
      realmId,
      realmName: name,
      member: row.member,
      memberName: row.display_name ?? row.username,
      returnUrl: row.return_url,
      expiresAt: row.expires_at,
    }
  }

  async challenge(
    token: string,
    wanted: { address: string; chain?: string | undefined },
  ): Promise<Challenge> {
    const { row, realm, hash } = await this.#find(token)
    const { db, proofs, realms } = this.#options
    await realms.refuseSuspended(realm)
    if (!(await countChallenge(db.writing([realm]), { realm, hash, most: challengesOfLink }))) throw noLink()
    return proofs.challenge({ ...wanted, realm, member: row.member })
  }

  async prove(
    token: string,
    signed: { address: string; message: string; signature: string },
    by: Actor,
  ): Promise<OpenedLink> {
    const { row, realm, hash } = await this.#find(token)
    await this.#options.realms.refuseSuspended(realm)
    const opened = await this.open(token)
    const { member } = row
    await this.#options.proofs.prove(
      { ...signed, realm, member },
      { ...by, name: `member ${member}` },
      async (tx) => {
        if (!(await useLink(tx, realm, hash))) throw noLink()
      },
    )
    return opened
  }

  async #find(token: string): Promise<{
    readonly row: LinkRow
    readonly realm: number
    readonly realmId: string
    readonly hash: Buffer
  }> {
    const [, realmId, secret] = tokenForm.exec(token) ?? []
    if (realmId === undefined || secret === undefined) throw noLink()
    const { realms, db } = this.#options
    const realm = await realms.number(realmId).catch((error: unknown) => {
      throw error instanceof RefusalError && error.refusal.code === 'realm_not_found' ? noLink() : error
    })
    const hash = hashOf(secret)
    const row = await readLink(db.within([realm]), realm, hash)
    if (!row || row.used || !row.live) throw noLink()
    return { row, realm, realmId, hash }
  }
}

/** The same answer for every invalid link. */
const noLink = (): RefusalError =>
  refuse('link_not_found', 'This link was already used, has expired, or is not valid. Ask for a new one.')

/**
 * Normalized as a browser reads it. Never a scheme that a browser would execute, nor what PostgreSQL can't
 * store.
 */
function returnAddress(url: string): string {
  const parsed = url.includes('\0') || !url.isWellFormed() ? null : URL.parse(url)
  const isLocal = parsed?.protocol === 'http:' && parsed.hostname === 'localhost'
  if (parsed && (parsed.protocol === 'https:' || isLocal)) return parsed.href
  throw invalid('/returnUrl', 'Expected a URL that begins with https://')
}
