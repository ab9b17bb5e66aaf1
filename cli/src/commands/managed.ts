import type { OperatorKeys } from '@exchequer/sdk'
import type { Context } from '../command.ts'
import { wrongUsage } from '../exits.ts'

/** A realm’s keys: with the operator token when a realm is named too, else with the key. */
export function keysOf(context: Context): OperatorKeys {
  const { key, token, realm } = context.access
  if (token === undefined || (key !== undefined && realm === undefined)) return context.realm().keys
  if (realm === undefined) throw wrongUsage('Which realm? Give --realm ID.')
  return context.operator().realm(realm).keys
}
