import type { Session } from '../../db/session.ts'
import { configIn, type RealmConfig } from '../../realms/index.ts'
import { pendingOf } from '../rules/accounts.ts'
import { type Command, heldOf, issuance, type PostedCommand } from '../rules/command.ts'
import {
  balanceKey,
  type Held,
  type KeyDay,
  type Original,
  type PendingAward,
  type RealmState,
  type RememberedAnswer,
  type StoredBalance,
} from '../rules/state.ts'
import { type AwardRow, readAwards, readAwardVersions, readPending } from './awardStore.ts'
import {
  type FollowerRow,
  type GivenRow,
  type HeldRow,
  type HoldRow,
  type OriginalRow,
  readFollowers,
  readFollowing,
  readGiven,
  readHeld,
  readHolderVersions,
  readHolds,
  readOriginals,
  readSideVersions,
  readVersions,
  type VersionRow,
} from './contextStore.ts'
import { type KeyDayRow, readKeyDays } from './keyDayStore.ts'
import { once } from './once.ts'
import { partiesOf, pointOf } from './parties.ts'
import { receiptOf, rememberedOf } from './remembered.ts'
import {
  type HeadRow,
  type PartyQuery,
  type PartyState,
  type RequestRow,
  type RetryQuery,
  readParties,
  readRequests,
} from './store.ts'

/** The configurations that a batch is decided with. */
export type ConfigMap = ReadonlyMap<number, RealmConfig>

/** All that was read under the lock, of all the batch's realms. */
export type LoadedState = {
  readonly parties: readonly PartyState[]
  readonly requests: readonly RequestRow[]
  readonly followers: readonly FollowerRow[]
  /** Entries after the first of a list. */
  readonly following: readonly FollowerRow[]
  readonly originals: readonly OriginalRow[]
  readonly holds: readonly HoldRow[]
  readonly held: readonly HeldRow[]
  readonly awards: readonly AwardRow[]
  readonly given: readonly GivenRow[]
  readonly keyDays: readonly KeyDayRow[]
  readonly versions: readonly VersionRow[]
}

/** Reads what these commands are decided on, in one round trip. */
export async function loadState(
  session: Session,
  batch: readonly PostedCommand[],
  configured: ConfigMap,
): Promise<LoadedState> {
  const commands = batch.flatMap((command) => (command.kind === 'rehearsal' ? command.commands : [command]))
  const keyed = eachKey(commands)
  const several = eachKey(commands.filter(({ kind }) => kind === 'batch' || kind === 'capture'))
  const lists = commands.filter((command) => command.kind === 'list')
  const single = commands.flatMap((command): readonly Command[] =>
    command.kind === 'list' ? command.commands : [command],
  )
  const matched = single.flatMap((command) =>
    'member' in command && command.ifMatch ? [{ realm: command.realm, id: command.member }] : [],
  )
  const reversals = commands.filter((command) => command.kind === 'reverse')
  const ofHolds = commands.filter((command) => 'hold' in command)
  const ofAwards = commands.filter((command) => 'award' in command)
  const ofKind = (kind: PostedCommand['kind']) =>
    eachParty(
      commands.filter((one) => one.kind === kind),
      configured,
    )
  const entryKey = ({ realm, entry }: (typeof reversals)[number]) => `${realm}:${entry}`
  const awardKey = ({ realm, award }: (typeof ofAwards)[number]) => `${realm}:${award}`
  const holdKey = ({ realm, hold }: (typeof ofHolds)[number]) => `${realm}:${hold}`
  const [
    parties,
    requests,
    followers,
    following,
    originals,
    holds,
    held,
    awards,
    pending,
    given,
    keyDays,
    ...versions
  ] = await Promise.all([
    readParties(session, eachParty(commands, configured)),
    keyed.length > 0 ? readRequests(session, keyed) : undefined,
    readFollowers(session, several),
    readFollowing(session, eachKey(lists)),
    readOriginals(session, once(reversals, entryKey)),
    readHolds(session, once(ofHolds, holdKey)),
    readHeld(session, eachParty(commands.filter(readsHeld), configured)),
    readAwards(session, once(ofAwards, awardKey)),
    readPending(session, ofKind('award')),
    readGiven(session, limitedGivers(single, configured)),
    readKeyDays(session, single),
    readVersions(
      session,
      once(matched, ({ realm, id }) => `${realm}:${id}`),
    ),
    readHolderVersions(session, once(ofHolds.filter(isMatched), holdKey)),
    readAwardVersions(session, once(ofAwards.filter(isMatched), awardKey)),
    readSideVersions(session, once(reversals.filter(isMatched), entryKey)),
  ])
  const read = { parties, followers, following, originals, holds, awards, given, keyDays }
  return { ...read, held: [...held, ...pending], requests: requests?.rows ?? [], versions: versions.flat() }
}

