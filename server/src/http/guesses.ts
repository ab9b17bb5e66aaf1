import { setTimeout as sleep } from 'node:timers/promises'
import { overloaded, Refused } from '../errors.ts'
import { networkOf } from './address.ts'

/** Keys that open nothing are answered at once this often; one is forgiven each second. */
const free = 50
const forgivenPerMs = 1 / 1000
/** Then each is later than the last: by so much at first, twice as much each time, up to a second. */
const firstMs = 10
const longestMs = 1_000
/** Beyond `longestMs` they are counted no further: who stops guessing is soon forgiven. */
const countCap = 70
/** Addresses that are remembered, and answers that are held back at once, of all and of one address. */
const remembered = 10_000
const heldCap = 1_000
const heldOfOneCap = 50
/** Secrets that wait to be looked up at once, of all and of one address; for one more the answer is 503. */
const waitingCap = 10_000
const waitingOfOneCap = 1_000

type Guesser = { count: number; atMs: number; held: number; waiting: number }

/** Slows whoever guesses keys, by address. Who holds a key is never asked about it. */
export class Guesses {
  readonly #nowMs: () => number
  readonly #guessers = new Map<string, Guesser>()
  #held = 0
  #waiting = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Counts a wrong key and waits; false when too many wait already: better to close the connection. */
  async slow(address: string): Promise<boolean> {
    const guesser = this.#count(networkOf(address))
    const over = guesser.count - free
    if (over <= 0) return true
    if (this.#held >= heldCap || guesser.held >= heldOfOneCap) return false
    this.#held += 1
    guesser.held += 1
    await sleep(delayMs(over))
    this.#held -= 1
    guesser.held -= 1
    return true
  }

  /**
   * Waits before the database is asked for a secret that this process does not know: as long as the address
   * has earned by wrong ones. Throws 503 when too many wait.
   */
  async wait(address: string): Promise<void> {
    const guesser = this.#guessers.get(networkOf(address))
    const over = guesser ? leftOf(guesser, this.#nowMs()) + 1 - free : 0
    if (!guesser || over <= 0) return
    if (this.#waiting >= waitingCap || guesser.waiting >= waitingOfOneCap) throw new Refused(overloaded)
    this.#waiting += 1
    guesser.waiting += 1
    await sleep(delayMs(over))
    this.#waiting -= 1
    guesser.waiting -= 1
  }

  /** Counts a wrong key that has waited already. */
  count(address: string): void {
    this.#count(networkOf(address))
  }

  #count(network: string): Guesser {
    const nowMs = this.#nowMs()
    const known = this.#guessers.get(network) ?? { count: 0, atMs: nowMs, held: 0, waiting: 0 }
    known.count = Math.min(countCap, leftOf(known, nowMs) + 1)
    known.atMs = nowMs
    // Last in, and the longest quiet out.
    this.#guessers.delete(network)
    this.#guessers.set(network, known)
    if (this.#guessers.size > remembered) {
      const [oldest] = this.#guessers.keys()
      if (oldest !== undefined) this.#guessers.delete(oldest)
    }
    return known
  }
}

/** What is not yet forgiven. */
const leftOf = ({ count, atMs }: Guesser, nowMs: number): number =>
  Math.max(0, count - (nowMs - atMs) * forgivenPerMs)

const delayMs = (over: number): number => Math.min(longestMs, firstMs * 2 ** Math.floor(over))
