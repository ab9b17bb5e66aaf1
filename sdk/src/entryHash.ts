/** What the hash of an entry covers, and how it is computed: docs/journal.md. */

/** An entry with every value that its hash covers; docs/journal.md describes them. */
export type ChainEntry = {
  readonly encoding: number
  readonly seq: string
  readonly atUs: string
  readonly type: string
  readonly keyId: string | number
  readonly realmPointId: string
  readonly fromAccount: number
  readonly toAccount: number
  readonly tokens: string | number
  readonly fromBalance: string | number | null
  readonly toBalance: string | number | null
  readonly request: string | null
  readonly fingerprint: string | null
  readonly detailsHash: string | null
  readonly link: string | null
  /** Of point types that lapse: `day:amount`, comma-separated. */
  readonly lots?: string
  readonly hash: string
  /** Its details and their salt, where they are not erased. */
  readonly details: { readonly salt: string; readonly text: string } | null
}

/** SHA-256 in hex. Web Crypto by default; can be replaced, as by a synchronous one of the runtime. */
export type Sha256 = (bytes: Uint8Array) => string | Promise<string>

/** The number that an entry's hash covers for its type: docs/journal.md. */
export const typeNumbers: Readonly<Record<string, number>> = {
  adjust: 1,
  transfer: 2,
  reversal: 3,
  hold: 4,
  capture: 5,
  release: 6,
  expiry: 7,
  opening: 8,
  claim: 9,
  lapse: 10,
  merge: 11,
  award: 12,
  grant: 13,
  cancel: 14,
}

const encoder = new TextEncoder()
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** The line that an entry's hash covers. */
export function lineOf(entry: ChainEntry, previous: string): string {
  const { encoding, seq, atUs, type, keyId, realmPointId, fromAccount, toAccount, tokens, link, lots } = entry
  const { fromBalance, toBalance, request, fingerprint, detailsHash } = entry
  const sides = [fromAccount, toAccount, tokens]
  const fields = [encoding, previous, seq, atUs, typeNumbers[type], keyId, realmPointId, ...sides]
  const optional = [fromBalance, toBalance, request, fingerprint, detailsHash].map((field) => field ?? '-')
  const ends = lots === undefined ? (link === null ? [] : [link]) : [link ?? '-', lots]
  return [...fields, ...optional, ...ends].join(' ')
}

export function encodingOf({ link, lots }: ChainEntry): number {
  if (lots !== undefined) return 3
  return link === null ? 1 : 2
}

export function saltedBytes({ salt, text }: NonNullable<ChainEntry['details']>): Uint8Array {
  const said = bytesOf(text)
  const bytes = new Uint8Array(salt.length / 2 + said.length)
  for (let at = 0; at < salt.length / 2; at += 1)
    bytes[at] = Number.parseInt(salt.slice(at * 2, at * 2 + 2), 16)
  bytes.set(said, salt.length / 2)
  return bytes
}

export async function bySubtle(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
