import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { encode, hexOf, wordAt } from '../../server/src/web3/chains/abi.ts'
import { readerCode } from '../../server/src/web3/chains/bytecode.ts'
import { type Chain, Chains } from '../../server/src/web3/chains/index.ts'

type Asked = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

/** The part of a node that a reading needs: one block, and every wallet's balance of a token. */
export class FakeChain {
  readonly id = 'eip155:1'
  block = { number: 1n, hash: `0x${'1'.repeat(64)}`, at: new Date() }
  /** By the contract's address in lower case; every wallet holds the same. */
  readonly amounts = new Map<string, bigint>()
  /** Awaited before amounts are returned. */
  onCall: () => Promise<void> = async () => {}
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  static async start(): Promise<FakeChain> {
    const made = new FakeChain()
    made.#server.listen(0, '127.0.0.1')
    await once(made.#server, 'listening')
    return made
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get chains(): Chains {
    return new Chains([{ id: this.id, urls: [this.url] }], 5_000)
  }

  get chain(): Chain {
    return this.chains.get(this.id) as Chain
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = JSON.parse(await text(request)) as Asked
    const result = method === 'eth_call' ? await this.#call(params) : this.#encodedBlock()
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }

  #encodedBlock() {
    const { number, hash, at } = this.block
    const seconds = Math.floor(at.getTime() / 1000)
    return { number: `0x${number.toString(16)}`, hash, timestamp: `0x${seconds.toString(16)}` }
  }

  async #call([call]: readonly unknown[]): Promise<string> {
    const { data } = call as { readonly data: string }
    const asked = Buffer.from(data.slice(2 + readerCode.length), 'hex')
    const token = `0x${(wordAt(asked, 32) ?? 0n).toString(16).padStart(40, '0')}`
    const wallets = Number(wordAt(asked, 128)) / 20
    await this.onCall()
    const amount = this.amounts.get(token) ?? 0n
    return hexOf(encode([1n, 0n, ...Array.from({ length: wallets }, () => amount)]))
  }
}
