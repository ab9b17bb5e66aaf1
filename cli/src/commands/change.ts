import type { ChangeOptions } from '@exchequer/sdk'
import type { Flags } from '../command.ts'
import { memberInBody, objectOf, present } from './values.ts'

export const pointTypeFlag = {
  'point-type': { value: 'ID', what: 'the point type; the realm’s default if omitted' },
} as const

/** For every command that changes something. */
export const idempotencyFlag = {
  'idempotency-key': { value: 'KEY', what: 'run again with the same KEY, it is done only once' },
} as const

export const dryRunFlag = { 'dry-run': { what: 'show what would happen, and change nothing' } } as const

export const onceOf = (flags: { readonly 'idempotency-key'?: string }) =>
  present({ idempotencyKey: flags['idempotency-key'] })

/** Details of an entry: the same four for every change of points. */
const detailFlags = {
  reason: { value: 'TEXT', what: 'why; kept with the entry' },
  reference: { value: 'TEXT', what: 'your own reference, such as an order number' },
  metadata: { value: 'JSON', what: 'a JSON object; kept with the entry' },
  'actor-id': { value: 'MEMBER', what: 'the member who caused it' },
} as const

/** Options of every command that changes points. */
export const changeFlags = { ...detailFlags, ...idempotencyFlag, ...dryRunFlag } as const satisfies Flags

type Details = {
  readonly 'point-type'?: string
  readonly reason?: string
  readonly reference?: string
  readonly metadata?: string
  readonly 'actor-id'?: string
  readonly 'idempotency-key'?: string
  readonly 'dry-run'?: true
}

export function changeOptions({ reason, reference, metadata, ...rest }: Details): ChangeOptions {
  const actor = rest['actor-id']
  return present({
    realmPointId: rest['point-type'],
    reason,
    reference,
    metadata: metadata === undefined ? undefined : objectOf('--metadata', metadata),
    actorId: actor === undefined ? undefined : memberInBody(actor),
    idempotencyKey: rest['idempotency-key'],
    dryRun: rest['dry-run'],
  })
}

export const nothingChanged = 'This was a dry run: nothing was changed.'
