/** What PostgreSQL said, if it said anything: its five-character code. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  const severity = (error as { severity?: unknown } | undefined)?.severity
  return typeof code === 'string' && typeof severity === 'string' ? code : undefined
}

/** The constraint that refused a row: a rule that has a name is a refusal, not a fault. */
export function brokenConstraint(error: unknown): string | undefined {
  const name = (error as { constraint?: unknown } | undefined)?.constraint
  return typeof name === 'string' ? name : undefined
}

/** Something about the database, not about the statement: worth another try elsewhere or later. */
export function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state === undefined) return true
  // connection, rollback (deadlock), resources, lock not available, shut down, system, read-only after a
  // failover
  return /^(08|40|53|55|57|58)/.test(state) || state === '25006' || state === '25P03'
}
