import type { Chain } from './chain.ts'
import { EndpointFault } from './endpoint.ts'

/** The EVM itself says which chain it runs: an endpoint that was set for another chain is of no use. */
export function onChain(chain: Chain, told: bigint | undefined): void {
  if (told === chain.number) return
  throw new EndpointFault(`an endpoint of ${chain.id} runs the chain ${told}`)
}
