type Task = { readonly everySeconds: number; atMs: number }

/** When each recurring task of this process last succeeded. */
export class TaskTimes {
  readonly #tasks = new Map<string, Task>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number = Date.now) {
    this.#nowMs = nowMs
  }

  /**
   * Adds a task, and returns what it calls when it has succeeded, or has found that another process does it.
   * The start of the process counts as a success, so that a task that never succeeds is noticed too.
   */
  add(name: string, everySeconds: number): () => void {
    const task = { everySeconds, atMs: this.#nowMs() }
    this.#tasks.set(name, task)
    return () => {
      task.atMs = this.#nowMs()
    }
  }

  /** In seconds of Unix time. */
  lastSuccesses(): readonly (readonly [task: string, seconds: number])[] {
    return [...this.#tasks].map(([name, { atMs }]) => [name, atMs / 1000] as const)
  }

  intervals(): readonly (readonly [task: string, seconds: number])[] {
    return [...this.#tasks].map(([name, { everySeconds }]) => [name, everySeconds] as const)
  }
}
