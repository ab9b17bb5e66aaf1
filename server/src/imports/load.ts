import { hash as digest } from 'node:crypto'
import { type Actor, record } from '../audit/audit.ts'
import type { Database } from '../db/database.ts'
import { brokenConstraint } from '../db/failures.ts'
import type { Answer, Session } from '../db/session.ts'
import { bind } from '../db/wall.ts'
import { refuse } from '../errors.ts'
import { originHash } from '../realms/realms.ts'
import {
  begin,
  copyEntries,
  type FoldedBalance,
  findRealm,
  hideRealm,
  insertDetails,
  insertHead,
  insertHolds,
  insertMembers,
  insertPoints,
  insertRealm,
  insertSettings,
  insertWallets,
  moveHead,
  putBalances,
  readHead,
  showRealm,
} from './loadStore.ts'
import {
  type Counts,
  type LoadedEntry,
  type LoadedHold,
  linesOf,
  parseHeader,
  parseLine,
  type RealmHeader,
  type RealmLine,
  wrongFile,
} from './realmFile.ts'
import { insertClaimants, insertSnapshots } from './snapshotStore.ts'

/** Rows of one transaction. */
const pageSize = 2_000

/** Under which a realm is known while it is loaded: the same for the same file, so that it can go on. */
const loadingId = (header: string): string => `loading-${digest('sha256', header, 'hex').slice(0, 24)}`

/** A realm whose rows are all there, and that nobody finds yet. */
export type Loaded = {
  readonly realm: number
  readonly header: RealmHeader
  readonly counts: Counts
  /** Makes it one of the realms, once it was found right. */
  readonly show: () => Promise<void>
  /** Leaves it hidden for good: its journal can't be deleted, and another try begins anew. */
  readonly giveUp: () => Promise<void>
}

export type LoadOptions = {
  readonly db: Database
  readonly by: Actor
  readonly onPage?: (rows: number) => void
}

/**
 * Loads an exported realm in pages, each a transaction that leaves the books right: an end of the process
 * leaves a realm that goes no further than it came, under a name of its own, and the same file goes on there.
 */
export async function loadRealm(chunks: AsyncIterable<string>, options: LoadOptions): Promise<Loaded> {
  const { db, by, onPage } = options
  const lines = linesOf(chunks)
  const first = await lines.next()
  const header = parseHeader(first.done ? '' : first.value)
  if ((await findRealm(db, header.realmId)) !== undefined) throw exists(header)
  const known = await findRealm(db, loadingId(first.value ?? ''))
  const realm = known ?? (await makeRealm(db, header, loadingId(first.value ?? '')))
  const session = await db.open({})
  try {
    const loader = new Loader(session, { realm, header, head: await readHead(db.within([realm]), realm) })
    let number = 1
    for await (const line of lines) {
      number += 1
      if (line === '') continue
      await loader.add(parseLine(line, number))
      if (number % pageSize === 0) onPage?.(number)
    }
    const { counts, open } = await loader.end()
    return {
      realm,
      header,
      counts,
      show: () => show(db, { realm, header, open, by }),
      giveUp: () => hideRealm(db, realm),
    }
  } finally {
    await session.close()
  }
}

const exists = ({ realmId }: RealmHeader) =>
  refuse('already_exists', `There is a realm ${realmId} already. A realm keeps its id: its hashes cover it.`)

/** Its head is where its journal will begin. */
function makeRealm(db: Database, header: RealmHeader, id: string): Promise<number> {
  return db.transaction(async (tx) => {
    const realm = await insertRealm(tx, id, header.settings.created_at)
    await bind(tx, [realm])
    await insertHead(tx, realm, { hash: originHash(header.realmId), next_account: header.next_account })
    await insertPoints(tx, realm, header.points)
    await insertSettings(tx, realm, header)
    return realm
  })
}

type Showing = {
  readonly realm: number
  readonly header: RealmHeader
  readonly open: readonly LoadedHold[]
  readonly by: Actor
}

/** Open holds come last: from then on they run out, which writes to the journal. */
async function show(db: Database, { realm, header, open, by }: Showing): Promise<void> {
  const points = pointsOf(header)
  try {
    await db.transaction(async (tx) => {
      await bind(tx, [realm])
      for (let from = 0; from < open.length; from += pageSize) {
        await insertHolds(tx, realm, { rows: open.slice(from, from + pageSize), points })
      }
      await showRealm(tx, realm, header)
      const subject = `realm ${header.realmId} as of ${header.seq}:${header.hash}`
      await record(tx, by, { realm, action: 'realm.import', subject })
    })
  } catch (error) {
    throw brokenConstraint(error) === 'realms_id_unique' ? exists(header) : error
  }
}

const pointsOf = ({ points }: RealmHeader): ReadonlyMap<string, number> =>
  new Map(points.map(({ id, number }) => [id, number]))

