import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Block } from './blocks.ts'
import type { Stage, Variables, World } from './world.ts'

const blockTimeoutMs = 60_000
const startTimeoutMs = 20_000

export type Ran = { readonly ok: boolean; readonly said: string }

/** One terminal session: the blocks of a page in order, with the variables they set. */
export class Session {
  readonly #world: World
  readonly #folder: string
  readonly #variables: Variables
  readonly #port: number
  #serving: { readonly child: ChildProcess; readonly ran: Promise<Ran> } | undefined

  private constructor(world: World, stage: Stage) {
    this.#world = world
    this.#folder = stage.folder
    this.#variables = stage.variables
    this.#port = stage.port
  }

  static async open(world: World, page: string, blocks: readonly Block[]): Promise<Session> {
    const servesItself = blocks.some(({ run }) => run === 'until stopped')
    return new Session(world, await world.stage(page, servesItself))
  }

  async run(block: Block): Promise<Ran> {
    if (block.run === 'until stopped') return this.#serve(block)
    const { child, ran } = this.#start(block)
    const timer = setTimeout(() => end(child, 'SIGKILL'), blockTimeoutMs)
    const result = await ran
    clearTimeout(timer)
    return result
  }

  /** A block that runs until it is stopped passes when it becomes ready and then exits cleanly. */
  async #serve(block: Block): Promise<Ran> {
    this.#serving = this.#start(block)
    const { child, ran } = this.#serving
    const deadlineMs = Date.now() + startTimeoutMs
    while (Date.now() < deadlineMs && child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${this.#port}/readyz`).catch(() => undefined)
      if (answer?.status === 200) return { ok: true, said: '' }
      await sleep(100)
    }
    end(child, 'SIGKILL')
    return { ok: false, said: `the block did not become ready\n${(await ran).said}` }
  }

  #start(block: Block): { child: ChildProcess; ran: Promise<Ran> } {
    const state = join(this.#folder, '.session')
    const text = this.#world.lead(block.text, this.#serving && this.#port)
    // Variables of a block are kept for the next one, as in a terminal, and exported only by `export`. The
    // first block starts with the variables of the file, as the pages say.
    const before = `if [ -e "${state}" ]; then . "${state}"; cd "$PWD"; else . .data/demo.env; fi`
    const script = `${before}\n${text}\ndeclare -p | grep -vE '^declare -[a-zA-Z]*r' >"${state}"`
    const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: this.#folder,
      env: this.#variables,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let said = ''
    const hear = (chunk: Buffer) => {
      said = (said + chunk).slice(-4_000)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    const ran = once(child, 'close').then(([code]) => ({ ok: code === 0, said }))
    return { child, ran }
  }

  async close(): Promise<void> {
    if (!this.#serving) return
    const { child, ran } = this.#serving
    end(child, 'SIGTERM')
    const timer = setTimeout(() => end(child, 'SIGKILL'), 10_000)
    await ran
    clearTimeout(timer)
  }
}

/** The process group: a shell and everything that it started. */
function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined || child.exitCode !== null) return
  process.kill(-child.pid, signal)
}
