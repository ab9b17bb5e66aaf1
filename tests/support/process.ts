import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

export const operatorToken = 'operator-token-of-the-tests-0123456789'
export const keySecrets = `k1:${'0123456789abcdef'.repeat(4)}`

export type ServerProcess = {
  readonly baseUrl: string
  readonly child: ChildProcess
  /** The lines of its log so far. */
  readonly said: readonly string[]
  stop(): Promise<number | null>
}

export function environment(
  urls: { serverUrl: string; ownerUrl: string },
  extra: Record<string, string> = {},
) {
  return {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: urls.serverUrl,
    DATABASE_OWNER_URL: urls.ownerUrl,
    OPERATOR_TOKEN: operatorToken,
    KEY_SECRETS: keySecrets,
    PORT: '0',
    // Most tests are not about limits; those that are set them.
    REALM_RATE: 'off',
    KEY_RATE: 'off',
    ...extra,
  }
}

/** A real server process, on a free port. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const said: string[] = []
  const baseUrl = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line)
      const url = /"url":"([^"]+)"/.exec(line)?.[1]
      if (url) resolve(url)
      if (/"level":[56]0/.test(line)) console.error(line)
    })
    exited.then(([code]) => reject(new Error(`the server exited with ${code} at startup`)), reject)
  })
  return {
    baseUrl,
    child,
    said,
    async stop() {
      if (child.exitCode === null) child.kill('SIGTERM')
      const [code] = await exited
      return code as number | null
    },
  }
}

/** Runs a command of main.ts and returns what it printed. */
export async function runCommand(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const out: string[] = []
  const err: string[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => err.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number]
  return { code, out: out.join(''), err: err.join('') }
}
