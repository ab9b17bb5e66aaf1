import type { Queryable } from '../db/session.ts'
import { type Caller, type KeySecret, SecretCheck, sessionKeyForm } from '../keys/keys.ts'
import { settingOf } from '../limits/limits.ts'
import type { Operator } from '../operators/operators.ts'
import { personName } from './person.ts'
import { scopesFor, standingOf } from './roles.ts'
import { findSessionKey, findSessionToken, listChanged } from './sessionStore.ts'

/** Last use is kept of the session, not of each of its keys. */
const common = (db: Queryable) => ({
  fits: (text: string) => sessionKeyForm.fits(text),
  changed: () => listChanged(db),
  used: async () => {},
})

/** The keys that people get for a realm. The same check as for keys, so that an end holds as soon. */
export function checkSessionKeys(db: Queryable, secrets: readonly KeySecret[]): SecretCheck<Caller> {
  return new SecretCheck<Caller>(
    {
      ...common(db),
      async find(hashes) {
        const row = await findSessionKey(db, hashes)
        const standing = row && standingOf(row.role, row.operator)
        if (!row || !standing) return undefined
        const { realm, realm_id: realmId, key, person } = row
        const limits = { realm: settingOf(row), key: 'default' as const, readAtMs: performance.now() }
        const scopes = new Set(scopesFor[standing])
        const holder = { realm, realmId, key, name: personName(person), person, scopes, limits }
        return { holder, id: String(row.number), changedAt: row.changed_at, expiresAt: row.expires_at }
      },
    },
    secrets,
  )
}

/** The tokens that operators get. */
export function checkSessionTokens(db: Queryable, secrets: readonly KeySecret[]): SecretCheck<Operator> {
  return new SecretCheck<Operator>(
    {
      ...common(db),
      async find(hashes) {
        const row = await findSessionToken(db, hashes)
        if (!row) return undefined
        const holder = { name: personName(row.person), person: row.person }
        return { holder, id: String(row.number), changedAt: row.changed_at, expiresAt: row.expires_at }
      },
    },
    secrets,
  )
}
