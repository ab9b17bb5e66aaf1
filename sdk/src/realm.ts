import { type Act, type AuditOptions, acts } from './audit.ts'
import { Changes } from './changes.ts'
import { RateLimitedError, UnavailableError } from './errors.ts'
import { Exported, type ExportName } from './export.ts'
import { Hold } from './hold.ts'
import type { MemberId } from './ids.ts'
import { type Imported, type ImportOptions, importFrom } from './import.ts'
import { Keys } from './keys.ts'
import { boardQuery, type Leaderboard, type LeaderboardOptions, type RankedMember } from './leaderboard.ts'
import { Member } from './member.ts'
import { Members } from './members.ts'
import { People } from './people.ts'
import { Points } from './points.ts'
import type { Abortable, AnswerOf, BodyOf } from './routes.ts'
import { Snapshots } from './snapshots.ts'
import type { Source } from './text.ts'
import { type Settings, Transport } from './transport.ts'
import { wait } from './wait.ts'

export type Includes = AnswerOf<'POST /members/includes'>
export type RealmData = AnswerOf<'GET /'>
export type RealmChange = BodyOf<'PATCH /'>
export type EntryData = AnswerOf<'GET /entries/{transactionID}'>
export type JournalPage = AnswerOf<'GET /journal'>
export type JournalEntry = JournalPage['entries'][number]
export type JournalHead = AnswerOf<'GET /journal'>['head']
export type Statistics = AnswerOf<'GET /statistics'>

export type RealmSettings = Settings & {
  /** The realm's id. */
  readonly realm: string
}

export type JournalOptions = Abortable & {
  /** Entries after this one; from the first when left out. */
  readonly after?: string
  /** Entries from this moment on. */
  readonly from?: Date
  /** Wait for new entries at the end, asking again after so many milliseconds; also while the server is away. */
  readonly followMs?: number
}
export type JournalPageOptions = Omit<JournalOptions, 'followMs'> & { readonly limit?: number }

/**
 * A realm of an Exchequer server.
 *
 * @example
 * ```ts
 * const realm = new Realm({ url, realm: realmId, key })
 * await realm.member('1190194345295482952').adjust(25)
 * ```
 */
export class Realm extends Changes {
  readonly id: string
  /** The members, all together. */
  readonly members: Members
  /** The kinds of points. */
  readonly points: Points
  /** The keys: for a key that may administer the realm. */
  readonly keys: Keys
  /** Who looks after the realm in the console. */
  readonly people: People
  readonly snapshots: Snapshots

  constructor({ realm, ...settings }: RealmSettings) {
    super(new Transport(settings), `/api/v4/realms/${encodeURIComponent(realm)}`)
    this.id = realm
    this.members = new Members(this.transport, this.base)
    this.points = new Points(this.transport, this.base)
    this.keys = new Keys(this.transport, this.base)
    this.people = new People(this.transport, this.base)
    this.snapshots = new Snapshots(this.transport, this.base)
  }

  /**
   * A member, by id. Nothing is asked until one of its methods is called.
   *
   * @example
   * ```ts
   * const member = realm.member(1190194345295482952n)
   * ```
   */
  member(id: MemberId): Member {
    return new Member(this.transport, this.base, id)
  }

  /**
   * The realm's settings and kinds of points.
   *
   * @example
   * ```ts
   * const { name, points } = await realm.get()
   * ```
   */
  get(): Promise<RealmData> {
    return this.transport.send({ method: 'GET', path: this.base })
  }

  /**
   * Changes the realm's settings. What is not given stays as it is.
   *
   * @example
   * ```ts
   * await realm.change({ name: 'The Guild', timeZone: 'Europe/Berlin' })
   * ```
   */
  change(settings: RealmChange): Promise<RealmData> {
    return this.transport.send({ method: 'PATCH', path: this.base, body: settings, repeatable: true })
  }

  /**
   * A hold, by its id. Nothing is asked until one of its methods is called.
   *
   * @example
   * ```ts
   * const { id } = await realm.member('1190194345295482952').hold(10)
   * await realm.hold(id).release()
   * ```
   */
  hold(id: string): Hold {
    return new Hold(this.transport, this.base, id)
  }

  /**
   * Whether wallets belong to members.
   *
   * @example
   * ```ts
   * const { includes } = await realm.includes(['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'])
   * ```
   */
  includes(wallets: readonly string[]): Promise<Includes> {
    const path = `${this.base}/members/includes`
    return this.transport.send({ method: 'POST', path, body: { wallets }, repeatable: true })
  }

  /**
   * One entry of the journal.
   *
   * @example
   * ```ts
   * const { transactionId } = await realm.member('1190194345295482952').adjust(5)
   * const entry = await realm.entry(transactionId)
   * ```
   */
  entry(transactionId: string): Promise<EntryData> {
    return this.transport.send({ method: 'GET', path: `${this.base}/entries/${transactionId}` })
  }

