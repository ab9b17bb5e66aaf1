import { sign } from 'node:crypto'
import type { SignerKey } from './keys.ts'

/** A checkpoint as a C2SP signed note. docs/checkpoints.md describes it to the byte. */

/** An entry, its hash, and when that was signed. */
export type CheckpointFacts = {
  readonly origin: string
  readonly seq: bigint
  /** 64 hex digits. */
  readonly hash: string
  readonly signedAt: Date
}

/** The fourth line: the third is the last hash of a chain, not the root of a Merkle tree. */
export const chainLine = 'exchequer-hash-chain 1'

/** Identifies a realm’s journal among those of all servers: a key’s name is that of one server. */
export const originOf = (keyName: string, realmId: string): string => `${keyName}/realms/${realmId}/journal`

/** The signed text, with its last line end. */
export function textOf({ origin, seq, hash, signedAt }: CheckpointFacts): string {
  const root = Buffer.from(hash, 'hex').toString('base64')
  return `${[origin, seq, root, chainLine, `signed-at ${signedAt.toISOString()}`].join('\n')}\n`
}

/** The text, an empty line, and the signature line. */
export function signNote(text: string, { name, id, privateKey }: SignerKey): string {
  const signature = sign(null, Buffer.from(text), privateKey)
  return `${text}\n— ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`
}
