import { hash as digest } from 'node:crypto'
import type { Details } from './command.ts'
import { entryTypes } from './entryTypes.ts'
import type { Entry } from './state.ts'

/**
 * The version of the encoding below, which docs/journal.md documents to the byte. Since version 2 an entry
 * names the entry it links to; an entry without a link is still written as in version 1. Version 3 is for
 * entries of point types that lapse, and names the lots.
 */
export function encodingOf({ link, lots }: Pick<Sealable, 'link' | 'lots'>): 1 | 2 | 3 {
  if (lots != null) return 3
  return link === null ? 1 : 2
}

/** The fields of an entry that its hash covers. All of them mean the same in any database. */
export type Sealable = Pick<
  Entry,
  'seq' | 'atUs' | 'key' | 'from' | 'to' | 'amount' | 'fromBalance' | 'toBalance' | 'link'
> & {
  readonly kind: number
  readonly point: string
  readonly request: string | null
  readonly fingerprint: string | null
  readonly detailsHash: string | null
  readonly lots?: string | null | undefined
}

export type SealedEntry = { readonly entry: Entry; readonly hash: string }

const sha256 = (text: string): string => digest('sha256', text, 'hex')

function endOf({ link, lots }: Sealable): string {
  if (lots != null) return ` ${link ?? '-'} ${lots}`
  return link === null ? '' : ` ${link}`
}

/** One line of ASCII, space-separated fields, `-` for null, so that `sha256sum` can check it. */
export function encode(previousHash: string, entry: Sealable): string {
  return (
    `${encodingOf(entry)} ${previousHash} ${entry.seq} ${entry.atUs} ${entry.kind} ${entry.key} ` +
    `${entry.point} ${entry.from} ${entry.to} ${entry.amount} ${entry.fromBalance ?? '-'} ` +
    `${entry.toBalance ?? '-'} ${entry.request ?? '-'} ${entry.fingerprint ?? '-'} ` +
    `${entry.detailsHash ?? '-'}` +
    endOf(entry)
  )
}

export function hashOf(previousHash: string, entry: Sealable): string {
  return sha256(encode(previousHash, entry))
}

function sealable(entry: Entry): Sealable {
  const { seq, atUs, key, from, to, amount, fromBalance, toBalance, kind, point, retry, details } = entry
  return {
    seq,
    atUs,
    key,
    from,
    to,
    amount,
    fromBalance,
    toBalance,
    kind: entryTypes[kind].number,
    point: point.id,
    request: retry?.request ?? null,
    fingerprint: retry?.fingerprint ?? null,
    detailsHash: details?.hash ?? null,
    link: entry.link,
    lots: entry.lots,
  }
}

/** Chains the entries of one realm to its head. */
export function seal(headHash: string, entries: readonly Entry[]): SealedEntry[] {
  let previous = headHash
  return entries.map((entry) => {
    previous = hashOf(previous, sealable(entry))
    return { entry, hash: previous }
  })
}

type PlainDetails = Omit<Details, 'hash' | 'salt'>

/** The details as JSON with their fields in this order, absent ones omitted. */
export function detailsText(details: PlainDetails): string {
  const { reason, reference, metadata, actorId } = details
  const fields = [
    reason === undefined ? undefined : `"reason":${JSON.stringify(reason)}`,
    reference === undefined ? undefined : `"reference":${JSON.stringify(reference)}`,
    metadata === undefined ? undefined : `"metadata":${metadata}`,
    actorId === undefined ? undefined : `"actorId":"${actorId}"`,
  ]
  return `{${fields.filter((field) => field !== undefined).join(',')}}`
}

/** sha256(salt ‖ details). */
export function hashDetails(salt: Buffer, details: PlainDetails): string {
  return digest('sha256', Buffer.concat([salt, Buffer.from(detailsText(details))]), 'hex')
}
