import { ownerOf } from './accounts.ts'
import { isMembers } from './command.ts'

/** The fields of an entry that determine the balances after it, as read from a table or a file. */
type Moved = {
  readonly point: number | string
  readonly from_account: number
  readonly from_balance: bigint | string | null
  readonly to_account: number
  readonly to_balance: bigint | string | null
}

/** Accounts of one piece of the bit set: a realm may have millions, each takes one bit. */
const pieceBits = 15

class Accounts {
  readonly #pieces = new Map<number, Uint8Array>()

  add(account: number): void {
    const [key, at] = [account >>> pieceBits, account % 2 ** pieceBits]
    const piece = this.#pieces.get(key) ?? new Uint8Array(2 ** pieceBits / 8)
    piece[at >>> 3] = (piece[at >>> 3] ?? 0) | (1 << (at & 7))
    this.#pieces.set(key, piece)
  }

  has(account: number): boolean {
    const at = account % 2 ** pieceBits
    return (((this.#pieces.get(account >>> pieceBits)?.[at >>> 3] ?? 0) >>> (at & 7)) & 1) === 1
  }
}

/**
 * Finds points on accounts without a member. A member is removed only without points, so at any one entry
 * there are none; where members and entries were read at two different times, there may be.
 */
export class Orphans {
  readonly #members = new Accounts()
  /** Accounts that have points after the entries so far and do not belong to a known member. */
  readonly #balances = new Map<string, number>()

  addMember(account: number): void {
    this.#members.add(account)
  }

  addEntry({ point, from_account, from_balance, to_account, to_balance }: Moved): void {
    this.#set(from_account, point, from_balance)
    this.#set(to_account, point, to_balance)
  }

  /** An account with points and without a member. */
  first(): number | undefined {
    for (const account of this.#balances.values()) {
      if (!this.#members.has(ownerOf(account))) return ownerOf(account)
    }
    return undefined
  }

  #set(account: number, point: number | string, balance: bigint | string | null): void {
    const owner = ownerOf(account)
    if (!isMembers(owner) || this.#members.has(owner)) return
    const key = `${account}:${point}`
    if (balance === null || String(balance) === '0') this.#balances.delete(key)
    else this.#balances.set(key, account)
  }
}
