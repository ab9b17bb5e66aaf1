import type { OperatorKeys } from '@exchequer/sdk'
import type { Context } from '../command.ts'
import { wrongUsage } from '../exits.ts'

/** A realm’s keys: by the operator token where a realm is named beside it, else by the key. */
export function keysOf(context: Context): OperatorKeys {
  const { key, token, realm } = context.access
  if (token === undefined || (key !== undefined && realm === undefined)) return context.realm().keys
  if (realm === undefined) throw wrongUsage('Which realm? Give --realm ID.')
  return context.operator().realm(realm).keys
}
