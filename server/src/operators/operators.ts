import { type Actor, installation, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import { currentSecret, hashOf, type KeySecret, SecretCheck, tokenForm } from '../keys/keys.ts'
import {
  findToken,
  insertToken,
  keepUse,
  listChanged,
  listTokens,
  revokeToken,
  type TokenRow,
} from './store.ts'

/** Who is calling at the operator's door, in words for the audit log. */
export type Operator = { readonly name: string }

/** Whoever holds the token of the configuration. */
export const root: Operator = { name: 'operator' }

export type OperatorCheck = SecretCheck<Operator>

export function checkOperators(db: Queryable, secrets: readonly KeySecret[]): OperatorCheck {
  return new SecretCheck<Operator>(
    {
      fits: (text) => tokenForm.fits(text),
      async find(hashes) {
        const row = await findToken(db, hashes)
        if (!row) return undefined
        const holder = { name: `operator token ${row.number} (${row.name})` }
        return { holder, id: String(row.number), changedAt: row.changed_at, expiresAt: row.expires_at }
      },
      changed: async () =>
        new Map((await listChanged(db)).map((row) => [String(row.number), row.changed_at])),
      used: (ids) => keepUse(db, ids.map(Number)),
    },
    secrets,
  )
}

/** A token as it is listed: never its text. */
export type Token = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly lastUsedAt: Date | null
  readonly revokedAt: Date | null
}

function tokenOf(row: TokenRow): Token {
  return {
    id: String(row.number),
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}

/** The tokens that open the operator's door, beside that of the configuration. */
export class Operators {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]

  constructor(db: Database, secrets: readonly KeySecret[]) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Makes a token. Its text is returned here and can't be had again. */
  issue(
    { name, expiresAt }: { readonly name: string; readonly expiresAt: Date | null },
    by: Actor,
  ): Promise<Token & { readonly token: string }> {
    const secret = currentSecret(this.#secrets)
    const token = tokenForm.make()
    const made = {
      secretId: secret.id,
      hash: hashOf(token, secret),
      name,
      expiresAt,
      ...tokenForm.shown(token),
    }
    return this.#db.transaction(async (tx) => {
      const row = await insertToken(tx, made)
      const subject = `operator token ${row.number} (${name})`
      await record(tx, by, { realm: installation, action: 'token.issue', subject })
      return { ...tokenOf(row), token }
    })
  }

  async list(): Promise<Token[]> {
    return (await listTokens(this.#db)).map(tokenOf)
  }

  revoke(id: string, by: Actor): Promise<Token> {
    return this.#db.transaction(async (tx) => {
      const row = /^[1-9][0-9]{0,8}$/.test(id) ? await revokeToken(tx, Number(id)) : undefined
      if (!row) throw refuse('token_not_found', `There is no operator token ${id}.`)
      await record(tx, by, { realm: installation, action: 'token.revoke', subject: `operator token ${id}` })
      return tokenOf(row)
    })
  }
}
