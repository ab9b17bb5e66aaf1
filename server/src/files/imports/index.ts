import type { Actor } from '../../audit/index.ts'
import type { Database } from '../../db/database.ts'
import { RefusalError, refuse } from '../../errors.ts'
import type { Ledger, Outcome } from '../../ledger/index.ts'
import { AddressKeys, isNamed } from '../../members/identities/index.ts'
import { Members } from '../../members/index.ts'
import { addNotices } from '../../notices/index.ts'
import type { Configs, RealmConfig } from '../../realms/index.ts'
import { type LinkRow, Wallets } from '../../wallets/index.ts'
import { type Format, readPages } from './pages.ts'
import { idsOf, namedCap, type Opening, onTopFault, type Plan, planPage } from './plan.ts'
import type { LineFault } from './rows.ts'
import { readOpenings } from './store.ts'

export { type LoadResult, loadRealm } from './load.ts'
export type { Format } from './pages.ts'
export type { LineFault } from './rows.ts'

/** What an import did, or would do. */
export type Tally = {
  rows: number
  created: number
  updated: number
  linked: number
  made: number
  alreadyThere: number
  /**
   * Of those made: openings for members who already have points, a hold or an opening. They are added on top.
   */
  onTop: number
  /** The first of them. */
  readonly firstOnTop: Opening[]
  /** Opening balances in the file, by point type. */
  readonly totals: Map<string, bigint>
  /** Opening balances in the journal afterwards, by point type. */
  readonly booked: Map<string, bigint>
  /** The first errors; `faultCount` counts all that were found before reading stopped. */
  readonly faults: LineFault[]
  faultCount: number
  /** Whether the file was read to its end: false after too many errors. */
  isWhole: boolean
  /** The pages of which nothing existed yet. */
  readonly newPages: Set<number>
  pages: number
}

export const faultCap = 100
/** After this many errors reading stops: the rest would keep the server busy. */
export const faultStop = 1_000

export type Import = {
  readonly realm: number
  /** The number of the calling key; 0 for the operator. */
  readonly key: number
  readonly by: Actor
  readonly requestId: string
  readonly name: string
  readonly format: Format
  readonly firstLine?: number | undefined
  readonly allowRounded?: boolean
  /** Adds opening balances to what members have; otherwise such an import is rejected. */
  readonly addOnTop?: boolean
}

/** An import, and the result of its check. */
export type ImportCheck = Import & { readonly checked: Tally }

/** A file's text, from its beginning on every call. */
export type Source = () => AsyncIterable<string> | Iterable<string>

type OnPage = (tally: Tally) => void

export type ImportsOptions = {
  readonly db: Database
  readonly configs: Configs
  readonly ledger: Ledger
}

const makeTally = (): Tally => ({
  rows: 0,
  created: 0,
  updated: 0,
  linked: 0,
  made: 0,
  alreadyThere: 0,
  onTop: 0,
  firstOnTop: [],
  totals: new Map(),
  booked: new Map(),
  faults: [],
  faultCount: 0,
  isWhole: true,
  newPages: new Set(),
  pages: 0,
})

const plus = (sums: Map<string, bigint>, point: string, amount: bigint): void =>
  void sums.set(point, (sums.get(point) ?? 0n) + amount)

/** `made` are the openings that were made, or would be. */
function count(tally: Tally, plan: Plan, made: number): void {
  if (plan.isNew) tally.newPages.add(tally.pages)
  tally.pages += 1
  tally.rows += plan.rows
  tally.created += plan.created.length
  tally.updated += plan.updated.length
  tally.linked += plan.links.length
  tally.made += made
  tally.alreadyThere += plan.openings.length - made
  tally.onTop += plan.onTop.length
  tally.firstOnTop.push(...plan.onTop.slice(0, namedCap - tally.firstOnTop.length))
  for (const { point, amount } of plan.openings) plus(tally.totals, point, amount)
  tally.faults.push(...plan.faults.slice(0, faultCap - tally.faults.length))
  tally.faultCount += plan.faults.length
}

/** Imports members, wallets and opening balances. An import can be repeated and makes nothing twice. */
export class Imports {
  readonly #options: ImportsOptions
  readonly #members: Members
  readonly #wallets: Wallets
  readonly #keys: AddressKeys

  constructor(options: ImportsOptions) {
    const { db, configs } = options
    this.#options = options
    this.#members = new Members(db, configs)
    this.#keys = new AddressKeys(db)
    this.#wallets = new Wallets({ db, configs, members: this.#members })
  }

  /** Reads the whole file, up to a limit of errors, and returns what it would do. Changes nothing. */
  async check(source: Source, wanted: Import, onPage?: OnPage): Promise<Tally> {
    const tally = makeTally()
    for await (const plan of this.#plans(source, wanted)) {
      count(tally, plan, plan.due.length)
      onPage?.(tally)
      tally.isWhole = tally.faultCount < faultStop
      if (!tally.isWhole) break
    }
    if (tally.onTop > 0 && !wanted.addOnTop) {
      tally.faults.unshift(onTopFault(tally.onTop, tally.firstOnTop))
      tally.faults.splice(faultCap)
      tally.faultCount += 1
    }
    return tally
  }