const readsHeld = (command: Command): boolean =>
  command.kind === 'hold' || (command.kind === 'lapse' && command.idle !== undefined)

const isMatched = ({ ifMatch }: { readonly ifMatch?: unknown }): boolean => ifMatch !== undefined

const partyKey = ({ realm, id, point }: PartyQuery): string => `${realm}:${id}:${point}`

/** The members concerned: each member and point type once. */
function eachParty(commands: readonly PostedCommand[], configured: ConfigMap): PartyQuery[] {
  const parties = commands.flatMap((command) => {
    const { realm } = command
    return partiesOf(command, configIn(configured, realm)).map(({ id, point }) => ({ realm, id, point }))
  })
  return once(parties, partyKey)
}

/** Each Idempotency-Key once: a batch may contain a request and its own retries. */
function eachKey(commands: readonly PostedCommand[]): RetryQuery[] {
  const keyed = commands.flatMap(({ realm, retry }) => (retry ? [{ realm, retry }] : []))
  return once(keyed, ({ realm, retry }) => `${realm} ${retry.request}`)
}

/**
 * Members who transfer points that have a daily limit, each member and point type once: the whole day is
 * summed.
 */
function limitedGivers(commands: readonly PostedCommand[], configured: ConfigMap) {
  const givers = commands.flatMap((command) => {
    if (command.kind !== 'transfer') return []
    const config = configIn(configured, command.realm)
    const point = pointOf(command, config)
    if (!point || point.maxPerDay === null) return []
    return [{ realm: command.realm, id: command.member, point: point.number, zone: config.timeZone }]
  })
  return once(givers, partyKey)
}

type Mutable = {
  readonly config: RealmConfig
  readonly accounts: Map<string, number>
  readonly frozen: Set<number>
  readonly balances: Map<string, StoredBalance>
  readonly remembered: Map<string, RememberedAnswer>
  readonly context: {
    readonly originals: Map<bigint, Original>
    readonly holds: Map<bigint, Held>
    readonly awards: Map<bigint, PendingAward>
    readonly given: Map<string, bigint>
    readonly dayEndsUs: Map<string, bigint>
    readonly keyDays: Map<number, KeyDay>
    readonly versions: Map<number, bigint>
  }
}

export function statesOf(
  heads: readonly HeadRow[],
  seen: LoadedState,
  configured: ConfigMap,
): ReadonlyMap<number, RealmState> {
  // One time for the whole batch: that of the last lock taken, or of the daily sums.
  const nowUs = seen.given[0]?.now_us ?? heads.at(-1)?.now_us ?? 0n
  const states = new Map(
    heads.map((head) => {
      const { realm, seq, at_us: atUs, next_account: nextAccount } = head
      return [realm, { seq, atUs, nextAccount, nowUs, ...emptyState(configIn(configured, realm)) }]
    }),
  )
  for (const { realm, id, account, frozen, point, balance, seq, lots } of seen.parties) {
    const state = states.get(realm)
    state?.accounts.set(id, account)
    if (frozen) state?.frozen.add(account)
    state?.balances.set(balanceKey(account, point), { balance, seq, lots })
  }
  addRemembered(states, seen)
  addAside(states, seen)
  return states
}

