import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './program.ts'

/** An image as files on this machine, and what its configuration says. */
export type Image = {
  /** Options of bwrap: its files, its user and its variables. */
  readonly options: readonly string[]
  readonly entry: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

export type Variables = Readonly<Record<string, string>>

export const setenv = (variables: Variables): string[] =>
  Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])

/** The image on a read-only system, as an unprivileged user without a capability. Only secrets are added. */
export class Box {
  readonly #options: readonly string[]
  readonly #image: Image

  /** The secrets are files of this machine, and become those of /run/secrets. */
  constructor(image: Image, secrets: readonly string[], variables: Variables) {
    const alone = '--unshare-user --unshare-pid --cap-drop ALL --die-with-parent --clearenv'
    const files = secrets.flatMap((file) => ['--ro-bind', file, `/run/secrets/${file.split('/').at(-1)}`])
    this.#options = [
      ...alone.split(' '),
      ...image.options,
      ...'--proc /proc --dev /dev --tmpfs /run'.split(' '),
      ...files,
      ...'--remount-ro /run --remount-ro /'.split(' '),
      ...setenv(variables),
    ]
    this.#image = image
  }

  /** Runs a command in it. */
  run(command: readonly string[], variables: Variables = {}): string {
    return run('bwrap', [...this.#options, ...setenv(variables), ...command])
  }

  /** Runs the entry point with a command, to its end. */
  runEntry(command: readonly string[]): string {
    return this.run([...this.#image.entry, ...command])
  }

  checkHealth(): void {
    this.run(this.#image.healthCheck)
  }

  /** Runs as user 1000, and can write nowhere. */
  expectReadOnly(): void {
    const script =
      'id -u; for at in / /app /tmp /home /run /var; do touch $at/x 2>/dev/null && echo wrote $at; done; true'
    const said = this.run(['sh', '-c', script])
    if (said !== '1000\n') throw new Error(`it must run as user 1000 and be able to write nowhere: ${said}`)
  }

  /** With its own entry point, unless another one is given. */
  start(entry = [...this.#image.entry, ...this.#image.command]): BoxedProcess {
    return new BoxedProcess([...this.#options, ...entry])
  }
}

/** What the entry point of an image has started. */
export class BoxedProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown[]>
  #said = ''

  constructor(words: readonly string[]) {
    this.#child = spawn('bwrap', words, { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-10_000)
    })
    this.#ended = once(this.#child, 'exit')
  }

  get #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  ready(url: string, seconds = 60): Promise<void> {
    return this.#until(async () => {
      const answer = await fetch(url).catch(() => undefined)
      return answer?.ok === true
    }, seconds)
  }

  says(words: RegExp): Promise<void> {
    return this.#until(() => Promise.resolve(words.test(this.#said)), 60)
  }

  async #until(isSo: () => Promise<boolean>, seconds: number): Promise<void> {
    for (let tries = 0; tries < seconds * 5 && this.#isRunning; tries++) {
      if (await isSo()) return
      await sleep(200)
    }
    const why = this.#isRunning ? `it is not ready after ${seconds} s` : 'it exited'
    throw new Error(`${why}:\n${this.#said}`)
  }

  /** Of its largest process, in MiB. */
  memory(): number {
    const kilobytes = childrenOf(this.#child.pid).map((one) =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0),
    )
    return Math.round(Math.max(...kilobytes) / 1024)
  }

  /** In order, as a container engine stops it. */
  async stop(): Promise<void> {
    for (const one of childrenOf(this.#child.pid)) process.kill(one, 'SIGTERM')
    const [code] = await this.#ended
    if (code !== 0) throw new Error(`it exited with ${String(code)}`)
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

function childrenOf(pid: number | undefined): number[] {
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return [...below, ...below.flatMap(childrenOf)]
}
