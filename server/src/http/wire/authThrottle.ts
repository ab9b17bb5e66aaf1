import { setTimeout as sleep } from 'node:timers/promises'
import { overloaded, Refused } from '../../errors.ts'
import { networkOf } from './address.ts'

/** Keys that open nothing are answered at once this often; one is forgiven each second. */
const free = 50
const forgivenPerMs = 1 / 1000
/** Then each is later than the last: by so much at first, twice as much each time, up to a second. */
const firstMs = 10
const longestMs = 1_000
/** Beyond `longestMs` they are counted no further: who stops guessing is soon forgiven. */
const countCap = 70
/** Addresses that are remembered. */
const remembered = 10_000
/**
 * Wrong secrets and unknown ones that wait at once, of all and of one address. Waiting costs little, and one
 * that is answered at once comes back at once: a hundred such connections kept others from being accepted.
 */
const heldCap = 10_000
const heldOfOneCap = 1_000

type Guesser = { count: number; atMs: number; held: number }

/** Slows whoever guesses keys, by address. Who holds a key is never asked about it. */
export class AuthThrottle {
  readonly #nowMs: () => number
  readonly #guessers = new Map<string, Guesser>()
  #held = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Counts a wrong key and waits; false when too many wait already: better to close the connection. */
  async delay(address: string): Promise<boolean> {
    const guesser = this.#count(networkOf(address))
    const over = guesser.count - free
    if (over <= 0) return true
    if (this.#isFull(guesser)) return false
    await this.#hold(guesser, over)
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
    if (this.#isFull(guesser)) throw new Refused(overloaded)
    await this.#hold(guesser, over)
  }

  /** Counts a wrong key that has waited already. */
  count(address: string): void {
    this.#count(networkOf(address))
  }

  #isFull(guesser: Guesser): boolean {
    return this.#held >= heldCap || guesser.held >= heldOfOneCap
  }

  async #hold(guesser: Guesser, over: number): Promise<void> {
    this.#held += 1
    guesser.held += 1
    await sleep(delayMs(over))
    this.#held -= 1
    guesser.held -= 1
  }

  #count(network: string): Guesser {
    const nowMs = this.#nowMs()
    const known = this.#guessers.get(network) ?? { count: 0, atMs: nowMs, held: 0 }
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
