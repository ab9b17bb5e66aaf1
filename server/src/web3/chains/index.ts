import { encode, hexBytes, hexOf, wordAt } from './abi.ts'
import { validatorCode } from './bytecode.ts'
import { Chain } from './chain.ts'
import { evmChain } from './chainId.ts'
import { CallRefused, Endpoint, EndpointFault } from './endpoint.ts'
import { onChain } from './onChain.ts'

export { bytesAt, hexBytes, wordAt } from './abi.ts'
export type { Chain } from './chain.ts'
export { evmChain, isEvmChain } from './chainId.ts'
export { type Block, blockAt, readAmounts, type Standard, type Token, UnreadableAnswer } from './read.ts'

/** A chain and its endpoints, as the operator allows it. */
export type ChainConfig = { readonly id: string; readonly urls: readonly string[] }

const entryForm = new RegExp(`^(${evmChain})=(.+)$`)

/** The name of an invalid chain setting; `named` when an endpoint has a user name or a password. */
export type WrongChain = { readonly id: string; readonly named: boolean }

/** `eip155:1=https://one,https://other`, several chains space-separated; or what is wrong. */
export function chainsIn(text: string): {
  readonly chains: ChainConfig[]
  readonly wrong: WrongChain | undefined
} {
  const chains = new Map<string, ChainConfig>()
  for (const entry of text.split(/\s+/).filter(Boolean)) {
    const [, id = '', list = ''] = entryForm.exec(entry) ?? []
    const urls = list.split(',')
    const parsed = urls.map((url) => URL.parse(url))
    const fits = parsed.every((url) => /^https?:$/.test(url?.protocol ?? ''))
    // They can't be sent this way, and an error would contain them.
    const named = parsed.some((url) => url !== null && (url.username !== '' || url.password !== ''))
    // Without its endpoints: they contain keys.
    if (!fits || named || chains.has(id))
      return { chains: [], wrong: { id: entry.split('=')[0] ?? '', named } }
    chains.set(id, { id, urls })
  }
  return { chains: [...chains.values()], wrong: undefined }
}

/** A contract wallet's signature, in its parts; `factory` and `preparation` for one not deployed yet. */
export type ContractSignature = {
  readonly wallet: string
  readonly hash: Buffer
  readonly signature: Buffer
  readonly factory: bigint
  readonly preparation: Buffer
}

/** The chains that the operator allows. The server never connects to any other. */
export class Chains {
  readonly #chains: ReadonlyMap<string, Chain>

  constructor(configs: readonly ChainConfig[], timeoutMs: number) {
    this.#chains = new Map(
      configs.map(({ id, urls }) => [
        id,
        new Chain(
          id,
          urls.map((url) => new Endpoint(url, timeoutMs)),
        ),
      ]),
    )
  }

  get ids(): string[] {
    return [...this.#chains.keys()]
  }

  get(id: string): Chain | undefined {
    return this.#chains.get(id)
  }
}

/** Whether a contract accepts a signature, according to its own chain. */
export async function contractTakes(chain: Chain, asked: ContractSignature): Promise<boolean> {
  const { wallet, hash, signature, factory, preparation } = asked
  const values = [BigInt(wallet), BigInt(hexOf(hash)), signature, factory, preparation]
  const data = `0x${validatorCode}${encode(values).toString('hex')}`
  try {
    return await chain.ask({ method: 'eth_call', params: [{ data }, 'latest'] }, (result) => {
      const answer = hexBytes(result)
      if (answer?.length !== 64) throw new EndpointFault('eth_call was answered with something else')
      onChain(chain, wordAt(answer, 32))
      return wordAt(answer, 0) === 1n
    })
  } catch (error) {
    // The call ran out of gas, or is too large to run.
    if (error instanceof CallRefused) return false
    throw error
  }
}
