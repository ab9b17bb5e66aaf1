import type { ChangeOptions } from '@exchequer/sdk'
import type { Flags } from '../command.ts'
import { memberOf, objectOf, present } from './values.ts'

export const kindFlag = {
  kind: { value: 'ID', what: 'a kind of points; the realm’s default unless given' },
} as const

/** What can be said about a change. */
export const saidFlags = {
  reason: { value: 'TEXT', what: 'why, in words; kept with the entry' },
  reference: { value: 'TEXT', what: 'your own number of the thing' },
  metadata: { value: 'JSON', what: 'an object that is kept with the entry' },
  actor: { value: 'MEMBER', what: 'the member who caused it' },
  once: { value: 'KEY', what: 'the same KEY twice is one change: for scripts that are run again' },
  'dry-run': { what: 'tell what would be, and change nothing' },
} as const satisfies Flags

type Said = {
  readonly kind?: string
  readonly reason?: string
  readonly reference?: string
  readonly metadata?: string
  readonly actor?: string
  readonly once?: string
  readonly 'dry-run'?: true
}

export function changeOptions({
  kind,
  reason,
  reference,
  metadata,
  actor,
  once,
  ...rest
}: Said): ChangeOptions {
  return present({
    realmPointId: kind,
    reason,
    reference,
    metadata: metadata === undefined ? undefined : objectOf('--metadata', metadata),
    actorId: actor === undefined ? undefined : memberOf(actor),
    idempotencyKey: once,
    dryRun: rest['dry-run'],
  })
}
