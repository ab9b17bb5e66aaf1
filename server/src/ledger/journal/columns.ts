export type AccountState = { readonly balance: bigint; readonly seq: bigint }

/** The balances of one point type as the journal says, by account. */
export type AccountColumn = {
  get(account: number): AccountState | undefined
  set(account: number, balance: bigint, seq: bigint): void
  /** The accounts that an entry after `seq` changed. */
  changedAfter(seq: bigint): Iterable<readonly [account: number, state: AccountState]>
}

/** In typed arrays, as a realm may have millions. */
export class Column implements AccountColumn {
  balances = new BigInt64Array(1024)
  /** The entry that last changed each balance; 0 for an account without any. */
  seqs = new BigInt64Array(1024)
  seen = new Uint8Array(1024)

  set(account: number, balance: bigint, seq: bigint): void {
    while (account >= this.seqs.length) this.#double()
    this.balances[account] = balance
    this.seqs[account] = seq
    this.seen[account] = 0
  }

  get(account: number): AccountState | undefined {
    const seq = this.seqs[account] ?? 0n
    return seq === 0n ? undefined : { balance: this.balances[account] ?? 0n, seq }
  }

  *changedAfter(seq: bigint): Generator<readonly [number, AccountState]> {
    for (let account = 0; account < this.seqs.length; account += 1) {
      const state = this.get(account)
      if (state && state.seq > seq) yield [account, state]
    }
  }

  #double(): void {
    const grown = <T extends BigInt64Array | Uint8Array>(to: T, from: T): T => {
      to.set(from as never)
      return to
    }
    const length = this.seqs.length * 2
    this.balances = grown(new BigInt64Array(length), this.balances)
    this.seqs = grown(new BigInt64Array(length), this.seqs)
    this.seen = grown(new Uint8Array(length), this.seen)
  }
}

export type Columns = ReadonlyMap<number, Column>

/** For a few accounts among many. */
export class SparseColumn implements AccountColumn {
  readonly #states = new Map<number, { balance: bigint; seq: bigint }>()

  get(account: number): AccountState | undefined {
    return this.#states.get(account)
  }

  set(account: number, balance: bigint, seq: bigint): void {
    const state = this.#states.get(account)
    if (!state) {
      this.#states.set(account, { balance, seq })
      return
    }
    state.balance = balance
    state.seq = seq
  }

  *changedAfter(seq: bigint): Generator<readonly [number, AccountState]> {
    for (const one of this.#states) if (one[1].seq > seq) yield one
  }
}
