/** Whether the last request reached the server. */
export class Reach {
  #lost = false
  readonly #listeners = new Set<() => void>()

  readonly isLost = (): boolean => this.#lost

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(lost: boolean): void {
    if (lost === this.#lost) return
    this.#lost = lost
    for (const listener of this.#listeners) listener()
  }
}
