import type { Database } from '../db/database.ts'
import type { Writable } from '../db/session.ts'
import { refuse } from '../errors.ts'
import { greatest } from '../ledger/index.ts'
import { isOldId } from '../members/identities/index.ts'
import { memberNotFound } from '../members/index.ts'
import { type Configs, configIn, type RealmConfig } from '../realms/index.ts'
import { type BoardQuery, type DaysQuery, dayOf, daysBetween, type PeriodName, rangeOf } from './asked.ts'
import type { Board } from './board.ts'
import { findAccounts, type ListedRow, readListed } from './boardStore.ts'
import { Boards } from './boards.ts'
import { check, type StandingsVerdict } from './check.ts'
import { Days, dateOf, dayIn } from './days.ts'
import { type Cursor, listOf, placeOf, type RankedAccount } from './listing.ts'
import { Projector } from './projector.ts'
import { type Statistics, statisticsOf } from './statistics.ts'
import { readStatistics } from './statisticsStore.ts'
import { startBuild } from './store.ts'

export type { BoardQuery, PeriodName } from './asked.ts'
export type { StandingsVerdict } from './check.ts'
export { isDay } from './days.ts'
export type { Cursor } from './listing.ts'
export type { Statistics } from './statistics.ts'

/** A member as a board shows it. */
export type Standing = {
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  /** Null for a member that is not ranked. */
  readonly rank: number | null
  readonly balance: number
  /** The score it is ranked by. */
  readonly score: number
  readonly lastMovedAt: Date | null
  readonly wallet: string | null
}

/** `to` is exclusive. */
export type Period = { readonly name: PeriodName; readonly from: string | null; readonly to: string | null }

type BoardSummary = {
  /** How many members are ranked. */
  readonly total: number
  /** The entry that the result is current at. */
  readonly seq: bigint
  readonly period: Period
}

export type Top = BoardSummary & { readonly members: readonly Standing[]; readonly next: Cursor | undefined }
export type Around = BoardSummary & {
  readonly member: Standing
  readonly above: readonly Standing[]
  readonly below: readonly Standing[]
}

const daysByDefault = 30
const catchUpWithinMs = 900
const secondsOfRebuild = 3_600

export type StandingsOptions = {
  readonly db: Database
  readonly configs: Configs
  readonly everyMs: number
  readonly onFault: (error: unknown) => void
  readonly onFolded?: ((delayMs: number) => void) | undefined
  readonly nowMs?: () => number
}

/** Leaderboards and statistics of a realm: folded from the journal, off the write path. */
export class Standings {
  readonly #options: StandingsOptions
  readonly #projector: Projector
  readonly #boards: Boards

  constructor(options: StandingsOptions) {
    this.#options = options
    this.#projector = new Projector(options)
    this.#boards = new Boards(options.db)
  }

  /** Notes that a realm was written to. */
  written(realm: number): void {
    this.#projector.written(realm)
  }

  /** What is folded starts over, in the transaction that undoes a merge. */
  async startOver(tx: Writable, realm: number): Promise<void> {
    await startBuild(tx, realm)
  }

  /** Drops what is in memory of a realm that is not in this cell any more. */
  drop(realm: number): void {
    this.#boards.drop(realm)
  }

  /** How far they are behind what this process has written. */
  due(): { readonly realms: number; readonly lagMs: number } {
    return this.#projector.due()
  }

