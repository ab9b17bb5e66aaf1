import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compileBridge } from '../../clients/csharp/compile.ts'
import { ExchequerError, Realm } from '../../sdk/src/index.ts'
import type { RequestedStatement } from './asked.ts'
import type { Client, GateEvent, Wire } from './gate.ts'

/** Makes requests with the TypeScript client. */
export function sdkClient(url: string): Client {
  return {
    async ask(asked) {
      let wire: Wire | undefined
      const recording: typeof fetch = async (input, init) => {
        const answer = await fetch(input, init)
        const headers = Object.fromEntries(answer.headers)
        wire = { status: answer.status, headers, text: await answer.clone().text() }
        return answer
      }
      const { realm, key } = asked
      const ended = await askSdk(new Realm({ url, realm, key, fetch: recording }), asked).then(
        (value) => ({ value }),
        (error: unknown) => {
          if (!(error instanceof ExchequerError)) throw error
          const { status, code, requestId } = error
          return { error: { status, code, ...(requestId === undefined ? {} : { requestId }) } }
        },
      )
      if (!wire) throw new Error('the client made no request')
      return { wire, ...ended }
    },
    async close() {},
  }
}

async function askSdk(realm: Realm, asked: RequestedStatement): Promise<unknown> {
  const { verb, member = '', recipient = '', said, idempotencyKey } = asked
  const options = { ...said, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
  // Callers in JavaScript may pass anything: the server must reject an invalid amount.
  const tokens = asked.tokens as number
  if (verb === 'includes') return realm.includes(asked.wallets as string[])
  if (verb === 'web3') return realm.member(member).web3()
  if (verb === 'adjust') return realm.member(member).adjust(tokens, options)
  if (verb === 'transfer') return realm.member(member).transfer(recipient, tokens, options)
  const { etag: _, ...read } = await realm.member(member).get()
  return read
}

/** Makes requests with the Python client. */
export function pythonClient(url: string): Client {
  return bridgeTo(url, ['python3', fileURLToPath(new URL('bridge.py', import.meta.url))])
}

/** Makes requests with the C# client, where its types allow them. */
export function csharpClient(url: string): Client {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-csharp-'))
  const bridge = bridgeTo(url, ['mono', compileBridge(folder)])
  return {
    ask: async (asked) => (isTyped(asked) ? bridge.ask(asked) : undefined),
    async close() {
      await bridge.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Whether the parameters of the C# methods can have these values. */
function isTyped({ verb, tokens, wallets, said, idempotencyKey = 'x' }: RequestedStatement): boolean {
  const { metadata = null, ...texts } = said
  const isText = (value: unknown) => value === null || typeof value === 'string'
  if (!/^[\x21-\x7e]+$/.test(idempotencyKey) || !Object.values(texts).every(isText)) return false
  if (typeof metadata !== 'object' || Array.isArray(metadata)) return false
  if (verb === 'includes') return Array.isArray(wallets) && wallets.every((one) => typeof one === 'string')
  return tokens === undefined || Number.isSafeInteger(tokens)
}

/** A client in a separate process, which reads and prints lines of JSON. */
function bridgeTo(url: string, [program = '', ...args]: readonly string[]): Client {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const waiting = new Map<number, (event: GateEvent & { broken?: string }) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = JSON.parse(line) as GateEvent & { n: number }
    waiting.get(event.n)?.(event)
    waiting.delete(event.n)
  })
  let count = 0
  return {
    async ask(asked) {
      const n = ++count
      const { broken, ...event } = await new Promise<GateEvent & { broken?: string }>((resolve, reject) => {
        waiting.set(n, resolve)
        exited.then(() => reject(new Error(`${program} ended`)), reject)
        child.stdin.write(`${JSON.stringify({ n, url, ...asked })}\n`)
      })
      if (broken) throw new Error(broken)
      return event as GateEvent
    },
    async close() {
      child.stdin.end()
      await exited
    },
  }
}
