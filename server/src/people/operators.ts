import { type Actor, installation, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import {
  byHash,
  currentSecret,
  hashOf,
  type KeyRecord,
  type KeySecret,
  type ListItem,
  type ListQuery,
  later,
  listedOf,
  liveCap,
  numberOf,
  pageOf,
  SecretCheck,
  tokenForm,
} from '../keys/index.ts'
import {
  countLive,
  type FoundRow,
  findTokens,
  insertToken,
  keepUse,
  listChanged,
  listEnded,
  listLive,
  listMadeBy,
  readToken,
  revokeToken,
} from './operatorStore.ts'

/** The caller of an operator route, as named in the audit log. */
export type Operator = {
  readonly name: string
  readonly person?: number
  /** The person who issued it, or issued the token that did; only for tokens. */
  readonly behind?: number | undefined
}

/** The holder of the configured operator token. */
export const root: Operator = { name: 'operator' }

export type OperatorCheck = {
  check(text: string, unknown?: () => Promise<void>): Operator | undefined | Promise<Operator | undefined>
}

function foundOf(row: FoundRow): KeyRecord<Operator> {
  const behind = row.made_by_person ?? undefined
  const holder = { name: `operator token ${row.number} (${row.name})`, behind }
  return { holder, id: String(row.number), changedAt: row.changed_at, expiresAt: row.expires_at }
}

export function checkOperators(db: Queryable, secrets: readonly KeySecret[]): SecretCheck<Operator> {
  return new SecretCheck<Operator>(
    {
      fits: (text) => tokenForm.fits(text),
      find: byHash((hashes) => findTokens(db, hashes), foundOf),
      changed: async ({ withinMs, limit }) =>
        new Map((await listChanged(db, withinMs, limit)).map((row) => [String(row.number), row.changed_at])),
      used: (ids) => keepUse(db, ids.map(Number)),
    },
    secrets,
  )
}

/** The operator tokens, besides the configured one. */
export class Operators {
  readonly #db: Database
  readonly #secrets: readonly KeySecret[]

  constructor(db: Database, secrets: readonly KeySecret[]) {
    this.#db = db
    this.#secrets = secrets
  }

  /** Creates a token. Its secret is returned here and can't be retrieved again. */
  issue(
    { name, expiresAt }: { readonly name: string; readonly expiresAt: Date | null },
    by: Actor,
  ): Promise<ListItem & { readonly token: string }> {
    later(expiresAt)
    const secret = currentSecret(this.#secrets)
    const token = tokenForm.make()
    const made = {
      secretId: secret.id,
      hash: hashOf(token, secret),
      name,
      expiresAt,
      madeBy: by.name,
      person: by.behind ?? null,
      ...tokenForm.shown(token),
    }
    return this.#db.transaction(async (tx) => {
      if ((await countLive(tx, liveCap)) >= liveCap) throw tooMany()
      const row = await insertToken(tx, made)
      const subject = `operator token ${row.number} (${name})`
      await record(tx, by, { realm: installation, action: 'token.issue', subject })
      return { ...listedOf(row), token }
    })
  }

  /** Active tokens, or ended ones, in pages. */
  async list(asked: ListQuery): Promise<ListItem[]> {
    const rows = await pageOf(asked, {
      live: (page) => listLive(this.#db, page),
      ended: (page) => listEnded(this.#db, page),
    })
    return rows.map(listedOf)
  }

  /** Also one that was revoked. */
  async get(id: string): Promise<ListItem> {
    const number = numberOf(id)
    const row = number === undefined ? undefined : await readToken(this.#db, number)
    if (!row) throw notFound(id)
    return listedOf(row)
  }

  revoke(id: string, by: Actor): Promise<ListItem> {
    return this.#db.transaction(async (tx) => {
      const number = numberOf(id)
      const row = number === undefined ? undefined : await revokeToken(tx, number)
      if (!row) throw notFound(id)
      await record(tx, by, { realm: installation, action: 'token.revoke', subject: `operator token ${id}` })
      return listedOf(row)
    })
  }
}

/** The active tokens that a person issued, directly or through their tokens. */
export async function tokensMadeBy(tx: Queryable, person: number): Promise<ListItem[]> {
  return (await listMadeBy(tx, person)).map(listedOf)
}

const notFound = (id: string) =>
  refuse('token_not_found', `There is no operator token ${id}, or it was revoked.`)

const tooMany = () =>
  refuse('key_limit', `There are ${liveCap} operator tokens that still work. Revoke one that is not used.`, {
    limit: liveCap,
  })
