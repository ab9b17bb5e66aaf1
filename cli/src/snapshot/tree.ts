import { keccak_256 } from '@noble/hashes/sha3.js'

/**
 * OpenZeppelin's standard Merkle tree, written from its definition and not from the server's code: the
 * checker must not share the bugs of what it checks.
 */

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const word = (text: string): Buffer => Buffer.from(text.padStart(64, '0'), 'hex')

/** keccak256(keccak256(abi.encode(address, amount))). */
export function leafOf(address: string, amount: string): string {
  const encoded = Buffer.concat([word(address.slice(2)), word(BigInt(amount).toString(16))])
  return hex(keccak_256(keccak_256(encoded)))
}

/** All nodes, the root first. Hex of equal length in lower case sorts like its bytes. */
export function treeOf(leaves: readonly string[]): readonly string[] {
  const inner = leaves.slice(1).map(() => '')
  const tree = [...inner, ...leaves.toSorted().reverse()]
  for (let at = leaves.length - 2; at >= 0; at--) {
    const pair = [tree[2 * at + 1] ?? '', tree[2 * at + 2] ?? ''].sort()
    tree[at] = hex(keccak_256(Buffer.concat(pair.map(bytes))))
  }
  return tree
}
