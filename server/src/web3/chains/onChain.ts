import type { Chain } from './chain.ts'
import { EndpointFault } from './endpoint.ts'

/** The EVM itself returns its chain id: an endpoint that was configured for another chain is useless. */
export function onChain(chain: Chain, chainId: bigint | undefined): void {
  if (chainId === chain.number) return
  throw new EndpointFault(`an endpoint of ${chain.id} runs the chain ${chainId}`)
}
