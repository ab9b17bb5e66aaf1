import type { Directory } from '../cells/index.ts'
import { bindPresent, type Transactions } from '../db/rowSecurity.ts'
import type { Queryable } from '../db/session.ts'
import { type CallerLimits, settingOf } from '../limits/index.ts'
import type { KeyBounds } from './bounds.ts'
import { byHash, type KeyRecord, SecretCheck } from './check.ts'
import { movesOrNone } from './moves.ts'
import { type Scope, scopesOf } from './scopes.ts'
import { type FoundRow, findKeys, keepUse, listChanged } from './store.ts'
import { type KeySecret, keyForm } from './text.ts'

/** The caller: the key's realm, its number there, and its scopes. */
export type Caller = {
  readonly realm: number
  readonly realmId: string
  readonly key: number
  /** For the audit log. */
  readonly name: string
  /** The person, where one signed in for it. */
  readonly person?: number
  /** The person who issued it, or issued the key that did; only for keys. */
  readonly behind?: number | undefined
  /** Expiry and limits, for keys; people have no such bounds. */
  readonly bounds?: KeyBounds
  readonly scopes: ReadonlySet<Scope>
  /** Its rate limits. */
  readonly limits: CallerLimits
}

/** The caller that a key authenticates; undefined for an invalid key. */
export type KeyCheck = {
  /** Waits for `unknown` before the database is queried for a key that this process does not know. */
  check(text: string, unknown?: () => Promise<void>): Caller | undefined | Promise<Caller | undefined>
}

const idOf = ({ realm, number }: { realm: number; number: number }) => `${realm}:${number}`

function foundOf(row: FoundRow): KeyRecord<Caller> {
  const { realm, realm_id: realmId, number: key, expires_at: expiresAt } = row
  const name = `key ${key} (${row.name})`
  const limits = {
    realm: settingOf({ rate: row.realm_rate, burst: row.realm_burst }),
    key: settingOf(row),
    readAtMs: performance.now(),
  }
  const bounds = { expiresAt, rateLimit: limits.key, moves: movesOrNone(row) }
  const behind = row.made_by_person ?? undefined
  const holder = { realm, realmId, key, name, behind, bounds, scopes: scopesOf(row.scopes), limits }
  return { holder, id: idOf(row), changedAt: row.changed_at, expiresAt }
}

/** Keys whose use is stored in one transaction, which has a lock for each of their realms. */
const keptAtOnce = 200

async function storeUse(db: Transactions, ids: readonly string[]): Promise<void> {
  const keys = ids
    .map((id) => id.split(':').map(Number))
    .map(([realm = 0, number = 0]) => ({ realm, number }))
  await db.transaction(async (unbound) => {
    const { tx, realms } = await bindPresent(
      unbound,
      keys.map(({ realm }) => realm),
    )
    const here = new Set(realms)
    await keepUse(
      tx,
      keys.filter(({ realm }) => here.has(realm)),
    )
  })
}

export function checkKeys(
  db: Queryable & Transactions,
  secrets: readonly KeySecret[],
  directory?: Directory,
): SecretCheck<Caller> {
  return new SecretCheck<Caller>(
    {
      fits: (text) => keyForm.fits(text),
      find: byHash((hashes) => findKeys(db, hashes), foundOf),
      ...(directory ? { elsewhere: (hashes) => directory.keyPlace(hashes) } : {}),
      changed: async ({ withinMs, limit }) =>
        new Map((await listChanged(db, withinMs, limit)).map((row) => [idOf(row), row.changed_at] as const)),
      used: async (ids) => {
        for (let from = 0; from < ids.length; from += keptAtOnce)
          await storeUse(db, ids.slice(from, from + keptAtOnce))
      },
    },
    secrets,
  )
}
