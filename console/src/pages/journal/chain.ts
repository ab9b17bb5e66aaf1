import type { JournalEntry, JournalPage } from '@exchequer/sdk'

/** An entry and its hash, as somebody kept them. */
export type Kept = { readonly seq: bigint; readonly hash: string }

export type Fault = 'missing' | 'encoding' | 'hash' | 'details' | 'head' | 'against' | 'beyond'
export type Verdict =
  | { readonly holds: true; readonly seq: bigint; readonly hash: string }
  | { readonly holds: false; readonly seq: bigint; readonly fault: Fault }

type Asked = {
  readonly realm: string
  readonly against?: Kept | undefined
  readonly read: (after: bigint) => Promise<JournalPage>
  readonly tell: (done: bigint, all: bigint) => void
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** Works out every hash of a realm's journal from its first entry on, trusting nobody: docs/journal.md. */
export async function verifyChain({ realm, against, read, tell }: Asked): Promise<Verdict> {
  let last: Kept = { seq: 0n, hash: await sha256(bytesOf(`exchequer 1 ${realm}`)) }
  for (let head = 1n; last.seq < head; ) {
    const page = await read(last.seq)
    head = BigInt(page.head.seq)
    const broken = await firstFault(page.data, last, against)
    if (broken) return { holds: false, ...broken }
    const end = page.data.at(-1)
    if (end) last = { seq: BigInt(end.seq), hash: end.hash }
    else if (last.seq < head) return { holds: false, seq: last.seq + 1n, fault: 'missing' }
    if (last.seq === head && page.head.hash !== last.hash) return { holds: false, seq: head, fault: 'head' }
    tell(last.seq, head)
  }
  if (against && against.seq > last.seq) return { holds: false, seq: against.seq, fault: 'beyond' }
  return { holds: true, ...last }
}

type Found = { readonly seq: bigint; readonly fault: Fault }

/** All hashes of a page at once: each is over the one before it as it was told, which is checked as well. */
async function firstFault(
  entries: readonly JournalEntry[],
  before: Kept,
  against: Kept | undefined,
): Promise<Found | undefined> {
  const faults = await Promise.all(
    entries.map((entry, nth) => {
      const previous = entries[nth - 1]?.hash ?? before.hash
      return faultOf(entry, { seq: before.seq + BigInt(nth) + 1n, previous, against })
    }),
  )
  return faults.find((found) => found !== undefined)
}

type Expected = { readonly seq: bigint; readonly previous: string; readonly against: Kept | undefined }

async function faultOf(
  entry: JournalEntry,
  { seq, previous, against }: Expected,
): Promise<Found | undefined> {
  const { encoding, link, details, detailsHash, hash } = entry
  if (BigInt(entry.seq) !== seq) return { seq, fault: 'missing' }
  if (encoding !== (link === null ? 1 : 2)) return { seq, fault: 'encoding' }
  if ((await sha256(bytesOf(lineOf(entry, previous)))) !== hash) return { seq, fault: 'hash' }
  if (details && (await saidHash(details)) !== detailsHash) return { seq, fault: 'details' }
  if (against?.seq === seq && against.hash !== hash) return { seq, fault: 'against' }
  return undefined
}

/** The line that an entry's hash is of. */
function lineOf(entry: JournalEntry, previous: string): string {
  const { encoding, seq, atUs, kind, keyId, realmPointId, from, to, amount, link } = entry
  const { fromBalance, toBalance, request, fingerprint, detailsHash } = entry
  const fields = [encoding, previous, seq, atUs, kind, keyId, realmPointId, from, to, amount]
  const rest = [fromBalance, toBalance, request, fingerprint, detailsHash].map((value) => value ?? '-')
  return [...fields, ...rest, ...(link === null ? [] : [link])].join(' ')
}

function saidHash({ salt, text }: NonNullable<JournalEntry['details']>): Promise<string> {
  const said = bytesOf(text)
  const bytes = new Uint8Array(salt.length / 2 + said.length)
  for (let at = 0; at < salt.length / 2; at += 1)
    bytes[at] = Number.parseInt(salt.slice(at * 2, at * 2 + 2), 16)
  bytes.set(said, salt.length / 2)
  return sha256(bytes)
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What somebody kept, from the line that an earlier check told. */
export function keptIn(text: string): Kept | undefined {
  const [, seq, hash] = /^\s*([1-9][0-9]{0,18}):([0-9a-f]{64})\s*$/.exec(text) ?? []
  return seq === undefined || hash === undefined ? undefined : { seq: BigInt(seq), hash }
}
