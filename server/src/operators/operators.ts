import { type Actor, installation, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import {
  currentSecret,
  hashOf,
  type KeySecret,
  type Listed,
  later,
  listedOf,
  numberOf,
  SecretCheck,
  tokenForm,
} from '../keys/keys.ts'
import { findToken, insertToken, keepUse, listChanged, listTokens, revokeToken } from './store.ts'

/** Who is calling at the operator's door, in words for the audit log. */
export type Operator = { readonly name: string; readonly person?: number }

/** Whoever holds the token of the configuration. */
export const root: Operator = { name: 'operator' }

export type OperatorCheck = {
  check(text: string): Operator | undefined | Promise<Operator | undefined>
}

export function checkOperators(db: Queryable, secrets: readonly KeySecret[]): SecretCheck<Operator> {
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
  ): Promise<Listed & { readonly token: string }> {
    later(expiresAt)
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
      return { ...listedOf(row), token }
    })
  }

  async list(): Promise<Listed[]> {
    return (await listTokens(this.#db)).map(listedOf)
  }

  revoke(id: string, by: Actor): Promise<Listed> {
    return this.#db.transaction(async (tx) => {
      const number = numberOf(id)
      const row = number === undefined ? undefined : await revokeToken(tx, number)
      if (!row) throw refuse('token_not_found', `There is no operator token ${id}.`)
      await record(tx, by, { realm: installation, action: 'token.revoke', subject: `operator token ${id}` })
      return listedOf(row)
    })
  }
}
