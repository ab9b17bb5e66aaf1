import { overloaded, RefusalError, refuse } from '../errors.ts'
import type { Point, Realm, Realms } from '../realms/index.ts'
import type { PeriodName, Standings, Top } from './leaderboards.ts'

/** Maximum age of a public board; switching a board off takes effect within the same time. */
export const freshForMs = 5_000
/** Maximum age of a board once an open stream has said that there are new entries. */
const freshWhileFollowedMs = 500
/** Cached boards: the oldest are dropped. */
const keptCap = 1_000
/** When the database has too many loads already, a board this old is served; beyond it clients get 503. */
const shownForMs = 15_000
/**
 * Database loads per second at most, however many public clients there are: for boards known to exist, and
 * for names that may be anything. Made-up names can't keep other clients from a board.
 */
const loadsPerSecond = { known: 100, unknown: 50 }
const shownCap = 100
/** A name that is not in the list of public boards triggers a new list no more often than this. */
const listedForMs = 1_000

export type PublicBoardQuery = {
  readonly realmId: string
  /** The realm's default when absent. */
  readonly point: string | undefined
  readonly period: Exclude<PeriodName, 'range'>
}

export type PublicBoard = { readonly realm: Realm; readonly point: Point; readonly top: Top }

type Kept = {
  readonly board: Promise<PublicBoard>
  readonly loadedAtMs: number
  readonly about: keyof typeof loadsPerSecond
}

type Sources = {
  readonly realms: Pick<Realms, 'get' | 'publicIds'>
  /** Whether realms can be in other cells, and come from there at any moment. */
  readonly hasOthers?: () => boolean
  readonly standings: Pick<Standings, 'top'>
  readonly nowMs?: () => number
}

/** The latest times, each as the last one. */
function put(times: Map<string, number>, realmId: string, atMs: number): void {
  times.delete(realmId)
  times.set(realmId, atMs)
  const [oldest] = times.keys()
  if (times.size > keptCap && oldest !== undefined) times.delete(oldest)
}

/** The boards of realms that publish them. Most public requests cost the database nothing. */
export class PublicBoards {
  readonly #sources: Sources
  readonly #nowMs: () => number
  readonly #kept = new Map<string, Kept>()
  /** When the latest new entry of a followed realm was noticed. */
  readonly #movedAtMs = new Map<string, number>()
  /** When the latest board of a realm was loaded. */
  readonly #loadedAtMs = new Map<string, number>()
  #second = 0
  #loads = { known: 0, unknown: 0 }
  /** The ids of public boards; undefined while they are unknown, or too many. */
  #ids: ReadonlySet<string> | undefined
  #listedAtMs = Number.NEGATIVE_INFINITY
  #listing: Promise<void> | undefined
  /** Whether realms that are not in the list are here, asked since it was made. */
  #asked = new Map<string, Promise<void>>()

  constructor(sources: Sources) {
    this.#sources = sources
    this.#nowMs = sources.nowMs ?? (() => performance.now())
  }

