import type { Directory } from '../cells/index.ts'
import type { Queryable } from '../db/session.ts'
import {
  byHash,
  type Caller,
  type ChangesQuery,
  KeyElsewhere,
  type KeyRecord,
  type KeySecret,
  SecretCheck,
  sessionKeyForm,
} from '../keys/index.ts'
import { settingOf } from '../limits/index.ts'
import type { Operator } from './operators.ts'
import { personName } from './person.ts'
import { scopesFor, standingOf } from './roles.ts'
import {
  type FoundKey,
  findSessionKeys,
  findSessionTokens,
  listChanged,
  readLimits,
  type SessionTokenRow,
} from './sessionStore.ts'

/** Last use is stored for the session, not for each of its keys. */
const common = (db: Queryable) => ({
  fits: (text: string) => sessionKeyForm.fits(text),
  changed: ({ withinMs, limit }: ChangesQuery) => listChanged(db, withinMs, limit),
  used: async () => {},
})

const lifeOf = (row: SessionTokenRow) => ({
  id: String(row.number),
  changedAt: row.changed_at,
  expiresAt: row.expires_at,
})

function callerOf(row: FoundKey): KeyRecord<Caller> | undefined {
  const standing = standingOf(row.role, row.operator)
  if (!standing) return undefined
  const { realm, realm_id: realmId, key, person } = row
  const limits = { realm: settingOf(row), key: 'default' as const, readAtMs: performance.now() }
  const scopes = new Set(scopesFor[standing])
  const holder = { realm, realmId, key, name: personName(person), person, scopes, limits }
  return { holder, ...lifeOf(row) }
}

type Places = Pick<Directory, 'cell' | 'isOwn'> & { readonly db: Queryable; readonly own: Queryable }

/** With the limits of realms as this cell has them. */
async function findWithLimits({ db, own, isOwn }: Places, hashes: readonly Buffer[]): Promise<FoundKey[]> {
  const rows = await findSessionKeys(db, hashes)
  if (isOwn || rows.length === 0) return rows
  const limits = await readLimits(own, [...new Set(rows.map(({ realm }) => realm))])
  const known = new Map(limits.map((limit) => [limit.realm, limit]))
  return rows.map((row) => ({ ...row, ...known.get(row.realm) }))
}

/**
 * The session keys of people for a realm. The same check as for keys, so that an end takes effect as fast.
 * One for a realm of another cell is refused as `wrong_cell`.
 */
export function checkSessionKeys(directory: Places, secrets: readonly KeySecret[]): SecretCheck<Caller> {
  const find = byHash(
    (hashes) => findWithLimits(directory, hashes),
    (row) => (row.cell === directory.cell ? callerOf(row) : new KeyElsewhere(row.realm_id)),
  )
  return new SecretCheck<Caller>({ ...common(directory.db), find }, secrets)
}

/** The session tokens of operators. */
export function checkSessionTokens(db: Queryable, secrets: readonly KeySecret[]): SecretCheck<Operator> {
  const operatorOf = (row: SessionTokenRow): KeyRecord<Operator> => ({
    holder: { name: personName(row.person), person: row.person },
    ...lifeOf(row),
  })
  const find = byHash((hashes) => findSessionTokens(db, hashes), operatorOf)
  return new SecretCheck<Operator>({ ...common(db), find }, secrets)
}
