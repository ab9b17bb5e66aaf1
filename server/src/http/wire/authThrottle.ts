import { setTimeout as sleep } from 'node:timers/promises'
import { overloaded, RefusalError } from '../../errors.ts'
import { networkOf } from './address.ts'

/** This many wrong keys get an immediate response; the count falls by one each second. */
const free = 50
const forgivenPerMs = 1 / 1000
/** Then each response is delayed: by this much at first, doubled each time, up to a second. */
const firstMs = 10
const longestMs = 1_000
/** Beyond `longestMs` they are not counted: a client that stops guessing recovers soon. */
const countCap = 70
/** The number of addresses that are remembered. */
const remembered = 10_000
/**
 * The most wrong or unknown secrets that wait at once, in total and for one address. Waiting costs little,
 * while an immediate response brings the next attempt: a hundred such connections blocked new ones.
 */
const heldCap = 10_000
const heldOfOneCap = 1_000

type Guesser = { count: number; atMs: number; held: number }

/** Throttles clients that guess keys, by address. Clients with a valid key are not affected. */
export class AuthThrottle {
  readonly #nowMs: () => number
  readonly #guessers = new Map<string, Guesser>()
  #held = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Counts a wrong key and waits; false when too many wait already: the connection should be closed. */
  async delay(address: string): Promise<boolean> {
    const guesser = this.#count(networkOf(address))
    const over = guesser.count - free
    if (over <= 0) return true
    if (this.#isFull(guesser)) return false
    await this.#hold(guesser, over)
    return true
  }

  /**
   * Waits before a secret that this process does not know is looked up in the database, depending on the
   * address's wrong ones. Throws 503 when too many wait.
   */
  async wait(address: string): Promise<void> {
    const guesser = this.#guessers.get(networkOf(address))
    const over = guesser ? leftOf(guesser, this.#nowMs()) + 1 - free : 0
    if (!guesser || over <= 0) return
    if (this.#isFull(guesser)) throw new RefusalError(overloaded)
    await this.#hold(guesser, over)
  }

  /** Counts a wrong key that was already delayed. */
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
    // Least recently used addresses are evicted.
    this.#guessers.delete(network)
    this.#guessers.set(network, known)
    if (this.#guessers.size > remembered) {
      const [oldest] = this.#guessers.keys()
      if (oldest !== undefined) this.#guessers.delete(oldest)
    }
    return known
  }
}

/** The wrong keys that still count. */
const leftOf = ({ count, atMs }: Guesser, nowMs: number): number =>
  Math.max(0, count - (nowMs - atMs) * forgivenPerMs)

const delayMs = (over: number): number => Math.min(longestMs, firstMs * 2 ** Math.floor(over))
