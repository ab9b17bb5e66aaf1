import { Books } from './books.ts'
import { type Cases, casesOf } from './cases.ts'
import { operationsOf } from './document.ts'
import { type Draft, escaped, render, secretNames } from './draft.ts'
import { type Judge, makeJudge, tells } from './judge.ts'
import { openStage, type Stage } from './stage.ts'
import { type Heard, Wire } from './wire.ts'

export type PlayOptions = {
  readonly seed: number
  /** The numbers of the requests that are sent: from, and up to but without. */
  readonly from: number
  readonly to: number
  /** For the server, beside what it needs. */
  readonly env?: Readonly<Record<string, string>>
  /** Whose paths match; all when left out. */
  readonly among?: RegExp
  readonly tell?: (line: string) => void
}

/** `number` is -1 where no request can be named. */
export type Finding = { readonly number: number; readonly words: string; readonly request: string }

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
/** From so many requests for each on, an operation that never succeeded was not tried in earnest. */
const earnest = 150

/** Each from another address, as wrong keys of one are slowed. */
const fromSomewhere = (text: string, number: number): string =>
  text.replace('\r\n', `\r\nX-Forwarded-For: 198.51.${number % 250}.${Math.floor(number / 250) % 250}\r\n`)

class Run {
  readonly findings: Finding[] = []
  readonly statuses = new Map<number, number>()
  readonly succeeded = new Set<string>()
  readonly books = new Books()
  readonly #stage: Stage
  readonly #cases: Cases
  readonly #judge: Judge
  requests = 0

  constructor(stage: Stage, { seed, among }: PlayOptions) {
    this.#stage = stage
    const operations = operationsOf(stage.document).filter(({ path }) => among?.test(path) ?? true)
    this.#cases = casesOf(operations, seed)
    this.#judge = makeJudge(stage.document, stage.secrets)
  }

  find(number: number, words: string, draft?: Draft): void {
    const request = draft ? `${draft.twists.join(', ') || 'as documented'}: ${escaped(render(draft))}` : ''
    this.findings.push({ number, words, request })
  }

  /** One connection after another asks, until there is no number left. */
  async client(next: () => number | undefined): Promise<void> {
    const wire = new Wire(this.#stage.port)
    for (let number = next(); number !== undefined; number = next()) {
      if (this.findings.length > findingCap || !this.#stage.isAlive()) break
      const draft = this.#cases(number)
      const text = render(draft, this.#stage.secrets)
      const bytes = Buffer.from(draft.broken ? text : fromSomewhere(text, number), 'latin1')
      const isHead = draft.method === 'HEAD'
      this.requests += draft.times
      try {
        const heard = await wire.exchange({ bytes, due: draft.times, isHead, alone: draft.broken })
        this.#hear(number, draft, heard)
        for (const answer of heard.answers) this.#weigh(number, draft, answer)
      } catch (error) {
        this.find(number, `dropped: ${String(error)}`, draft)
      }
    }
    wire.close()
  }

  #hear(number: number, draft: Draft, { trouble, said }: Heard): void {
    if (trouble === 'none' || (trouble === 'dropped' && draft.broken)) return
    this.find(number, `${trouble}: ${said}`, draft)
  }

  #weigh(number: number, draft: Draft, answer: Heard['answers'][number]): void {
    const { status } = answer
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (status === 200) this.succeeded.add(draft.operation.title)
    const wrong = [...this.#judge(draft, answer), ...this.books.hear(number, draft, answer)]
    for (const words of wrong) this.find(number, words, draft)
  }

  /** What can only be known when all is over. */
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
    const operations = operationsOf(stage.document)
    for (const { title } of this.requests < earnest * operations.length ? [] : operations) {
      if (!this.succeeded.has(title) && title !== 'GET /')
        this.find(-1, `reach: ${title} was never answered 200`)
    }
    return memoryMb
  }

  /** A log may be kept: what must not be told is not told by us. */
  #masked(line: string): string {
    const { secrets } = this.#stage
    const names = secretNames.map((name) => [secrets[name], `<<${name}>>`] as const)
    return escaped(names.reduce((text, [key, shown]) => text.replaceAll(key, shown), line).slice(0, 600))
  }

  #readLog(log: string): void {
    const lines = log.split('\n')
    for (const name of secretNames) {
      const line = lines.find((one) => tells(one.toLowerCase(), this.#stage.secrets[name]))
      if (line !== undefined)
        this.find(-1, `log: the key ${name} is in a line of the log: ${this.#masked(line)}`)
    }
    for (const [line] of log.matchAll(/^\{"level":(?:50|60),.*$/gm)) {
      this.find(-1, `log: an error: ${escaped(line.slice(0, 600))}`)
      if (this.findings.length > findingCap) return
    }
  }
}

const tellEveryMs = 10_000

/** Sends what a seed draws to a server of its own, and weighs every answer. */
export async function play(options: PlayOptions): Promise<Result> {
  const { from, to, env = {}, tell = () => {} } = options
  const stage = await openStage(env)
  try {
    const run = new Run(stage, options)
    let number = from
    const next = () => (number < to ? number++ : undefined)
    const timer = setInterval(() => {
      tell(
        `${number - from} of ${to - from}, ${run.findings.length} found, ${stage.memoryMb().toFixed()} MiB`,
      )
    }, tellEveryMs)
    await Promise.all(Array.from({ length: connections }, () => run.client(next)))
    clearInterval(timer)
    const memoryMb = await run.close()
    const { requests, findings, statuses, books } = run
    return { requests, findings, statuses, acknowledged: books.acknowledged, memoryMb }
  } finally {
    await stage.close()
  }
}
