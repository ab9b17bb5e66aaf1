import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkDeadline } from '../support/timeLimit.ts'
import type { CellStage } from './stage.ts'

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const frozenMs = 5_000

export type Ended = { readonly code: number | null; readonly said: string }

/** `realm move` as a process that can be killed and frozen. */
export class Mover {
  readonly #child: ChildProcess
  readonly ended: Promise<Ended>
  #said = ''
  isOver = false

  constructor(stage: CellStage, args: readonly string[]) {
    this.#child = spawn(process.execPath, [main, 'realm', 'move', ...args], {
      env: stage.operatorEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#said += String(chunk)
      })
    this.ended = once(this.#child, 'close').then(([code]) => {
      this.isOver = true
      return { code: code as number | null, said: this.#said }
    })
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }

  /** Resolves when it is stopped. */
  async freeze(): Promise<void> {
    this.#child.kill('SIGSTOP')
    const deadlineMs = performance.now() + frozenMs
    const stateOf = () => /\) (\w)/.exec(readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8'))?.[1]
    while (stateOf() !== 'T') {
      checkDeadline(deadlineMs, 'the stop of the mover')
      await sleep(5)
    }
  }

  thaw(): void {
    this.#child.kill('SIGCONT')
  }
}

export const startMove = (stage: CellStage, realm: string, to: number): Mover =>
  new Mover(stage, [realm, '--to', String(to)])

/** Moves a realm, or goes on with its move; throws unless it succeeds. */
export async function moveRealm(stage: CellStage, realm: string, to: number): Promise<string> {
  const { code, said } = await startMove(stage, realm, to).ended
  if (code !== 0) throw new Error(`realm move ${realm} --to ${to} exited with ${code}: ${said}`)
  return said
}