  /** A realm that does not publish its board is answered like one that does not exist. */
  async get(asked: PublicBoardQuery): Promise<PublicBoard> {
    // Made-up names are answered from memory, and evict nothing from the cache.
    if (!this.#ids?.has(asked.realmId) && this.#nowMs() - this.#listedAtMs >= listedForMs) await this.#list()
    if (this.#ids && !this.#ids.has(asked.realmId)) await this.#refuseUnlisted(asked.realmId)
    return this.#read(asked)
  }

  /**
   * A realm that is not in the list has no public board; but where there are other cells, it may have landed
   * here since, or be elsewhere, which is 503 `wrong_cell` and not 404.
   */
  #refuseUnlisted(realmId: string): Promise<void> {
    const { hasOthers, realms } = this.#sources
    if (!hasOthers?.()) return Promise.reject(nothingHere())
    const known = this.#asked.get(realmId)
    if (known) return known
    if (!this.#mayLoad(this.#nowMs(), 'unknown')) return Promise.reject(new RefusalError(overloaded))
    const asking = realms.get(realmId).then(({ config }) => {
      if (!config.publicBoard) throw nothingHere()
    }, hidden)
    this.#asked.set(realmId, asking)
    // Only what the list will say too holds until then.
    asking.catch(() => this.#asked.delete(realmId))
    return asking
  }

  /**
   * Notes that a realm has new entries, and clients that will ask for its board again. Returns in how many
   * milliseconds: until then they would get the one of before, and would hear of no other.
   */
  moved(realmId: string): number {
    const nowMs = this.#nowMs()
    put(this.#movedAtMs, realmId, nowMs)
    const loadedAtMs = this.#loadedAtMs.get(realmId) ?? Number.NEGATIVE_INFINITY
    return Math.max(0, loadedAtMs + freshWhileFollowedMs - nowMs)
  }

  /** All ids at once, by one statement for all concurrent requests. */
  #list(): Promise<void> {
    this.#listing ??= this.#sources.realms
      .publicIds()
      .catch(() => undefined)
      .then((ids) => {
        this.#ids = ids
        this.#asked = new Map()
        this.#listedAtMs = this.#nowMs()
        this.#listing = undefined
      })
    return this.#listing
  }

  #read(asked: PublicBoardQuery): Promise<PublicBoard> {
    const name = JSON.stringify([asked.realmId, asked.point, asked.period])
    const nowMs = this.#nowMs()
    const kept = this.#kept.get(name)
    const ageMs = nowMs - (kept?.loadedAtMs ?? Number.NEGATIVE_INFINITY)
    const isMoved = (this.#movedAtMs.get(asked.realmId) ?? Number.NEGATIVE_INFINITY) > nowMs - ageMs
    if (kept && ageMs < (isMoved ? freshWhileFollowedMs : freshForMs)) return kept.board
    if (!this.#mayLoad(nowMs, kept?.about ?? 'unknown'))
      return kept && ageMs < shownForMs ? kept.board : Promise.reject(new RefusalError(overloaded))
    const board = this.#load(asked)
    this.#keep(name, { board, loadedAtMs: nowMs, about: 'unknown' })
    put(this.#loadedAtMs, asked.realmId, nowMs)
    return board
  }

  async #load({ realmId, point: named, period }: PublicBoardQuery): Promise<PublicBoard> {
    const { realms, standings } = this.#sources
    const realm = await realms.get(realmId).catch(hidden)
    if (!realm.config.publicBoard) throw nothingHere()
    const point = named === undefined ? realm.config.defaultPoint : realm.config.points.get(named)
    if (!point || point.archived) throw nothingHere()
    const asked = { point: point.id, period, from: undefined, to: undefined, exclude: [] }
    const top = await standings.top(realm.number, asked, { after: undefined, limit: shownCap })
    return { realm, point, top }
  }

  #mayLoad(nowMs: number, about: Kept['about']): boolean {
    const second = Math.floor(nowMs / 1_000)
    if (second !== this.#second) this.#loads = { known: 0, unknown: 0 }
    this.#second = second
    this.#loads[about] += 1
    return this.#loads[about] <= loadsPerSecond[about]
  }

  #keep(name: string, kept: Kept): void {
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    const change = (to: Kept | undefined) => {
      if (this.#kept.get(name) !== kept) return
      if (to) this.#kept.set(name, to)
      else this.#kept.delete(name)
    }
    kept.board.then(
      () => change({ ...kept, about: 'known' }),
      // That a board does not exist is cached like a board; that the database was unreachable is not.
      (error: unknown) => {
        const isMissing = error instanceof RefusalError && error.refusal.code === 'route_not_found'
        if (!isMissing) change(undefined)
      },
    )
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptCap && oldest !== undefined) this.#kept.delete(oldest)
  }
}

function hidden(error: unknown): never {
  throw error instanceof RefusalError && error.refusal.code === 'realm_not_found' ? nothingHere() : error
}

const nothingHere = (): RefusalError =>
  refuse('route_not_found', 'There is no public leaderboard here. The owner of a realm can publish one.')
