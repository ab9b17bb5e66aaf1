import { encode, hexBytes, wordAt } from './abi.ts'
import { readerCode } from './bytecode.ts'
import type { Chain } from './chain.ts'
import { CallRefused, EndpointFault } from './endpoint.ts'
import { onChain } from './onChain.ts'

/** A block by number and hash: a read at its hash returns data of exactly that block, or fails. */
export type Block = {
  readonly number: bigint
  readonly hash: string
  /** The block's own timestamp. */
  readonly at: Date
}

/** The newest block, or the one with this number; undefined when it does not exist yet. */
export function blockAt(chain: Chain, number?: bigint): Promise<Block | undefined> {
  const which = number === undefined ? 'latest' : `0x${number.toString(16)}`
  return chain.ask({ method: 'eth_getBlockByNumber', params: [which, false] }, (result) => {
    if (result === null) return undefined
    const block = result as { number?: unknown; hash?: unknown; timestamp?: unknown }
    const [at, seconds] = [hexIn(block.number, 15), hexIn(block.timestamp, 10)]
    const { hash } = block
    if (at === undefined || seconds === undefined || typeof hash !== 'string' || !isHash.test(hash))
      throw new EndpointFault('eth_getBlockByNumber was answered with something else')
    if (number !== undefined && at !== number)
      throw new EndpointFault('eth_getBlockByNumber was answered with another block')
    return { number: at, hash: hash.toLowerCase(), at: new Date(Number(seconds) * 1000) }
  })
}

const isHash = /^0x[0-9a-f]{64}$/i

/** A number of at most `digits` hex digits. */
function hexIn(value: unknown, digits: number): bigint | undefined {
  const fits = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) && value.length <= 2 + digits
  return fits ? BigInt(value) : undefined
}

export type Standard = 'native' | 'erc20' | 'erc721' | 'erc1155'

/** A token; no address for a chain's native coin, an id only for ERC-1155. */
export type Token = {
  readonly standard: Standard
  readonly address: string | null
  readonly tokenId: bigint | null
}

const kinds: Readonly<Record<Standard, bigint>> = { native: 0n, erc20: 1n, erc721: 1n, erc1155: 2n }

/** The contract does not return what wallets hold. */
export class UnreadableAnswer extends Error {}

/** So few are not split again. */
const fewest = 50

/**
 * What each of these wallets holds of a token, at a block. One call for all of them; if the chain rejects a
 * call of this size, it is split in half.
 */
export async function readAmounts(
  chain: Chain,
  token: Token,
  asked: { readonly block: Block; readonly wallets: readonly string[] },
): Promise<bigint[]> {
  const { block, wallets } = asked
  const packed = Buffer.from(wallets.map((wallet) => wallet.slice(2)).join(''), 'hex')
  const values = [kinds[token.standard], BigInt(token.address ?? 0), token.tokenId ?? 0n, packed]
  const data = `0x${readerCode}${encode(values).toString('hex')}`
  const at = { blockHash: block.hash, requireCanonical: true }
  try {
    const amounts = await chain.ask({ method: 'eth_call', params: [{ data }, at] }, (result) =>
      amountsIn(chain, result, wallets.length),
    )
    if (!amounts) throw new UnreadableAnswer('the contract does not return amounts')
    return amounts
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    if (wallets.length <= fewest) throw new UnreadableAnswer(error.message)
    const half = Math.ceil(wallets.length / 2)
    const parts = [wallets.slice(0, half), wallets.slice(half)]
    const read = []
    for (const part of parts) read.push(...(await readAmounts(chain, token, { block, wallets: part })))
    return read
  }
}

/** Undefined when the contract did not return one of them. */
function amountsIn(chain: Chain, result: unknown, count: number): bigint[] | undefined {
  const answer = hexBytes(result)
  if (answer?.length !== 64 + count * 32) throw new EndpointFault('eth_call was answered with something else')
  onChain(chain, wordAt(answer, 0))
  if (wordAt(answer, 32) !== 0n) return undefined
  return Array.from({ length: count }, (_, index) => wordAt(answer, 64 + index * 32) ?? 0n)
}
