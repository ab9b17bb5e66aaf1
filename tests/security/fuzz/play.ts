import { setTimeout as sleep } from 'node:timers/promises'
import { Books } from './books.ts'
import { type Cases, casesOf, plainRounds } from './cases.ts'
import { type Operation, operationsOf } from './document.ts'
import { type Draft, escaped, render, secretNames } from './draft.ts'
import { Effects } from './effects.ts'
import { hasKey, type Judge, makeJudge } from './judge.ts'
import { type Cluster, openStage, type Stage } from './stage.ts'
import { type Answer, type Heard, Wire } from './wire.ts'

export type PlayOptions = {
  readonly seed: number
  /** The numbers of the requests that are sent: from (inclusive) and to (exclusive). */
  readonly from: number
  readonly to: number
  /** Additional environment of the server. */
  readonly env?: Readonly<Record<string, string>>
  /** Only operations whose paths match; all when omitted. */
  readonly among?: RegExp
  readonly cluster?: Cluster
  /** The run ends at the first finding that matches. */
  readonly until?: RegExp
  readonly onProgress?: (line: string) => void
}

/** `number` is -1 and `route` empty when no request can be named. */
export type Finding = {
  readonly number: number
  readonly words: string
  readonly route: string
  readonly request: string
}

export type Result = {
  readonly requests: number
  readonly findings: readonly Finding[]
  readonly statuses: ReadonlyMap<number, number>
  readonly acknowledged: number
  readonly memoryMb: number
}

const connections = 12
const memoryCapMb = 512
const findingCap = 1_000
/** Time limit of a run: for each request on a slow machine, and in addition. */
const requestMs = 60
const spareMs = 5 * 60_000
/** How often a request is retried that an overloaded server answered 503, which changes nothing. */
const sendAgain = { times: 20, pauseMs: 250 }

/** Each from another address, as the server throttles wrong keys by address. */
const fromSomewhere = (text: string, number: number): string =>
  text.replace('\r\n', `\r\nX-Forwarded-For: 198.51.${number % 250}.${Math.floor(number / 250) % 250}\r\n`)

class Run {
  readonly findings: Finding[] = []
  readonly statuses = new Map<number, number>()
  readonly succeeded = new Set<string>()
  /** How an operation was last rejected. */
  readonly #refused = new Map<string, string>()
  readonly books: Books
  readonly #stage: Stage
  readonly #cases: Cases
  readonly #judge: Judge
  readonly #effects = new Effects()
  readonly #operations: readonly Operation[]
  readonly #until: RegExp | undefined
  readonly #endMs: number
  requests = 0
  sentAgain = 0
  isOver = false