type Kind = 'member' | 'wallet' | 'entry' | 'hold' | 'snapshot' | 'claimant'

const counted = {
  member: 'members',
  wallet: 'wallets',
  entry: 'entries',
  hold: 'holds',
  snapshot: 'snapshots',
  claimant: 'claimants',
} as const

type Loading = {
  readonly realm: number
  readonly header: RealmHeader
  readonly head: { readonly seq: bigint; readonly hash: string }
}

/** Gathers lines of a kind and writes them a page at a time. */
class Loader {
  readonly #session: Session
  readonly #realm: number
  readonly #points: ReadonlyMap<string, number>
  readonly #counts: Counts = { members: 0, wallets: 0, entries: 0, holds: 0 }
  readonly #open: LoadedHold[] = []
  #seq: bigint
  #hash: string
  #kind: Kind | undefined
  #page: unknown[] = []
  #ended: Counts | undefined

  constructor(session: Session, { realm, header, head }: Loading) {
    this.#session = session
    this.#realm = realm
    this.#points = pointsOf(header)
    this.#seq = head.seq
    this.#hash = head.hash
  }

  async add(line: RealmLine): Promise<void> {
    if ('end' in line) this.#ended = line.counts
    else if ('member' in line) await this.#gather('member', line.member)
    else if ('wallet' in line) await this.#gather('wallet', line.wallet)
    else if ('entry' in line) await this.#gatherEntry(line.entry)
    else if ('hold' in line) await this.#gatherHold(line.hold)
    else if ('snapshot' in line) await this.#gather('snapshot', line.snapshot)
    else if ('claimant' in line) await this.#gather('claimant', line.claimant)
    else throw wrongFile('A line is none of an exported realm.')
  }

  async end(): Promise<{ readonly counts: Counts; readonly open: readonly LoadedHold[] }> {
    await this.#flush()
    if (!this.#ended) throw wrongFile('The file ends before its realm does. Export it again.')
    if (JSON.stringify(this.#ended) !== JSON.stringify(this.#counts)) {
      throw wrongFile(
        `The file says ${JSON.stringify(this.#ended)}, but has ${JSON.stringify(this.#counts)}.`,
      )
    }
    return { counts: this.#counts, open: this.#open }
  }

  async #gatherEntry(entry: LoadedEntry): Promise<void> {
    // Loaded before, when this file was begun.
    if (BigInt(entry.seq) <= this.#seq) this.#counts.entries += 1
    else await this.#gather('entry', entry)
  }

  async #gatherHold(hold: LoadedHold): Promise<void> {
    if (hold.ended_seq !== null) return this.#gather('hold', hold)
    this.#counts.holds += 1
    this.#open.push(hold)
  }

  async #gather(kind: Kind, row: unknown): Promise<void> {
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
    if (this.#kind === 'hold') await this.#write(() => [insertHolds(session, realm, { rows, points })])
    if (this.#kind === 'snapshot')
      await this.#write(() => [insertSnapshots(session, realm, { rows, points })])
    if (this.#kind === 'claimant') await this.#write(() => [insertClaimants(session, realm, rows)])
    if (this.#kind === 'entry') await this.#flushEntries(rows)
  }

  /** Entries, what was said about them, what they make of the balances, and the head: all or none. */
  async #flushEntries(rows: readonly LoadedEntry[]): Promise<void> {
    const [session, realm, points] = [this.#session, this.#realm, this.#points]
    const last = rows.at(-1)
    if (!last) return
    const from = this.#hash
    await this.#write(() => [
      copyEntries(session, realm, { rows, points }),
      insertDetails(session, realm, rows),
      putBalances(session, realm, folded(rows, points)),
      moveHead(session, realm, { from, to: last }),
    ])
    this.#hash = last.hash
    this.#seq = BigInt(last.seq)
  }

  async #write(send: () => Promise<Answer<unknown>>[]): Promise<void> {
    const session = this.#session
    const sent = session.together(() => [
      begin(session),
      bind(session, [this.#realm]),
      ...send(),
      session.commit() as Promise<Answer<unknown>>,
    ])
    const ended = await Promise.all(sent)
    if (session.doubtful || ended.at(-1)?.command !== 'COMMIT') throw new Error('a page was not committed')
  }
}

/** What these entries leave of each balance that they move. */
function folded(rows: readonly LoadedEntry[], points: ReadonlyMap<string, number>): FoldedBalance[] {
  const balances = new Map<string, FoldedBalance>()
  for (const { seq, at_us, point, from_account, from_balance, to_account, to_balance } of rows) {
    const number = points.get(point) ?? 0
    const set = (account: number, balance: string | null) => {
      if (balance !== null)
        balances.set(`${account}:${number}`, { account, point: number, balance, seq, at_us })
    }
    set(from_account, from_balance)
    set(to_account, to_balance)
  }
  return [...balances.values()]
}
