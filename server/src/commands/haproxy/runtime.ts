import { connect, type NetConnectOpts } from 'node:net'
import type { PlaceChange, Places } from './places.ts'

/** HAProxy reads a request into a buffer of 16 KiB (tune.bufsize). */
const requestChars = 8_000
const answerMs = 5_000

/** The lines that HAProxy answers to one request of its runtime API. It closes the connection behind them. */
async function* answerOf(address: NetConnectOpts, request: string): AsyncGenerator<string> {
  const socket = connect(address)
  socket.setEncoding('utf8')
  socket.setTimeout(answerMs, () => socket.destroy(new Error('HAProxy did not answer in time')))
  socket.write(`${request}\n`)
  let rest = ''
  try {
    for await (const chunk of socket as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } finally {
    socket.destroy()
  }
  if (rest !== '') yield rest
}

/** Parts of a list, each of which fits in one request. */
function* partsOf(lines: readonly string[]): Generator<string[]> {
  let part: string[] = []
  let chars = 0
  for (const line of lines) {
    if (chars + line.length > requestChars && part.length > 0) {
      yield part
      part = []
      chars = 0
    }
    part.push(line)
    chars += line.length + 1
  }
  if (part.length > 0) yield part
}

export type RuntimeOptions = {
  readonly address: NetConnectOpts
  /** The map's file, as HAProxy's configuration names it. */
  readonly file: string
  readonly prefix: string
}

/** The map in the memory of a running HAProxy. */
export class Runtime {
  readonly #options: RuntimeOptions
  /** The process that had everything when it was last asked. A reload starts another. */
  #process: string | undefined

  constructor(options: RuntimeOptions) {
    this.#options = options
  }

  /** Returns how many entries were changed. A new process has what the file had when it started. */
  async update(places: Places): Promise<number> {
    const known = this.#process
    this.#process = undefined
    const current = await this.#readProcess()
    const changes = current === known ? places.changes() : await this.#compare(places)
    await this.#send(changes)
    places.settle()
    this.#process = current
    return changes.length
  }

  async #readProcess(): Promise<string> {
    let found: string | undefined
    for await (const line of answerOf(this.#options.address, 'show info'))
      found ??= /^Pid: (\d+)$/.exec(line)?.[1]
    if (found === undefined) throw new Error('HAProxy did not report its process')
    return found
  }

  /** What must change so that HAProxy has these places: each line is `0x… ID BACKEND`. */
  async #compare(places: Places): Promise<PlaceChange[]> {
    const { address, file, prefix } = this.#options
    const changes: PlaceChange[] = []
    const seen = new Set<string>()
    for await (const line of answerOf(address, `show map ${file}`)) {
      if (line === '') continue
      const [, id, backend = ''] = /^0x[0-9a-f]+ (\S+) (\S+)$/.exec(line) ?? []
      if (id === undefined) throw new Error(`HAProxy answered to show map ${file}: ${line}`)
      const now = places.get(id)
      // An entry of another form is replaced, or deleted.
      const before = backend.startsWith(prefix) ? Number(backend.slice(prefix.length)) : Number.NaN
      if (!seen.has(id) && before !== now) changes.push({ id, before, now })
      seen.add(id)
    }
    for (const [id, now] of places.entries()) if (!seen.has(id)) changes.push({ id, before: undefined, now })
    return changes
  }

  async #send(changes: readonly PlaceChange[]): Promise<void> {
    const { file, prefix } = this.#options
    const added = changes.filter(({ before }) => before === undefined)
    const others = changes.filter(({ before }) => before !== undefined)
    for (const part of partsOf(added.map(({ id, now }) => `${id} ${prefix}${now}`)))
      await this.#order(`add map ${file} <<\n${part.join('\n')}\n`)
    const commands = others.map(({ id, now }) =>
      now === undefined ? `del map ${file} ${id}` : `set map ${file} ${id} ${prefix}${now}`,
    )
    for (const part of partsOf(commands)) await this.#order(part.join(';'))
  }

  /** HAProxy answers nothing when it has done it. */
  async #order(request: string): Promise<void> {
    for await (const line of answerOf(this.#options.address, request))
      if (line.trim() !== '') throw new Error(`HAProxy answered: ${line}`)
  }
}
