import { isDeepStrictEqual } from 'node:util'
import { bindForWrite } from '../../db/rowSecurity.ts'
import type { Answer, Session } from '../../db/session.ts'
import { Orphans } from '../../ledger/index.ts'
import { insertAwards, insertHolds } from './asideStore.ts'
import { insertIdentities, insertMerges } from './identityStore.ts'
import { copyEntries, insertDetails, insertErasures } from './loadJournalStore.ts'
import { type LotsSource, stepsIn, withLots } from './loadLots.ts'
import {
  begin,
  type FoldedBalance,
  insertMembers,
  insertWallets,
  moveHead,
  putBalances,
} from './loadStore.ts'
import {
  type Counts,
  type LoadedAward,
  type LoadedBatch,
  type LoadedEntry,
  type LoadedHold,
  type LoadedMember,
  pointsOf,
  type RealmHeader,
  type RealmLine,
  wrongFile,
} from './realmFile.ts'
import { insertClaimants, insertSnapshots } from './snapshotStore.ts'

/** Rows of one transaction. */
export const pageSize = 2_000

const counted = {
  member: 'members',
  wallet: 'wallets',
  identity: 'identities',
  entry: 'entries',
  batch: 'batches',
  erasure: 'erasures',
  hold: 'holds',
  award: 'awards',
  snapshot: 'snapshots',
  claimant: 'claimants',
  merge: 'merges',
} as const

/** What has not ended: stored when the realm becomes visible, as it ends by itself then. */
export type OpenLines = { readonly holds: LoadedHold[]; readonly awards: LoadedAward[] }

type Kind = keyof typeof counted

type Loading = {
  readonly realm: number
  readonly header: RealmHeader
  readonly head: { readonly seq: bigint; readonly hash: string }
}

/** Collects lines of one kind and writes them a page at a time. */
export class Loader {
  readonly #session: Session
  readonly #realm: number
  readonly #points: ReadonlyMap<string, number>
  readonly #lots: LotsSource
  readonly #counts: Counts = { members: 0, wallets: 0, entries: 0, holds: 0 }
  readonly #open: OpenLines = { holds: [], awards: [] }
  readonly #orphans = new Orphans()
  #seq: bigint
  #hash: string
  #kind: Kind | undefined
  #page: unknown[] = []
  #ended: Counts | undefined

  constructor(session: Session, { realm, header, head }: Loading) {
    this.#session = session
    this.#realm = realm
    this.#points = pointsOf(header)
    this.#lots = { realm, points: this.#points, steps: stepsIn(header) }
    this.#seq = head.seq
    this.#hash = head.hash
  }

  async add(line: RealmLine): Promise<void> {
    if ('end' in line) this.#ended = line.counts
    else if ('member' in line) await this.#addMember(line.member)
    else if ('wallet' in line) await this.#add('wallet', line.wallet)
    else if ('identity' in line) await this.#add('identity', line.identity)
    else if ('entry' in line) await this.#addEntry(line.entry)
    else if ('batch' in line) await this.#add('batch', line.batch)
    else if ('erasure' in line) await this.#add('erasure', line.erasure)
    else if ('hold' in line) await this.#addHold(line.hold)
    else if ('award' in line) await this.#addAward(line.award)
    else if ('snapshot' in line) await this.#add('snapshot', line.snapshot)
    else if ('claimant' in line) await this.#add('claimant', line.claimant)
    else if ('merge' in line) await this.#add('merge', line.merge)
    else throw wrongFile('A line does not belong to an exported realm.')
  }

  async end(): Promise<{ readonly counts: Counts; readonly open: OpenLines }> {
    await this.#flush()
    if (!this.#ended) throw wrongFile('The file is incomplete. Export it again.')
    if (!isDeepStrictEqual(this.#ended, this.#counts)) {
      throw wrongFile(
        `The file says ${JSON.stringify(this.#ended)}, but has ${JSON.stringify(this.#counts)}.`,
      )
    }
    const orphan = this.#orphans.first()
    if (orphan !== undefined) {
      throw wrongFile(`Account ${orphan} has points, but its member is not in the file. Export it again.`)
    }
    return { counts: this.#counts, open: this.#open }
  }

  #addMember(member: LoadedMember): Promise<void> {
    this.#orphans.addMember(member.account)
    return this.#add('member', member)
  }

  async #addEntry(entry: LoadedEntry): Promise<void> {
    const { realmPointId: point, fromAccount, fromBalance, toAccount, toBalance } = entry
    const from = { from_account: fromAccount, from_balance: fromBalance }
    this.#orphans.addEntry({ point, ...from, to_account: toAccount, to_balance: toBalance })
    // Already loaded by an earlier attempt.
    if (BigInt(entry.seq) <= this.#seq) this.#counts.entries += 1
    else await this.#add('entry', entry)
  }

  async #addHold(hold: LoadedHold): Promise<void> {
    if (hold.endedBy !== null) return this.#add('hold', hold)
    this.#counts.holds += 1
    this.#open.holds.push(hold)
  }

  async #addAward(award: LoadedAward): Promise<void> {
    if (award.endedBy !== null) return this.#add('award', award)
    this.#counts.awards = (this.#counts.awards ?? 0) + 1
    this.#open.awards.push(award)
  }

