import type { AuditPage } from './audit.ts'
import { type OnceOptions, onceOf } from './change.ts'
import { Changes } from './changes.ts'
import { type Env, settingsOf } from './env.ts'
import { ExportFile, type ExportName } from './export.ts'
import { Hold, type HoldPage } from './hold.ts'
import type { MemberId } from './ids.ts'
import { type ImportOptions, type ImportResult, importFrom } from './import.ts'
import {
  type FollowOptions,
  followed,
  type JournalEntry,
  type JournalHead,
  type JournalOptions,
  type JournalPage,
} from './journal.ts'
import { Keys } from './keys.ts'
import { boardQuery, type Leaderboard, type LeaderboardOptions } from './leaderboard.ts'
import { List, type ListOptions } from './list.ts'
import { Member } from './member.ts'
import { Members } from './members.ts'
import { People } from './people.ts'
import { Points } from './points.ts'
import { rangeOf } from './ranges.ts'
import type * as Types from './realmTypes.ts'
import { madeOf } from './response.ts'
import { type CallOptions, sentAs } from './routes.ts'
import { Snapshots } from './snapshots.ts'
import type { Source } from './text.ts'
import { Transport } from './transport.ts'
import { Webhooks } from './webhookEndpoints.ts'

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
  /** The members. */
  readonly members: Members
  /** The point types. */
  readonly points: Points
  /** The keys; needs the scope realm:admin. */
  readonly keys: Keys
  /** The people who manage the realm in the console. */
  readonly people: People
  readonly snapshots: Snapshots
  /** Where the realm's events are sent; needs the scope realm:admin. */
  readonly webhooks: Webhooks

  constructor({ realm, ...settings }: Types.RealmSettings) {
    super(new Transport(settings), `/api/v4/realms/${encodeURIComponent(realm)}`)
    this.id = realm
    this.members = new Members(this.transport, this.base)
    this.points = new Points(this.transport, this.base)
    this.keys = new Keys(this.transport, this.base)
    this.people = new People(this.transport, this.base)
    this.snapshots = new Snapshots(this.transport, this.base)
    this.webhooks = new Webhooks(this.transport, this.base)
  }

  /**
   * A client from EXCHEQUER_URL, EXCHEQUER_REALM and EXCHEQUER_KEY; given settings override them. Where
   * variables are not in `process.env` but passed to your code, as in workers, pass them on as `env`.
   *
   * @example
   * ```ts
   * const realm = Realm.fromEnv()
   * await realm.member('1190194345295482952').adjust(25)
   * ```
   */
  static fromEnv(given: Partial<Types.RealmSettings> = {}, env?: Env): Realm {
    return new Realm({ ...given, ...settingsOf(['url', 'realm', 'key'], given, env) })
  }

  /**
   * A member, by id. Nothing is requested until a method is called.
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
   * The realm's settings and point types.
   *
   * @example
   * ```ts
   * const { name, points } = await realm.get()
   * ```
   */
  get(options: CallOptions = {}): Promise<Types.RealmData> {
    return this.transport.send({ method: 'GET', path: this.base, ...sentAs(options) })
  }

  /**
   * Changes the realm's settings. Omitted fields stay unchanged.
   *
   * @example
   * ```ts
   * await realm.change({ name: 'The Guild', timeZone: 'Europe/Berlin' })
   * ```
   */
  change(settings: Types.RealmChange, options: OnceOptions = {}): Promise<Types.RealmData> {
    return this.transport.send({ method: 'PATCH', path: this.base, body: settings, ...onceOf(options) })
  }

  /**
   * A hold, by its id. Nothing is requested until a method is called.
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
  includes(wallets: readonly string[], options: CallOptions = {}): Promise<Types.Includes> {
    const path = `${this.base}/members/includes`
    const call = { method: 'POST', path, body: { wallets }, repeatable: true } as const
    return this.transport.send({ ...call, ...sentAs(options) })
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
  entry(transactionId: string, options: CallOptions = {}): Promise<Types.EntryData> {
    const path = `${this.base}/entries/${transactionId}`
    return this.transport.send({ method: 'GET', path, ...sentAs(options) })
  }

  /**
   * The open holds of all members, newest first.
   *
   * @example
   * ```ts
   * for await (const { holdId, memberId, tokens } of realm.holds()) console.log(holdId, memberId, tokens)
   * ```
   */
  holds(options: ListOptions = {}): List<HoldPage> {
    return new List(this.transport, `${this.base}/holds`, options)
  }

  /**
   * Who has the most points, or gained the most in a period.
   *
   * @example
   * ```ts
   * const { data, total } = await realm.leaderboard({ period: 'week' }).page({ limit: 10 })
   * for await (const { rank, id, tokens } of realm.leaderboard({ period: 'month' })) console.log(rank, id, tokens)
   * ```
   */
  leaderboard(options: LeaderboardOptions = {}): List<Leaderboard> {
    return new List(this.transport, `${this.base}/leaderboard`, { ...options, query: boardQuery(options) })
  }

  /**
   * Points issued, spent and held, and activity by day.
   *
   * @example
   * ```ts
   * const { supply, active } = await realm.statistics({ from: '2026-01-01', to: '2026-02-01' })
   * ```
   */
  statistics(options: Types.StatisticsOptions = {}): Promise<Types.Statistics> {
    const call = { method: 'GET', path: `${this.base}/statistics`, query: rangeOf(options) } as const
    return this.transport.send({ ...call, ...sentAs(options) })
  }

  /**
   * The last entry of the journal: the start for a feed of only new entries.
   *
   * @example
   * ```ts
   * const { seq, hash } = await realm.head()
   * ```
   */
  async head(options: CallOptions = {}): Promise<JournalHead> {
    const call = { method: 'GET', path: `${this.base}/journal`, query: { limit: 1 } } as const
    const page = await this.transport.send<JournalPage>({ ...call, ...sentAs(options) })
    return madeOf(page.head, page)
  }

  /**
   * The realm's journal, entry by entry without gaps. A `cursor` is the last seq that you have. `nextCursor`
   * of a page is null when you are up to date.
   *
   * @example
   * ```ts
   * for await (const entry of realm.journal({ cursor: '0' })) console.log(entry.seq, entry.hash)
   * const { data, head } = await realm.journal({ from: new Date(Date.now() - 3_600_000) }).page({ limit: 50 })
   * ```
   */
  journal({ from, to, ...options }: JournalOptions = {}): List<JournalPage> {
    const query = rangeOf({ from, to })
    return new List(this.transport, `${this.base}/journal`, { ...options, query })
  }

  /**
   * Entries after `cursor`, or only new ones, each as soon as it is posted. It connects again by itself, without a
   * gap, and ends when its `signal` is aborted, or with an error that another attempt would return again.
   *
   * @example
   * ```ts
   * const signal = AbortSignal.timeout(1_000)
   * for await (const entry of realm.follow({ cursor: '0', signal })) console.log(entry.seq)
   * ```
   */
  follow(options: FollowOptions = {}): AsyncGenerator<JournalEntry> {
    const readHead = async () => (await this.head(options)).seq
    return followed({ transport: this.transport, path: `${this.base}/journal/stream`, readHead }, options)
  }

  /**
   * A signed checkpoint of the journal. Store its `note` and the server's public key:
   * `@exchequer/sdk/note` verifies it.
   *
   * @example
   * ```ts
   * const { seq, note } = await realm.checkpoint()
   * ```
   */
  checkpoint(options: CallOptions = {}): Promise<Types.CheckpointData> {
    return this.transport.send({ method: 'GET', path: `${this.base}/checkpoint`, ...sentAs(options) })
  }

  /**
   * The realm's audit log, newest first.
   *
   * @example
   * ```ts
   * for await (const { at, actor, action, subject } of realm.audit()) console.log(at, actor, action, subject)
   * ```
   */
  audit(options: ListOptions = {}): List<AuditPage> {
    return new List(this.transport, `${this.base}/audit`, options)
  }

  /**
   * Imports members, wallets and opening balances from CSV or NDJSON of any size, in pieces. Run again under
   * the same name, it imports nothing twice. An error stops it after earlier pieces were imported: check with
   * `dryRun` first.
   *
   * @example
   * ```ts
   * const file = 'id,username,balance\n1190194345295482960,ann,25\n'
   * const { faults, totals } = await realm.import(file, { name: 'the move', dryRun: true })
   * if (faults.length === 0) await realm.import(file, { name: 'the move' })
   * ```
   */
  import(source: Source, options: ImportOptions): Promise<ImportResult> {
    return importFrom({ transport: this.transport, path: `${this.base}/import` }, source, options)
  }

  /**
   * Members, balances, entries or the whole realm as a streamed file.
   *
   * @example
   * ```ts
   * const { stream, seq } = await realm.export('balances.csv')
   * console.log('as of entry', seq, await new Response(stream).text())
   * ```
   */
  async export(name: ExportName, options: CallOptions = {}): Promise<ExportFile> {
    const path = `${this.base}/export/${name}`
    const call = { method: 'GET', path, ...sentAs(options) } as const
    const { value, headers } = await this.transport.stream(call)
    return madeOf(new ExportFile(value, headers.get('exchequer-seq') ?? undefined), value)
  }
}
