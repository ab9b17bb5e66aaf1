/** What the journal says of one point type, by account. In typed arrays, as a realm may have millions. */
export class Column {
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

  get(account: number): { readonly balance: bigint; readonly seq: bigint } | undefined {
    const seq = this.seqs[account] ?? 0n
    return seq === 0n ? undefined : { balance: this.balances[account] ?? 0n, seq }
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
