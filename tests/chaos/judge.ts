import type { Books, Entry } from './books.ts'
import { type Change, type DiaryEntry, fateOf, isDefinite } from './diary.ts'

/** The outcome of all requests. */
export type Verdict = {
  readonly sent: number
  readonly acknowledged: number
  readonly refused: number
  /** Requests whose outcome was unknown to the client at some time. */
  readonly unknown: number
  /** Those of them that a retry settled. */
  readonly settled: number
  readonly lost: number
  readonly doubled: number
  readonly phantom: number
  /** Every problem found, as text. */
  readonly wrong: readonly string[]
}

const nameOf = ({ id, realm, member, to, amount }: Change): string =>
  `request ${id} (${realm}: ${amount} ${member}${to === undefined ? '' : ` to ${to}`})`

/** The two accounts of the entry for a change. */
function partiesOf({ member, to, amount }: Change): Pick<Entry, 'from' | 'to'> {
  if (to !== undefined) return { from: member, to }
  return amount > 0 ? { from: undefined, to: member } : { from: member, to: undefined }
}

/** Those that clients of the diary did not cause, such as the expiry of a hold. */
type OthersEntry = (entry: Entry) => boolean

/** Compares the clients' diary with the ledger. */
export function judge(
  diary: ReadonlyMap<number, DiaryEntry>,
  books: Books,
  isOthers: OthersEntry = () => false,
): Verdict {
  const wrong: string[] = []
  const count = { sent: 0, acknowledged: 0, refused: 0, unknown: 0, settled: 0 }
  const found = { lost: 0, doubled: 0, phantom: 0 }
  const own = books.entries.filter((entry) => !isOthers(entry))
  const byAmount = Map.groupBy(own, ({ realm, amount }) => `${realm} ${amount}`)
  for (const one of diary.values()) {
    const { change, answers } = one
    const key = `${change.realm} ${Math.abs(change.amount)}`
    const made = byAmount.get(key) ?? []
    byAmount.delete(key)
    const fate = fateOf(one)
    count.sent += 1
    if (fate === 'done') count.acknowledged += 1
    if (fate === 'refused') count.refused += 1
    const doubted = answers.length === 0 || answers.some(isDoubt)
    if (doubted) count.unknown += 1
    if (doubted && answers.some(isDefinite)) count.settled += 1
    if (fate === 'done' && made.length === 0) {
      found.lost += 1
      wrong.push(`lost: ${nameOf(change)} was acknowledged and has no entry`)
    }
    if (made.length > 1) {
      found.doubled += 1
      wrong.push(`doubled: ${nameOf(change)} has entries ${made.map(({ seq }) => seq).join(', ')}`)
    }
    if (fate === 'refused' && made.length > 0) {
      found.phantom += 1
      wrong.push(`phantom: ${nameOf(change)} was rejected and has entry ${made[0]?.seq}`)
    }
    const { from, to } = partiesOf(change)
    for (const entry of made) {
      if (entry.from === from && entry.to === to) continue
      found.phantom += 1
      wrong.push(`phantom: entry ${entry.seq} is not what ${nameOf(change)} asked for`)
    }
  }
  for (const [key, entries] of byAmount) {
    found.phantom += entries.length
    wrong.push(`phantom: no client requested entry ${entries[0]?.seq} of ${key}`)
  }
  return { ...count, ...found, wrong: [...wrong, ...foldsWrong(books)] }
}

const isDoubt = ({ status, code }: { status: number; code: string }): boolean =>
  status === 0 || code === 'outcome_unknown' || status === 500

/** Every balance is the sum of its history, and seqs have no gap. */
function foldsWrong({ entries, balances, opening }: Books): string[] {
  const wrong: string[] = []
  const folded = new Map<string, bigint>(opening?.balances)
  type Move = { who: string | undefined; by: bigint; says: bigint | undefined }
  const move = (entry: Entry, { who, by, says }: Move) => {
    if (who === undefined) return
    const key = `${entry.realm} ${who}`
    const after = (folded.get(key) ?? 0n) + by
    folded.set(key, after)
    if (after !== says)
      wrong.push(`fold: entry ${entry.seq} leaves ${key} ${says}, its history says ${after}`)
  }
  const last = new Map<string, number>(opening?.seqs)
  for (const entry of entries) {
    const { realm, seq, from, to, amount } = entry
    const before = last.get(realm) ?? 0
    if (seq !== before + 1) wrong.push(`gap: in ${realm}, ${seq} follows ${before}`)
    last.set(realm, seq)
    move(entry, { who: from, by: -amount, says: entry.fromBalance })
    move(entry, { who: to, by: amount, says: entry.toBalance })
  }
  for (const [key, balance] of balances) {
    if ((folded.get(key) ?? 0n) !== balance)
      wrong.push(`fold: ${key} has ${balance}, its history says ${folded.get(key) ?? 0n}`)
  }
  for (const [key, balance] of folded) {
    if (!balances.has(key)) wrong.push(`fold: ${key} has no balance, its history says ${balance}`)
  }
  return wrong
}