  /** Imports a file that was checked before, page by page. */
  async apply(source: Source, wanted: ImportCheck, onPage?: OnPage): Promise<Tally> {
    const tally = makeTally()
    // One page is read back while the next is being written.
    let booking = Promise.resolve()
    for await (const plan of this.#plans(source, wanted)) {
      const { onTop } = plan
      const isRefused = onTop.length > 0 && !wanted.addOnTop
      const fault = isRefused ? onTopFault(onTop.length, onTop) : plan.faults[0]
      if (fault) throw refuse('invalid_request', `line ${fault.line}: ${fault.detail}`)
      const made = await this.#do(plan, wanted)
      await booking
      booking = this.#book(tally, plan, wanted.realm)
      booking.catch(() => {})
      count(tally, plan, made)
      onPage?.(tally)
    }
    await booking
    await this.#announce(tally, wanted)
    return tally
  }

  /**
   * After the last page. Also when nothing was left to do: a process that was killed before this statement
   * has announced nothing.
   */
  async #announce(tally: Tally, { realm, name }: Import): Promise<void> {
    const { rows, created, updated, linked, made, alreadyThere, onTop } = tally
    const members = { created, updated }
    const data = { name, rows, members, wallets: { linked }, openings: { made, alreadyThere, onTop } }
    await addNotices(this.#options.db.writing([realm]), realm, [{ type: 'members.imported', data }])
  }

  async *#plans(source: Source, wanted: Import & Partial<ImportCheck>): AsyncGenerator<Plan> {
    const { db, configs } = this.#options
    const wallets = this.#wallets
    const { realm, name, format, firstLine, allowRounded = false } = wanted
    const config: RealmConfig = await configs.latest(db.within([realm]), realm)
    const hash = await this.#keys.hasher(realm)
    const pages = readPages(source(), { format, config, firstLine, allowRounded, hash })
    let number = -1
    const planNext = async (): Promise<Plan | undefined> => {
      const { done, value } = await pages.next()
      number += 1
      const isNew = wanted.checked?.newPages.has(number) ?? false
      return done ? undefined : planPage(value, { db, wallets, realm, config, name }, isNew)
    }
    // While one page is written, the next is read and compared.
    let next = planNext()
    try {
      for (let plan = await next; plan; plan = await next) {
        next = planNext()
        // If the page before it fails, this one is never awaited.
        next.catch(() => {})
        yield plan
      }
    } finally {
      // Closes the file if it was not read to its end.
      await pages.return(undefined)
    }
  }

  /** Returns how many openings it made: another import of the same file may have made some meanwhile. */
  async #do({ created, updated, links, due }: Plan, wanted: Import): Promise<number> {
    const { realm, key, requestId, by, addOnTop = false } = wanted
    const { ledger } = this.#options
    const members = this.#members
    const wallets = this.#wallets
    const put = [...created, ...updated].map(({ id, username, displayName }) => ({
      id,
      username,
      displayName,
    }))
    if (put.length > 0) await members.putImported(realm, put, by)
    if (links.length > 0) await wallets.linkMany(realm, await this.#withIds(realm, links), by)
    const ifNone = !addOnTop
    const common = { kind: 'opening', realm, key, requestId, details: undefined, ifNone } as const
    const outcomes = await Promise.all(
      due.map(({ member, point, amount: tokens, lots, request, fingerprint }) =>
        ledger.post({ ...common, member, point, tokens, lots, retry: { request, fingerprint } }),
      ),
    )
    outcomes.forEach((outcome, index) => {
      mustBeDone(outcome, due[index])
    })
    return outcomes.filter((outcome) => outcome.kind === 'done' && !outcome.replayed).length
  }

  /** Wallets are linked by numeric id; members that the page has created have one by now. */
  async #withIds(realm: number, links: readonly LinkRow[]): Promise<readonly LinkRow[]> {
    const names = [...new Set(links.map(({ member }) => member).filter(isNamed))]
    if (names.length === 0) return links
    const ids = await idsOf(this.#options.db.within([realm]), realm, names)
    return links.map((link) => ({ ...link, member: ids.get(link.member) ?? link.member }))
  }

  /** Reads back what the journal has. */
  async #book(tally: Tally, { openings }: Plan, realm: number): Promise<void> {
    const requests = openings.map(({ request }) => request)
    const there = await readOpenings(this.#options.db.within([realm]), realm, requests)
    for (const { point, request } of openings) plus(tally.booked, point, there.get(request) ?? 0n)
  }
}

/** Checked before, so only a change since then can cause a refusal. */
function mustBeDone(outcome: Outcome, opening: Opening | undefined): void {
  if (outcome.kind === 'done') return
  const why = outcome.kind === 'refused' ? outcome.refusal.detail : 'It was refused within the last day.'
  const code = outcome.kind === 'refused' ? outcome.refusal.code : 'invalid_request'
  const detail = `line ${opening?.line}: ${why} Earlier lines were imported; a retry skips them.`
  throw new RefusalError({ code, detail })
}
