import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { encode, hexOf, type Value } from '../../server/src/web3/chains/abi.ts'
import { compile } from './compile.ts'

/** A real EVM node (anvil), and helpers for the tests. */
const require = createRequire(import.meta.url)

const kinds: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const binary = () => require.resolve(`@foundry-rs/anvil-${process.platform}-${kinds[process.arch]}/bin/anvil`)

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const read = (name: string): string => readFileSync(new URL(`contracts/${name}`, import.meta.url), 'utf8')

/** The creation code of every contract of the tests. */
export function contracts(...files: string[]): Map<string, string> {
  return compile(Object.fromEntries(files.map((file) => [file, read(file)])), 'cancun')
}

const selector = (signature: string): string =>
  Buffer.from(keccak_256(Buffer.from(signature))).toString('hex', 0, 4)

/** Encodes the data of a call: `callData('mint(address,uint256)', [to, 5n])`. */
export const callData = (signature: string, values: readonly Value[]): string =>
  `0x${selector(signature)}${encode(values).toString('hex')}`

type Sent = { readonly to?: string; readonly data?: string; readonly value?: bigint }
type Receipt = { readonly status: string; readonly contractAddress: string; readonly blockNumber: string }

export class EvmNode {
  readonly url: string
  readonly #child: ChildProcess

  constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  async rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** Sent from the node's first account, mined at once. */
  async send({ to, data, value = 0n }: Sent, more: object = {}): Promise<Receipt> {
    const [from] = await this.rpc<string[]>('eth_accounts')
    const sent = { from, to, data, value: `0x${value.toString(16)}`, gas: '0x1c9c380', ...more }
    const hash = await this.rpc<string>('eth_sendTransaction', sent)
    const receipt = await this.#receipt(hash)
    if (receipt.status !== '0x1') throw new Error('the transaction was reverted')
    return receipt
  }

  /** It is mined at once; its receipt is available a moment later. */
  async #receipt(hash: string): Promise<Receipt> {
    for (let tries = 0; tries < 200; tries++) {
      const receipt = await this.rpc<Receipt | null>('eth_getTransactionReceipt', hash)
      if (receipt) return receipt
      await sleep(10)
    }
    throw new Error('the transaction was not mined')
  }

  async deploy(code: string | undefined, values: readonly Value[] = [], more: object = {}): Promise<string> {
    if (!code) throw new Error('the contract was not compiled')
    return (await this.send({ data: code + encode(values).toString('hex') }, more)).contractAddress
  }

  call(to: string, signature: string, values: readonly Value[]): Promise<string> {
    return this.rpc<string>('eth_call', { to, data: callData(signature, values) }, 'latest')
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.kill()
    await once(this.#child, 'exit')
  }
}

export async function startNode(chainId: number, ...more: string[]): Promise<EvmNode> {
  const port = await freePort()
  const args = ['--port', String(port), '--chain-id', String(chainId), '--silent', ...more]
  const child = spawn(binary(), args, { stdio: 'ignore' })
  process.once('exit', () => child.kill())
  const node = new EvmNode(`http://127.0.0.1:${port}`, child)
  for (let tries = 0; tries < 200; tries++) {
    try {
      await node.rpc('eth_chainId')
      return node
    } catch {
      await sleep(50)
    }
  }
  await node.stop()
  throw new Error('anvil did not start')
}

export { hexOf }