  /**
   * Who has most, or gained most in a period.
   *
   * @example
   * ```ts
   * const { members } = await realm.leaderboard({ period: 'week', limit: 10 })
   * ```
   */
  leaderboard(options: LeaderboardOptions = {}): Promise<Leaderboard> {
    const query = boardQuery(options)
    return this.transport.send({ method: 'GET', path: `${this.base}/leaderboard`, query })
  }

  /**
   * The whole leaderboard, from the first rank on, page by page as it is asked for.
   *
   * @example
   * ```ts
   * for await (const { rank, id, tokens } of realm.leaders({ period: 'month' })) console.log(rank, id, tokens)
   * ```
   */
  async *leaders(options: LeaderboardOptions = {}): AsyncGenerator<RankedMember> {
    for (let cursor: string | null | undefined = options.cursor; cursor !== null; ) {
      const page: Leaderboard = await this.leaderboard({ ...options, ...(cursor ? { cursor } : {}) })
      yield* page.members
      cursor = page.next
    }
  }

  /**
   * What is issued, spent and held, and what happened by day.
   *
   * @example
   * ```ts
   * const { supply, active } = await realm.statistics({ days: 7 })
   * ```
   */
  statistics({ days }: { readonly days?: number } = {}): Promise<Statistics> {
    return this.transport.send({ method: 'GET', path: `${this.base}/statistics`, query: { days } })
  }

  /**
   * The last entry of the journal: where a feed begins that wants only what is to come.
   *
   * @example
   * ```ts
   * const { seq, hash } = await realm.head()
   * ```
   */
  async head(): Promise<JournalHead> {
    const call = { method: 'GET', path: `${this.base}/journal`, query: { limit: 1 } } as const
    return (await this.transport.send<AnswerOf<'GET /journal'>>(call)).head
  }

  /**
   * The realm's journal, entry by entry without a gap. With `followMs` it goes on as entries are made, and where it
   * was when the server is away for a while; a `signal` ends it.
   *
   * @example
   * ```ts
   * for await (const entry of realm.journal({ after: '0' })) console.log(entry.seq, entry.hash)
   * ```
   */
  async *journal({ after = '0', followMs, ...asked }: JournalOptions = {}): AsyncGenerator<JournalEntry> {
    for (let last = after; ; ) {
      const page = await this.journalPage({ ...asked, after: last, limit: 1000 }).catch((error: unknown) => {
        if (
          followMs === undefined ||
          !(error instanceof UnavailableError || error instanceof RateLimitedError)
        )
          throw error
        return undefined
      })
      if (page) {
        yield* page.entries
        last = page.next
        if (page.entries.length > 0) continue
      }
      if (followMs === undefined) return
      await wait(followMs, asked.signal)
    }
  }

  /**
   * One page of the journal, up to a thousand entries. Its `next` is the `after` of the one that follows.
   *
   * @example
   * ```ts
   * const { entries, next, head } = await realm.journalPage({ from: new Date(Date.now() - 3_600_000), limit: 50 })
   * ```
   */
  journalPage({ from, signal, ...rest }: JournalPageOptions = {}): Promise<JournalPage> {
    const query = { ...rest, from: from?.toISOString() }
    const path = `${this.base}/journal`
    return this.transport.send({ method: 'GET', path, query, ...(signal ? { signal } : {}) })
  }

  /**
   * Who changed what in the realm, the newest first, page by page as it is asked for.
   *
   * @example
   * ```ts
   * for await (const { at, actor, action, subject } of realm.audit()) console.log(at, actor, action, subject)
   * ```
   */
  audit(options: AuditOptions = {}): AsyncGenerator<Act> {
    return acts(this.transport, `${this.base}/audit`, options)
  }

  /**
   * Brings in members, wallets and opening balances from CSV or NDJSON, of any size, in pieces. Run twice under one
   * name it makes nothing twice. A fault stops it, with the pieces before it brought in: check with `dryRun` first.
   *
   * @example
   * ```ts
   * const file = 'id,username,balance\n1190194345295482960,ann,25\n'
   * const { faults, totals } = await realm.import(file, { name: 'the move', dryRun: true })
   * if (faults.length === 0) await realm.import(file, { name: 'the move' })
   * ```
   */
  import(source: Source, options: ImportOptions): Promise<Imported> {
    return importFrom({ transport: this.transport, path: `${this.base}/import` }, source, options)
  }

  /**
   * Members, balances, entries or the whole realm as a file, read as it comes.
   *
   * @example
   * ```ts
   * const { stream, seq } = await realm.export('balances.csv')
   * console.log('as of entry', seq, await new Response(stream).text())
   * ```
   */
  async export(name: ExportName, { signal }: Abortable = {}): Promise<Exported> {
    const path = `${this.base}/export/${name}`
    const call = { method: 'GET', path, ...(signal === undefined ? {} : { signal }) } as const
    const { value, headers } = await this.transport.stream(call)
    return new Exported(value, headers.get('exchequer-seq') ?? undefined)
  }
}
