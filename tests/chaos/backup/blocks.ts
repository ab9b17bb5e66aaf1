import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const blockTimeoutMs = 60_000

/** A shell block of the handbook, by its first line: `# as postgres: the first full backup`. */
type Block = { readonly title: string; readonly asPostgres: boolean; readonly text: string }

export type Environment = Readonly<Record<string, string>>

export type Ran = { readonly code: number | null; readonly said: string; readonly ms: number }

function readBlocks(page: string): Block[] {
  const handbook = readFileSync(`${root}/${page}`, 'utf8')
  return [...handbook.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => {
    const [, who, title] = /^# (as postgres|where Exchequer is): (.+)\n/.exec(text) ?? []
    if (title === undefined) throw new Error(`a block does not say who runs it:\n${text}`)
    return { title, asPostgres: who === 'as postgres', text }
  })
}

export type HandbookOptions = {
  readonly page?: string
  readonly blockTimeoutMs?: number
}

/** The blocks of a page of the handbook, run unchanged: of docs/operate/backup.md, unless it is named. */
export class Handbook {
  readonly #page: string
  readonly #timeoutMs: number
  readonly #blocks: readonly Block[]
  readonly #ran = new Set<string>()
  readonly #home: string
  readonly #signal: AbortSignal

  /** Blocks for PostgreSQL's user are run as the owner of `home`. An aborted one throws. */
  constructor(home: string, signal: AbortSignal, options: HandbookOptions = {}) {
    this.#page = options.page ?? 'docs/operate/backup.md'
    this.#timeoutMs = options.blockTimeoutMs ?? blockTimeoutMs
    this.#blocks = readBlocks(this.#page)
    this.#home = home
    this.#signal = signal
  }

  /** Blocks of the handbook that this run has not executed. */
  get left(): string[] {
    return this.#blocks.map(({ title }) => title).filter((title) => !this.#ran.has(title))
  }

  /** Runs a block and returns its result. */
  async attempt(title: string, env: Environment): Promise<Ran> {
    const block = this.#blocks.find((one) => one.title === title)
    if (!block) throw new Error(`${this.#page} has no block "${title}"`)
    this.#signal.throwIfAborted()
    this.#ran.add(title)
    const ownerOf = block.asPostgres ? this.#home : undefined
    const options = { ownerOf, signal: this.#signal, timeoutMs: this.#timeoutMs }
    const ran = await runScript(block.text, env, options)
    this.#signal.throwIfAborted()
    return ran
  }

  /** Runs a block that must succeed. */
  async run(title: string, env: Environment): Promise<Ran> {
    const ran = await this.attempt(title, env)
    if (ran.code !== 0) throw new Error(`"${title}" exited with ${ran.code}:\n${ran.said}`)
    return ran
  }
}

export type ScriptOptions = {
  /** Runs as the owner of this folder. */
  readonly ownerOf?: string | undefined
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

/** Runs a script to its end, or until its timeout or abort. */
export async function runScript(text: string, env: Environment, options: ScriptOptions): Promise<Ran> {
  const { ownerOf, signal, timeoutMs = blockTimeoutMs } = options
  const shell = ['bash', '-euo', 'pipefail', '-c', text]
  const [program = '', ...args] = ownerOf === undefined ? shell : [...identityOf(ownerOf), ...shell]
  const startedMs = performance.now()
  // Its own process group, so that a hanging block is killed with everything it started.
  const child = spawn(program, args, {
    cwd: ownerOf ?? root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  const hear = (chunk: Buffer) => {
    said = (said + chunk).slice(-20_000)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const end = () => {
    said += '\nstopped from outside'
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  const timer = setTimeout(end, timeoutMs)
  signal?.addEventListener('abort', end)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  signal?.removeEventListener('abort', end)
  return { code, said, ms: performance.now() - startedMs }
}

/** PostgreSQL and its tools refuse to run as root. */
function identityOf(folder: string): string[] {
  if (process.getuid?.() !== 0) return []
  const { uid, gid } = statSync(folder)
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
}