  /** The top members, or those after a cursor. */
  async top(
    realm: number,
    asked: BoardQuery,
    page: { readonly after: Cursor | undefined; readonly limit: number },
  ): Promise<Top> {
    const opened = await this.#open(realm, asked)
    const { ranked, next, total } = listOf(opened.board.ranking, { ...page, without: opened.without })
    const asOf = opened.asOf()
    return { members: await this.#shown(realm, opened, ranked), next, total, ...asOf }
  }

  /** A member's rank, and the members next to it. */
  async around(
    realm: number,
    asked: BoardQuery,
    { member, neighbours }: { readonly member: string; readonly neighbours: number },
  ): Promise<Around> {
    const opened = await this.#open(realm, asked)
    const { db } = this.#options
    const [account] = await findAccounts(db.within([realm]), realm, [member])
    if (account === undefined) {
      const { unknownMembers, hasMerges } = opened.config
      const isOld = hasMerges && (await isOldId(db.within([realm]), realm, member))
      if (unknownMembers === 'refuse' || isOld) throw memberNotFound(member)
      const total = opened.board.ranking.size
      return { member: { id: member, ...unknownMember }, above: [], below: [], total, ...opened.asOf() }
    }
    const { ranking } = opened.board
    const { own, above, below, total } = placeOf(ranking, account, { neighbours, without: opened.without })
    const unranked = { account, score: ranking.scoreOf(account), rank: 0 }
    const asOf = opened.asOf()
    const shown = await this.#shown(realm, opened, [own ?? unranked, ...above, ...below])
    const [first, ...others] = shown
    if (!first) throw memberNotFound(member)
    return {
      member: own ? first : { ...first, rank: null },
      above: others.slice(0, above.length),
      below: others.slice(above.length),
      total,
      ...asOf,
    }
  }

  /** Of the given days; by default of the last 30, including today. */
  async statistics(realm: number, asked: DaysQuery): Promise<Statistics> {
    const db = this.#options.db.within([realm])
    await this.#projector.catchUp(realm, catchUpWithinMs)
    const config = await this.#options.configs.latest(db, realm)
    const days = new Days(config.timeZone)
    const today = days.at(this.#nowMs())
    const to = asked.to === undefined ? today + 1 : dayOf('to', asked.to, days)
    const from = asked.from === undefined ? to - daysByDefault : dayOf('from', asked.from, days)
    const range = { ...daysBetween(from, to), today }
    return statisticsOf(await readStatistics(db, realm, range), config, range)
  }

  /** When a day begins in the realm's time zone, in microseconds since 1970. */
  async startOf(realm: number, date: string): Promise<bigint> {
    const { timeZone } = await this.#options.configs.latest(this.#options.db.within([realm]), realm)
    return BigInt(new Days(timeZone).startOf(dayIn(date) ?? 0)) * 1000n
  }

  check(realm: number): Promise<StandingsVerdict> {
    return check(this.#options.db, realm)
  }

  /** Folds a realm's journal again from entry 1, to its end. */
  async rebuild(realm: number): Promise<void> {
    await this.#projector.rebuild(realm)
    if (!(await this.#projector.catchUp(realm, secondsOfRebuild * 1000)))
      throw new Error('it took more than an hour')
    while ((await this.#projector.step(realm)) === 'more');
  }

  async close(): Promise<void> {
    this.#boards.close()
    await this.#projector.close()
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? Date.now)()
  }

  /** Opens with the known configuration while checking that it is the latest: it usually is. */
  async #open(realm: number, asked: BoardQuery): Promise<Opened> {
    this.#projector.asked(realm)
    const { configs } = this.#options
    const db = this.#options.db.within([realm])
    const known = configIn(await configs.resolve(db, [[realm]]), realm)
    const [opened, latest] = await Promise.allSettled([
      this.#openWith(known, realm, asked),
      configs.latest(db, realm),
    ])
    if (latest.status === 'rejected') throw latest.reason
    if (latest.value.version !== known.version) return this.#openWith(latest.value, realm, asked)
    if (opened.status === 'rejected') throw opened.reason
    return opened.value
  }

  async #openWith(config: RealmConfig, realm: number, asked: BoardQuery): Promise<Opened> {
    const db = this.#options.db.within([realm])
    const point = asked.point === undefined ? config.defaultPoint : config.points.get(asked.point)
    if (!point || point.archived)
      throw refuse('point_not_found', `The realm has no point type ${asked.point}.`)
    const { timeZone } = config
    const range = rangeOf(asked, new Days(timeZone), this.#nowMs())
    const subject = { realm, point: point.number, period: range && { range, timeZone } }
    const [board, without] = await Promise.all([
      this.#boards.get(subject),
      asked.exclude.length > 0 ? findAccounts(db, realm, asked.exclude) : new Set<number>(),
    ])
    const period = {
      name: asked.period,
      from: range ? dateOf(range.from) : null,
      to: range ? dateOf(range.to + 1) : null,
    }
    // Read together with the listing: the board moves on.
    const asOf = () => ({ seq: board.seq, period })
    return { board, without, config, point: point.number, isAllTime: range === undefined, asOf }
  }

  async #shown(realm: number, opened: Opened, ranked: readonly RankedAccount[]): Promise<Standing[]> {
    const asked = { accounts: ranked.map(({ account }) => account), point: opened.point }
    const found = await readListed(this.#options.db.within([realm]), realm, asked)
    return ranked.flatMap((one) => {
      const row = found.get(one.account)
      return row ? [standingOf(one, row, opened.isAllTime)] : []
    })
  }
}

type Opened = {
  readonly board: Board
  readonly without: ReadonlySet<number>
  readonly config: RealmConfig
  readonly point: number
  readonly isAllTime: boolean
  readonly asOf: () => Pick<BoardSummary, 'seq' | 'period'>
}

/** An unknown member in an open realm. */
const unknownMember = {
  username: null,
  displayName: null,
  rank: null,
  balance: 0,
  score: 0,
  lastMovedAt: null,
  wallet: null,
}

/** Exact up to here; points gained in a period may exceed it, and then count as this. */
const most = Number(greatest)

function standingOf({ score, rank }: RankedAccount, row: ListedRow, isAllTime: boolean): Standing {
  return {
    id: String(row.id),
    username: row.username,
    displayName: row.display_name,
    rank,
    // The balance it is ranked by, though it may have changed since.
    balance: isAllTime ? score : Number(row.balance ?? 0n),
    score: Math.min(score, most),
    lastMovedAt: row.at_us === null ? null : new Date(Number(row.at_us / 1000n)),
    wallet: row.address,
  }
}