  constructor(stage: Stage, { seed, among, until, from, to }: PlayOptions) {
    this.#stage = stage
    this.#operations = operationsOf(stage.document).filter(({ path }) => among?.test(path) ?? true)
    this.books = new Books(stage.entries)
    this.#cases = casesOf(this.#operations, seed)
    this.#judge = makeJudge(stage.document, {
      secrets: stage.values.secrets,
      effects: this.#effects,
    })
    this.#until = until
    this.#endMs = Date.now() + spareMs + (to - from) * requestMs
  }

  find(number: number, words: string, draft?: Draft): void {
    const request = draft ? `${draft.twists.join(', ') || 'as documented'}: ${escaped(render(draft))}` : ''
    this.findings.push({ number, words, route: draft?.operation.title ?? '', request })
    this.isOver ||= this.findings.length > findingCap || (this.#until?.test(words) ?? false)
  }

  /** Whether no further request is useful. */
  #isDone(): boolean {
    if (!this.isOver && Date.now() > this.#endMs) {
      this.isOver = true
      this.find(-1, 'time: the requests did not end within their time limit')
    }
    return this.isOver || !this.#stage.isAlive()
  }

  /** Sends requests on one connection after another, until no number is left. */
  async client(next: () => number | undefined): Promise<void> {
    const wire = new Wire(this.#stage.port)
    for (let number = next(); number !== undefined; number = next()) {
      if (this.#isDone()) break
      const draft = this.#cases(number)
      this.requests += draft.times
      const sent = this.#effects.send(draft)
      try {
        const heard = await this.#send(wire, number, draft)
        sent.heard(heard.answers)
        this.#hear(number, draft, heard)
        for (const answer of heard.answers) this.#weigh(number, draft, { answer, sentAtMs: sent.sentAtMs })
      } catch (error) {
        sent.heard([])
        this.find(number, `dropped: ${String(error)}`, draft)
      }
    }
    wire.close()
  }

  /** Sends it, and retries while the server is overloaded. All other responses count. */
  async #send(wire: Wire, number: number, draft: Draft): Promise<Heard> {
    const text = render(draft, this.#stage.values)
    const bytes = Buffer.from(draft.broken ? text : fromSomewhere(text, number), 'latin1')
    const sending = { bytes, due: draft.times, isHead: draft.method === 'HEAD', alone: draft.broken }
    const earlier: Answer[] = []
    for (let turn = 1; ; turn++) {
      const heard = await wire.exchange(sending)
      const isAgain = heard.answers.some(isBusy) || isCutExport(draft, heard)
      if (turn >= sendAgain.times || !isAgain) return { ...heard, answers: [...earlier, ...heard.answers] }
      earlier.push(...heard.answers.filter((one) => !isBusy(one)))
      this.sentAgain += 1
      await sleep(sendAgain.pauseMs)
    }
  }

  #hear(number: number, draft: Draft, { trouble, said }: Heard): void {
    if (trouble === 'none' || (trouble === 'dropped' && draft.broken)) return
    this.find(number, `${trouble}: ${said}`, draft)
  }

  #weigh(number: number, draft: Draft, heard: { readonly answer: Answer; readonly sentAtMs: number }): void {
    const { answer } = heard
    const { status } = answer
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    // A twist may have led to another operation.
    if (draft.twists.length === 0) {
      if (isSuccess(status) || isRedirect(status)) this.succeeded.add(draft.operation.title)
      else this.#refused.set(draft.operation.title, `${status} ${answer.text.slice(0, 300)}`)
    }
    if (isSuccess(status) && status !== 204 && draft.method !== 'HEAD')
      this.#stage.values.things.hear(`${draft.method} ${draft.path}`, answer.text)
    const wrong = [...this.#judge(draft, heard), ...this.books.hear(number, draft, answer)]
    for (const words of wrong) this.find(number, words, draft)
  }

  /** Checks that are possible only at the end. */
  async close(): Promise<number> {
    const stage = this.#stage
    if (!stage.isAlive()) this.find(-1, `dead: the server ended: ${stage.log().slice(-500)}`)
    const memoryMb = stage.memoryMb()
    if (memoryMb > memoryCapMb) this.find(-1, `memory: ${Math.round(memoryMb)} MiB`)
    for (const { number, words } of await this.books.compare(stage.superuserUrl)) {
      this.find(number, words, number < 0 ? undefined : this.#cases(number))
    }
    const { ok, said } = await stage.verify()
    if (!ok) this.find(-1, `verify: ${said}`)
    this.#readLog(stage.log())
    return memoryMb
  }

  /** What a full run must have reached: a success of every operation. */
  checkReach(): void {
    for (const { title, path } of this.#operations.filter((one) => !this.succeeded.has(one.title))) {
      const refused = this.#refused.get(title) ?? 'it was not requested'
      // A console that was not built, and an OpenID provider, which this machine does not have.
      const isMissing = setUpElsewhere.has(path) && refused.includes('"code":"not_set_up"')
      if (!isMissing) this.find(-1, `reach: ${title} was never answered with success: ${refused}`)
    }
  }

  /** Whether every operation was requested correctly. */
  isWhole({ from, to }: PlayOptions): boolean {
    return from === 0 && to >= plainRounds * this.#operations.length && !this.isOver
  }

  /** A log may be stored, so secrets are masked in it. */
  #masked(line: string): string {
    const { secrets } = this.#stage.values
    const names = secretNames.map((name) => [secrets[name], `<<${name}>>`] as const)
    return escaped(names.reduce((text, [key, shown]) => text.replaceAll(key, shown), line).slice(0, 600))
  }

  #readLog(log: string): void {
    const lines = log.split('\n')
    for (const name of secretNames) {
      const line = lines.find((one) => hasKey(one.toLowerCase(), this.#stage.values.secrets[name]))
      if (line !== undefined)
        this.find(-1, `log: the key ${name} is in a line of the log: ${this.#masked(line)}`)
    }
    for (const [line] of log.matchAll(/^\{"level":(?:50|60),.*$/gm)) {
      this.find(-1, `log: an error: ${escaped(line.slice(0, 600))}`)
      if (this.findings.length > findingCap) return
    }
  }
}

/** Created and deleted are recognized by their status. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isRedirect = (status: number): boolean => status === 302 || status === 308

/** The response of an overloaded server, or one with too many exports running: nothing was changed. */
const isBusy = ({ status, text }: Answer): boolean =>
  (status === 503 && /"code":"(overloaded|unavailable)"/.test(text)) ||
  (status === 429 && /exports in progress/.test(text))

/**
 * An export whose database does not respond in time is cut off; a client retries it. When it was cut off for
 * another reason, the log has an error, which is found there.
 */
const isCutExport = ({ path }: Draft, { trouble }: Heard): boolean =>
  trouble === 'cut' && /\/export\/[a-z]+\.(csv|ndjson)$/.test(path)

const setUpElsewhere = new Set(['/console/', '/console/sign-in'])

const progressEveryMs = 10_000

/** Sends the requests of a seed to a server of its own, and checks every response. */
export async function play(options: PlayOptions): Promise<Result> {
  const { from, to, env = {}, cluster, onProgress = () => {} } = options
  const stage = await openStage({ env, cluster })
  try {
    const run = new Run(stage, options)
    let number = from
    const next = () => (number < to ? number++ : undefined)
    const timer = setInterval(() => {
      onProgress(
        `${number - from} of ${to - from}, ${run.findings.length} found, ${stage.memoryMb().toFixed()} MiB`,
      )
    }, progressEveryMs)
    await Promise.all(Array.from({ length: connections }, () => run.client(next)))
    clearInterval(timer)
    const isWhole = run.isWhole(options)
    const memoryMb = await run.close()
    if (isWhole) run.checkReach()
    const { requests, findings, statuses, books } = run
    return { requests, findings, statuses, acknowledged: books.acknowledged, memoryMb }
  } finally {
    await stage.close()
  }
}
