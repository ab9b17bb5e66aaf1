import { bytesAt, type Chain, contractTakes, wordAt } from '../chains/index.ts'

/** The suffix of a signature of a wallet that is not deployed yet (ERC-6492). */
const wrapped = Buffer.from('6492'.repeat(16), 'hex')

/** A signature in its parts. Without a wrapper there is no factory. */
type Parts = { readonly signature: Buffer; readonly factory: bigint; readonly preparation: Buffer }

export const isWrapped = (signature: Buffer): boolean =>
  signature.length >= wrapped.length && signature.subarray(-wrapped.length).equals(wrapped)

/** Undefined for a malformed wrapper. */
export function partsOf(signature: Buffer): Parts | undefined {
  if (!isWrapped(signature)) return { signature, factory: 0n, preparation: Buffer.alloc(0) }
  const inner = signature.subarray(0, -wrapped.length)
  const factory = wordAt(inner, 0)
  const preparation = bytesAt(inner, 32)
  const own = bytesAt(inner, 64)
  if (factory === undefined || factory === 0n || factory >> 160n !== 0n || !preparation || !own)
    return undefined
  return { signature: own, factory, preparation }
}

/** Whether a contract wallet, deployed or not yet, accepts this signature, according to its chain. */
export async function contractSigned(
  chain: Chain,
  wallet: string,
  { hash, signature }: { readonly hash: Buffer; readonly signature: Buffer },
): Promise<boolean> {
  const parts = partsOf(signature)
  return parts !== undefined && contractTakes(chain, { wallet, hash, ...parts })
}
