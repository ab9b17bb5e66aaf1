import type { Database } from '../db/database.ts'
import { invalid, refuse } from '../errors.ts'
import { greatest } from '../ledger/ledger.ts'
import { memberNotFound } from '../members/members.ts'
import { type Configs, configIn, type RealmConfig } from '../realms/realms.ts'
import type { Board } from './board.ts'
import { findAccounts, type ListedRow, readListed } from './boardStore.ts'
import { Boards } from './boards.ts'
import { check, type StandingsVerdict } from './check.ts'
import { Days, dateOf, dayIn, monthOf, type Range, weekOf } from './days.ts'
import { type Cursor, listOf, placeOf, type Ranked } from './listing.ts'
import { Projector } from './projector.ts'
import { longestActive, type Statistics, statisticsOf } from './statistics.ts'
import { readStatistics } from './statisticsStore.ts'

export type { StandingsVerdict } from './check.ts'
export type { Cursor } from './listing.ts'
export { freshForMs, type PublicBoard, PublicBoards } from './publicBoards.ts'
export type { Statistics } from './statistics.ts'

/** All time by balance; the others by what was gained, from Monday, from the first, or on given days. */
export type PeriodName = 'all' | 'week' | 'month' | 'range'

/** A board, and who is left out of it. */
export type BoardAsked = {
  /** The realm's default when absent. */
  readonly point: string | undefined
  readonly period: PeriodName
  /** YYYY-MM-DD, of a range. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly exclude: readonly string[]
}

/** A member as a board shows it. */
export type Standing = {
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  /** Null for one who is on no place. */
  readonly rank: number | null
  readonly balance: number
  /** What it is ranked by. */
  readonly score: number
  readonly lastMovedAt: Date | null
  readonly wallet: string | null
}

export type Period = { readonly name: PeriodName; readonly from: string | null; readonly to: string | null }

type Told = {
  /** Who is ranked. */
  readonly total: number
  /** The entry that it is true at. */
  readonly seq: bigint
  readonly period: Period
}

export type Top = Told & { readonly members: readonly Standing[]; readonly next: Cursor | undefined }
export type Around = Told & {
  readonly member: Standing
  readonly above: readonly Standing[]
  readonly below: readonly Standing[]
}

export const longestRange = 366
const catchUpWithinMs = 900
const secondsOfRebuild = 3_600

export type StandingsOptions = {
  readonly db: Database
  readonly configs: Configs
  readonly everyMs: number
  readonly onFault: (error: unknown) => void
  readonly nowMs?: () => number
}

/** Leaderboards, and the realm at a glance: folded from the journal, off the write path. */
export class Standings {
  readonly #options: StandingsOptions
  readonly #projector: Projector
  readonly #boards: Boards

  constructor(options: StandingsOptions) {
    this.#options = options
    this.#projector = new Projector(options)
    this.#boards = new Boards(options.db)
  }

  /** Tells that a realm was written to. */
  written(realm: number): void {
    this.#projector.written(realm)
  }

  /** How far they are behind what this process has written. */
  due(): { readonly realms: number; readonly lagMs: number } {
    return this.#projector.due()
  }

  /** The best, or those behind a cursor. */
  async top(
    realm: number,
    asked: BoardAsked,
    page: { readonly after: Cursor | undefined; readonly limit: number },
  ): Promise<Top> {
    const opened = await this.#open(realm, asked)
    const { ranked, next, total } = listOf(opened.board.ranking, { ...page, without: opened.without })
    const told = opened.told()
    return { members: await this.#shown(realm, opened, ranked), next, total, ...told }
  }

  /** A member's own place, and those next to it. */
  async around(
    realm: number,
    asked: BoardAsked,
    { member, neighbours }: { readonly member: string; readonly neighbours: number },
  ): Promise<Around> {
    const opened = await this.#open(realm, asked)
    const { db } = this.#options
    const [account] = await findAccounts(db.within([realm]), realm, [member])
    if (account === undefined) {
      if (opened.config.unknownMembers === 'refuse') throw memberNotFound(member)
      const total = opened.board.ranking.size
      return { member: { id: member, ...nobody }, above: [], below: [], total, ...opened.told() }
    }
    const { ranking } = opened.board
    const { own, above, below, total } = placeOf(ranking, account, { neighbours, without: opened.without })
    const unranked = { account, score: ranking.scoreOf(account), rank: 0 }
    const told = opened.told()
    const shown = await this.#shown(realm, opened, [own ?? unranked, ...above, ...below])
    const [first, ...others] = shown
    if (!first) throw memberNotFound(member)
    return {
      member: own ? first : { ...first, rank: null },
      above: others.slice(0, above.length),
      below: others.slice(above.length),
      total,
      ...told,
    }
  }

  /** Of the last days, today being one of them. */
  async statistics(realm: number, dayCount: number): Promise<Statistics> {
    const db = this.#options.db.within([realm])
    await this.#projector.catchUp(realm, catchUpWithinMs)
    const config = await this.#options.configs.latest(db, realm)
    const to = this.#today(config)
    const from = to - dayCount + 1
    const activeFrom = to - Math.max(dayCount, longestActive) + 1
    return statisticsOf(await readStatistics(db, realm, { from, activeFrom, to }), config, { from, to })
  }

  check(realm: number): Promise<StandingsVerdict> {
    return check(this.#options.db, realm)
  }

  /** Folds a realm's journal anew from entry 1, to its end. */
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

  #today({ timeZone }: RealmConfig): number {
    return new Days(timeZone).at((this.#options.nowMs ?? Date.now)())
  }

  /** With the configuration that is known, while it is asked whether that is the latest: it mostly is. */
  async #open(realm: number, asked: BoardAsked): Promise<Opened> {
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

  async #openWith(config: RealmConfig, realm: number, asked: BoardAsked): Promise<Opened> {
    const db = this.#options.db.within([realm])
    const point = asked.point === undefined ? config.defaultPoint : config.points.get(asked.point)
    if (!point || point.archived)
      throw refuse('point_not_found', `The realm has no kind of points with the id ${asked.point}.`)
    const range = rangeOf(asked, this.#today(config))
    const { timeZone } = config
    const subject = { realm, point: point.number, period: range && { range, timeZone } }
    const [board, without] = await Promise.all([
      this.#boards.get(subject),
      asked.exclude.length > 0 ? findAccounts(db, realm, asked.exclude) : new Set<number>(),
    ])
    const period = {
      name: asked.period,
      from: range ? dateOf(range.from) : null,
      to: range ? dateOf(range.to) : null,
    }
    // Taken together with what is listed: the board goes on.
    const told = () => ({ seq: board.seq, period })
    return { board, without, config, point: point.number, isAllTime: range === undefined, told }
  }

  async #shown(realm: number, opened: Opened, ranked: readonly Ranked[]): Promise<Standing[]> {
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
  readonly told: () => Pick<Told, 'seq' | 'period'>
}

/** Whoever has never been seen. */
const nobody = {
  username: null,
  displayName: null,
  rank: null,
  balance: 0,
  score: 0,
  lastMovedAt: null,
  wallet: null,
}

/** Exact up to here; what was gained in a period may be more, and then counts as this. */
const most = Number(greatest)

function standingOf({ score, rank }: Ranked, row: ListedRow, isAllTime: boolean): Standing {
  return {
    id: String(row.id),
    username: row.username,
    displayName: row.display_name,
    rank,
    // The same as it is ranked by, though it may have moved since.
    balance: isAllTime ? score : Number(row.balance ?? 0n),
    score: Math.min(score, most),
    lastMovedAt: row.at_us === null ? null : new Date(Number(row.at_us / 1000n)),
    wallet: row.address,
  }
}

/** Undefined for all time. */
function rangeOf({ period, from, to }: BoardAsked, today: number): Range | undefined {
  if (period === 'all') return undefined
  if (period === 'week') return weekOf(today)
  if (period === 'month') return monthOf(today)
  const range = { from: dayOf('from', from), to: dayOf('to', to) }
  if (range.to < range.from) throw invalid('query:to', 'Expected a day that is not before `from`.')
  if (range.to - range.from >= longestRange)
    throw invalid('query:to', `Expected at most ${longestRange} days.`)
  return range
}

function dayOf(name: string, date: string | undefined): number {
  const day = date === undefined ? undefined : dayIn(date)
  if (day === undefined) throw invalid(`query:${name}`, 'Expected a day such as 2026-01-31.')
  return day
}
