import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const startTimeoutMs = 60_000

export type ServerOptions = {
  readonly port: number
  readonly env: Readonly<Record<string, string>>
  /** Where its log goes. */
  readonly log: string
}

/** A real server process that can be killed, frozen and started again on the same port. */
export class Server {
  readonly url: string
  readonly #options: ServerOptions
  #child: ChildProcess | undefined
  #mostMb = 0

  constructor(options: ServerOptions) {
    this.#options = options
    this.url = `http://127.0.0.1:${options.port}`
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const { env, port, log } = this.#options
    const file = openSync(log, 'a')
    const child = spawn(process.execPath, [main, 'serve'], {
      env: { ...env, PORT: String(port), LOG_LEVEL: 'warn' },
      stdio: ['ignore', file, file],
    })
    closeSync(file)
    this.#child = child
    for (const deadlineMs = Date.now() + startTimeoutMs; !(await this.isAlive()); await sleep(25)) {
      if (child.exitCode !== null || Date.now() > deadlineMs)
        throw new Error(`a server did not start: ${readFileSync(log, 'utf8').slice(-2_000)}`)
    }
  }

  /** As a process manager does it: one that ends because its database was late is started again. */
  async startPatiently(): Promise<void> {
    for (const deadlineMs = Date.now() + startTimeoutMs; ; ) {
      try {
        return await this.start()
      } catch (error) {
        await this.kill()
        const isLate = error instanceof Error && error.message.includes('did not answer in time')
        if (!isLate || Date.now() > deadlineMs) throw error
        console.log('  a server ended because its database was late, and is started again')
      }
    }
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  async isAlive(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok
    } catch {
      return false
    }
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) })).ok
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Stops it like an operator: received requests are answered. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  /** The highest memory use seen so far, in MB; sampled on each call. */
  get mostMb(): number {
    const pid = this.#child?.pid
    if (pid !== undefined && this.#child?.exitCode === null) {
      const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      this.#mostMb = Math.max(this.#mostMb, Number(kb ?? 0) / 1024)
    }
    return this.#mostMb
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill(signal)
    await exited
  }
}
