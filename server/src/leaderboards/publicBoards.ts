import { overloaded, Refused, refuse } from '../errors.ts'
import type { Point, Realm, Realms } from '../realms/index.ts'
import type { PeriodName, Standings, Top } from './leaderboards.ts'

/** What strangers read may be so old; whoever switches a board off waits as long. */
export const freshForMs = 5_000
/** Boards that are kept: those that nobody asks for make room. */
const keptCap = 1_000
/** When the database is asked too much already, this old: then strangers are told to wait. */
const shownForMs = 15_000
/**
 * Asked of the database each second at most, however many strangers come: for boards that are known to be
 * there, and for names that may be anything. Who makes names up keeps nobody from a board.
 */
const loadsPerSecond = { known: 100, unknown: 50 }
const shownCap = 100
/** A name that is not among the public ones is looked for again, with all others, no more often than this. */
const listedForMs = 1_000

export type PublicAsked = {
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
  readonly standings: Pick<Standings, 'top'>
  readonly nowMs?: () => number
}

/** The boards of realms that let anyone read them. Most of what strangers ask costs the database nothing. */
export class PublicBoards {
  readonly #sources: Sources
  readonly #nowMs: () => number
  readonly #kept = new Map<string, Kept>()
  #second = 0
  #loads = { known: 0, unknown: 0 }
  /** The ids of public boards; undefined while they are not known, or too many. */
  #ids: ReadonlySet<string> | undefined
  #listedAtMs = Number.NEGATIVE_INFINITY
  #listing: Promise<void> | undefined

  constructor(sources: Sources) {
    this.#sources = sources
    this.#nowMs = sources.nowMs ?? (() => performance.now())
  }

  /** A realm that does not show its board is answered as one that is not there. */
  async get(asked: PublicAsked): Promise<PublicBoard> {
    // Names that strangers make up are answered from memory, and make room for nothing.
    if (!this.#ids?.has(asked.realmId) && this.#nowMs() - this.#listedAtMs >= listedForMs) await this.#list()
    if (this.#ids && !this.#ids.has(asked.realmId)) throw nothingHere()
    return this.#read(asked)
  }

  /** All ids at once, by one statement however many ask. */
  #list(): Promise<void> {
    this.#listing ??= this.#sources.realms
      .publicIds()
      .catch(() => undefined)
      .then((ids) => {
        this.#ids = ids
        this.#listedAtMs = this.#nowMs()
        this.#listing = undefined
      })
    return this.#listing
  }

  #read(asked: PublicAsked): Promise<PublicBoard> {
    const name = JSON.stringify([asked.realmId, asked.point, asked.period])
    const nowMs = this.#nowMs()
    const kept = this.#kept.get(name)
    const ageMs = nowMs - (kept?.loadedAtMs ?? Number.NEGATIVE_INFINITY)
    if (kept && ageMs < freshForMs) return kept.board
    if (!this.#mayLoad(nowMs, kept?.about ?? 'unknown'))
      return kept && ageMs < shownForMs ? kept.board : Promise.reject(new Refused(overloaded))
    const board = this.#load(asked)
    this.#keep(name, { board, loadedAtMs: nowMs, about: 'unknown' })
    return board
  }

  async #load({ realmId, point: named, period }: PublicAsked): Promise<PublicBoard> {
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
      // That there is nothing is remembered like a board; that the database was away is not.
      (error: unknown) => {
        const told = error instanceof Refused && error.refusal.code === 'route_not_found'
        if (!told) change(undefined)
      },
    )
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptCap && oldest !== undefined) this.#kept.delete(oldest)
  }
}

function hidden(error: unknown): never {
  throw error instanceof Refused && error.refusal.code === 'realm_not_found' ? nothingHere() : error
}

const nothingHere = (): Refused =>
  refuse('route_not_found', 'There is no public leaderboard here. A realm shows one when its owner says so.')
