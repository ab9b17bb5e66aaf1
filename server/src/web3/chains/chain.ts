import { chainUnavailable } from '../../errors.ts'
import { CallRefused, type Endpoint, type RpcCall } from './endpoint.ts'

const tries = 3
/** How long a caller waits at most for an endpoint that is backing off. */
const patienceMs = 1_000

/** A chain and its endpoints, in the operator's order. */
export class Chain {
  /** CAIP-2: `eip155:1`. */
  readonly id: string
  readonly #endpoints: readonly Endpoint[]

  constructor(id: string, endpoints: readonly Endpoint[]) {
    this.id = id
    this.#endpoints = endpoints
  }

  /** For EVM chains: the number after `eip155:`. */
  get number(): bigint {
    return BigInt(this.id.slice('eip155:'.length))
  }

  /**
   * Calls the first available endpoint, and the others in turn when it fails. `check` converts the result, or
   * throws: then the endpoint returned something wrong, and backs off too.
   */
  async ask<T>(asked: RpcCall, check: (result: unknown) => T): Promise<T> {
    let fault: unknown
    for (let tried = 0; tried < tries; tried++) {
      const endpoint = await this.#next()
      if (!endpoint) break
      try {
        const result = await endpoint.ask(asked)
        return checked(endpoint, result, check)
      } catch (error) {
        if (error instanceof CallRefused) throw error
        fault = error
      }
    }
    throw chainUnavailable(`The chain ${this.id} could not be reached; try again later.`, fault)
  }

  /** The first that is not backing off, or the one that is available soonest, if that is soon. */
  async #next(): Promise<Endpoint | undefined> {
    const awake = this.#endpoints.find((endpoint) => endpoint.restMs() === 0)
    if (awake) return awake
    const [soonest] = this.#endpoints.toSorted((a, b) => a.restMs() - b.restMs())
    const restMs = soonest?.restMs() ?? Number.POSITIVE_INFINITY
    if (restMs > patienceMs) return undefined
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return soonest
  }
}

function checked<T>(endpoint: Endpoint, result: unknown, check: (result: unknown) => T): T {
  try {
    const wanted = check(result)
    endpoint.praise()
    return wanted
  } catch (error) {
    endpoint.rest(error)
    throw error
  }
}