  async #add(kind: Kind, row: unknown): Promise<void> {
    if (kind !== this.#kind) await this.#flush()
    this.#kind = kind
    this.#page.push(row)
    if (this.#page.length >= pageSize) await this.#flush()
  }

  async #flush(): Promise<void> {
    const rows = this.#page.splice(0) as never[]
    if (rows.length === 0) return
    const [session, realm, points] = [this.#session, this.#realm, this.#points]
    const name = this.#kind && counted[this.#kind]
    if (name) this.#counts[name] = (this.#counts[name] ?? 0) + rows.length
    if (this.#kind === 'member') await this.#write(() => [insertMembers(session, realm, rows)])
    if (this.#kind === 'wallet') await this.#write(() => [insertWallets(session, realm, rows)])
    if (this.#kind === 'identity') await this.#write(() => [insertIdentities(session, realm, rows)])
    if (this.#kind === 'batch') await this.#write(() => [insertDetails(session, realm, detailsIn(rows))])
    if (this.#kind === 'erasure') await this.#write(() => [insertErasures(session, realm, rows)])
    if (this.#kind === 'hold') await this.#write(() => [insertHolds(session, realm, { rows, points })])
    if (this.#kind === 'award') await this.#write(() => [insertAwards(session, realm, { rows, points })])
    if (this.#kind === 'snapshot')
      await this.#write(() => [insertSnapshots(session, realm, { rows, points })])
    if (this.#kind === 'merge') await this.#write(() => [insertMerges(session, realm, rows)])
    if (this.#kind === 'claimant') await this.#write(() => [insertClaimants(session, realm, rows)])
    if (this.#kind === 'entry') await this.#flushEntries(rows)
  }

  /** Entries, their details, the balances after them, and the head: all or none. */
  async #flushEntries(rows: readonly LoadedEntry[]): Promise<void> {
    const [session, realm, points] = [this.#session, this.#realm, this.#points]
    const last = rows.at(-1)
    if (!last) return
    const from = this.#hash
    const balances = await withLots(session.within([realm]), folded(rows, points), { ...this.#lots, rows })
    await this.#write(() => [
      copyEntries(session, realm, { rows, points }),
      insertDetails(session, realm, rows),
      putBalances(session, realm, balances),
      moveHead(session, realm, { from, to: last }),
    ])
    this.#hash = last.hash
    this.#seq = BigInt(last.seq)
  }

  async #write(send: () => Promise<Answer<unknown>>[]): Promise<void> {
    const session = this.#session
    const [, , , ended] = await session.together(() =>
      Promise.all([
        begin(session),
        bindForWrite(session, [this.#realm]),
        Promise.all(send()),
        session.commit(),
      ]),
    )
    if (session.doubtful || ended.command !== 'COMMIT') throw new Error('a page was not committed')
  }
}

const detailsIn = (batches: readonly LoadedBatch[]) =>
  batches.map((said) => ({ seq: said.seq, details: said }))

/** The balances after these entries. */
function folded(rows: readonly LoadedEntry[], points: ReadonlyMap<string, number>): FoldedBalance[] {
  const balances = new Map<string, FoldedBalance>()
  for (const { seq, atUs, realmPointId, fromAccount, fromBalance, toAccount, toBalance } of rows) {
    const number = points.get(realmPointId) ?? 0
    const set = (account: number, balance: string | null) => {
      if (balance !== null)
        balances.set(`${account}:${number}`, { account, point: number, balance, seq, atUs, lots: null })
    }
    set(fromAccount, fromBalance)
    set(toAccount, toBalance)
  }
  return [...balances.values()]
}
