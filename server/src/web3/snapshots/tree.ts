import { setImmediate as pause } from 'node:timers/promises'
import { keccak_256 } from '@noble/hashes/sha3.js'

/**
 * The Merkle tree of OpenZeppelin's standard format, which their MerkleProof.sol checks: leaves sorted, pairs
 * sorted, the nodes in one array with the root first and the children of node i at 2i + 1 and 2i + 2.
 */

const size = 32
/** Hashes computed before other work gets a turn: about 2 ms. */
const burst = 512

/** keccak256(keccak256(abi.encode(address, amount))). */
export function leafOf(address: string, amount: bigint): Buffer {
  const encoded = Buffer.alloc(2 * size)
  encoded.write(address.slice(2), 12, 'hex')
  encoded.write(amount.toString(16).padStart(2 * size, '0'), size, 'hex')
  return Buffer.from(keccak_256(keccak_256(encoded)))
}

export type Leaf = { readonly account: number; readonly hash: Buffer }

export type Tree = { readonly nodes: Buffer; readonly placeOf: ReadonlyMap<number, number> }

/** At least one leaf. */
export async function treeOf(leaves: readonly Leaf[]): Promise<Tree> {
  // By their first six bytes, as a number: ten times as fast, which matters as the sort blocks all other
  // work.
  const keyed = leaves.map((leaf) => ({ ...leaf, key: leaf.hash.readUIntBE(0, 6) }))
  const sorted = keyed.sort((a, b) => a.key - b.key || a.hash.compare(b.hash))
  const count = 2 * sorted.length - 1
  const nodes = Buffer.alloc(count * size)
  const placeOf = new Map<number, number>()
  for (const [index, { account, hash }] of sorted.entries()) {
    const place = count - 1 - index
    hash.copy(nodes, place * size)
    placeOf.set(account, place)
  }
  for (let place = sorted.length - 2; place >= 0; place--) {
    const [left, right] = [nodeAt(nodes, 2 * place + 1), nodeAt(nodes, 2 * place + 2)]
    const pair = left.compare(right) < 0 ? [left, right] : [right, left]
    nodes.set(keccak_256(Buffer.concat(pair)), place * size)
    if (place % burst === 0) await pause()
  }
  return { nodes, placeOf }
}

const nodeAt = (nodes: Buffer, place: number): Buffer => nodes.subarray(place * size, (place + 1) * size)

/** The nodes that prove a leaf, from its sibling up to below the root. */
export function siblingsOf(leaf: number): number[] {
  const siblings: number[] = []
  for (let place = leaf; place > 0; place = (place - 1) >> 1)
    siblings.push(place % 2 === 1 ? place + 1 : place - 1)
  return siblings
}