function emptyState(config: RealmConfig): Mutable {
  return {
    config,
    accounts: new Map(),
    frozen: new Set(),
    balances: new Map(),
    remembered: new Map(),
    context: {
      originals: new Map(),
      holds: new Map(),
      awards: new Map(),
      given: new Map(),
      dayEndsUs: new Map(),
      keyDays: new Map(),
      versions: new Map(),
    },
  }
}

type States = ReadonlyMap<number, Mutable>
type Balance = { readonly account: number; readonly point: number }
type Read = {
  readonly balance: bigint | null
  readonly seq: bigint | null
  readonly lots?: string | null
}

function addBalance(state: Mutable | undefined, { account, point }: Balance, read: Read): void {
  const { balance, seq, lots } = read
  if (account !== issuance)
    state?.balances.set(balanceKey(account, point), { balance: balance ?? 0n, seq, lots })
}

function addAside(states: States, seen: LoadedState): void {
  for (const row of seen.originals) {
    const state = states.get(row.realm)
    const { kind, point, from_account: from, to_account: to, amount, from_id: fromId, to_id: toId } = row
    const { reversed_by: reversedBy, lots } = row
    const original = { kind, point, from, to, amount, fromId, toId, reversedBy, lots }
    state?.context.originals.set(row.seq, original)
    addBalance(
      state,
      { account: from, point },
      { balance: row.from_balance, seq: row.from_seq, lots: row.from_lots },
    )
    addBalance(state, { account: to, point }, { balance: row.to_balance, seq: row.to_seq, lots: row.to_lots })
  }
  for (const row of seen.awards) {
    const { account, id, point, amount, due_us: grantUs, ended_seq: endedBy } = row
    states.get(row.realm)?.context.awards.set(row.seq, { account, id, point, amount, grantUs, endedBy })
    addSetAside(states.get(row.realm), row, pendingOf(account))
  }
  for (const row of seen.holds) {
    const { account, id, point, amount, due_us: expiresUs, ended_seq: endedBy, lots } = row
    states
      .get(row.realm)
      ?.context.holds.set(row.seq, { account, id, point, amount, expiresUs, endedBy, lots })
    addSetAside(states.get(row.realm), row, heldOf(account))
  }
  for (const row of seen.held) addBalance(states.get(row.realm), row, row)
  for (const { realm, account, point, given, ends_us: endsUs } of seen.given) {
    states.get(realm)?.context.given.set(balanceKey(account, point), given)
    states.get(realm)?.context.dayEndsUs.set(balanceKey(account, point), endsUs)
  }
  for (const { realm, key, day, moved } of seen.keyDays)
    states.get(realm)?.context.keyDays.set(key, { day, moved })
  for (const { realm, account, version } of seen.versions)
    states.get(realm)?.context.versions.set(account, version)
}

/** A member's balances, spendable and set aside. */
function addSetAside(state: Mutable | undefined, row: HoldRow | AwardRow, asideAccount: number): void {
  const { account, point, balance, balance_seq: seq, balance_lots: lots } = row
  if (row.frozen) state?.frozen.add(account)
  addBalance(state, { account, point }, { balance, seq, lots })
  addBalance(state, { account: asideAccount, point }, { balance: row.held, seq: row.held_seq })
}

const requestKey = ({ realm, request }: Pick<FollowerRow, 'realm' | 'request'>) => `${realm} ${request}`

function addRemembered(states: States, { requests, followers, following }: LoadedState): void {
  const behind = Map.groupBy(followers, requestKey)
  const listed = Map.groupBy(following, requestKey)
  for (const row of requests) {
    const state = states.get(row.realm)
    // An entry takes precedence over a refusal of the same key that had expired when the entry was written.
    if (state && (row.seq !== null || !state.remembered.has(row.request))) {
      const rest = behind.get(requestKey(row)) ?? []
      const next = listed.get(requestKey(row))?.map(receiptOf)
      state.remembered.set(row.request, { ...rememberedOf(row, rest, state.config), following: next })
    }
  }
}
