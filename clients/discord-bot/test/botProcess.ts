import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export async function until(check: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (const endMs = Date.now() + 60_000; Date.now() < endMs; await sleep(20)) if (await check()) return
  assert.fail(what())
}

/** Runs a command of the bot until it ends. */
export async function runBot(command: string, env: Record<string, string>, file = main) {
  const child = spawn(process.execPath, [file, command], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = collected(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

function collected(child: ChildProcess): { out: string; err: string } {
  const said = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    said.out += String(chunk)
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    said.err += String(chunk)
  })
  return said
}

/** A command that runs until it is ended, and what it prints when it is ready. */
export type Command = { readonly name: 'start' | 'gateway'; readonly ready: string }

/** The bot as a process that can be killed and started again on the same port. */
export class BotProcess {
  readonly #env: Record<string, string>
  readonly #command: Command
  #child: ChildProcess | undefined
  said = { out: '', err: '' }

  constructor(env: Record<string, string>, command: Command = { name: 'start', ready: 'listening on' }) {
    this.#env = env
    this.#command = command
  }

  get url(): string {
    return `http://127.0.0.1:${this.#env['PORT']}`
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [main, this.#command.name], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.said = collected(child)
    await until(
      () => this.said.out.includes(this.#command.ready) || child.exitCode !== null,
      () => `the bot did not start: ${this.said.err}`,
    )
    assert.equal(child.exitCode, null, this.said.err)
  }

  /** Ends it as a crash does, or in order; its exit code. */
  async end(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null) return child?.exitCode ?? null
    const exited = once(child, 'exit')
    child.kill(signal)
    const [code] = (await exited) as [number | null]
    return code
  }

  async restart(): Promise<void> {
    await this.end()
    await this.start()
  }
}
