/** PostgreSQL's five-character error code, if the error came from PostgreSQL. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  const severity = (error as { severity?: unknown } | undefined)?.severity
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined
}

/** The constraint that rejected a row: violating a named rule is a refusal, not an internal error. */
export function brokenConstraint(error: unknown): string | undefined {
  const name = (error as { constraint?: unknown } | undefined)?.constraint
  return typeof name === 'string' ? name : undefined
}

/** A problem of the database, not of the statement: worth a retry elsewhere or later. */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state === undefined) return true
  // connection, rollback (deadlock), resources, lock not available, shut down, system, read-only after a
  // failover
  return /^(08|40|53|55|57|58)/.test(state) || state === '25006' || state === '25P03'
}
