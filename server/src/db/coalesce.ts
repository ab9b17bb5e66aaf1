import { overloaded, RefusalError } from '../errors.ts'

/** Queries that may wait at once; the next one is answered 503, so that memory stays bounded. */
const waitingCap = 10_000

/** Answers in the order of the questions; a refusal rejects its question alone. */
type Ask<Question, Answer> = (questions: readonly Question[]) => Promise<readonly (Answer | RefusalError)[]>

/** Runs one statement for all waiting queries: while it runs, further queries queue for the next one. */
export class Coalescer<Question, Answer> {
  readonly #ask: Ask<Question, Answer>
  readonly #cap: number
  #waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = []
  #free: number

  /** At most `cap` queries in one statement, `parallel` statements at once. */
  constructor(
    ask: Ask<Question, Answer>,
    { cap, parallel }: { readonly cap: number; readonly parallel: number },
  ) {
    this.#ask = ask
    this.#cap = cap
    this.#free = parallel
  }

  get(question: Question): Promise<Answer> {
    if (this.#waiting.length >= waitingCap) return Promise.reject(new RefusalError(overloaded))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject })
      if (this.#free === 0) return
      this.#free -= 1
      setImmediate(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, this.#cap)
      try {
        const answers = await this.#ask(asked.map(({ question }) => question))
        asked.forEach(({ resolve, reject }, index) => {
          const answer = answers[index]
          if (answer instanceof RefusalError) reject(answer)
          else resolve(answer as Answer)
        })
      } catch (error) {
        for (const { reject } of asked) reject(error)
      }
    }
    this.#free += 1
  }
}
