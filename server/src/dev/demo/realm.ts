import type {
  LoadedMember,
  LoadedMerge,
  LoadedPoint,
  LoadedWallet,
  RealmHeader,
} from '../../files/imports/realmFile.ts'
import { Days, type LapseStep } from '../../realms/index.ts'
import type { Point, RealmConfig } from '../../realms/realm.ts'
import { Books } from './books.ts'
import { demoDays, frozenDays, frozenPlace, Life } from './life.ts'
import { addressOf, makePeople, type Person } from './people.ts'
import { Random } from './random.ts'

export const demoRealm = 'demo'

const rules = { archived: false, maxBalance: null, maxPerTransfer: null, maxPerDay: null }
const gold: Point = { ...rules, number: 1, id: 'gold', name: 'Gold', emoji: '🪙', transferable: true }
/** Praise lapses after a month: it is for those who are active now. */
const praiseRule = { after: { days: 30 } } as const
const step: LapseStep = {
  number: 1,
  fromSeq: 1n,
  baseDay: 1,
  notBefore: null,
  rule: praiseRule,
  days: new Days('UTC'),
}
const praise: Point = {
  ...rules,
  number: 2,
  id: 'praise',
  name: 'Praise',
  emoji: '⭐',
  transferable: false,
  lapse: [step],
}

const config: RealmConfig = {
  version: 1,
  id: demoRealm,
  name: 'Lantern Guild',
  logo: null,
  colours: null,
  timeZone: 'UTC',
  unknownMembers: 'refuse',
  hasMerges: true,
  suspended: null,
  publicBoard: false,
  defaultPoint: gold,
  points: new Map([gold, praise].map((point) => [point.id, point])),
}
/** The first unused key number. */
const nextKey = 3

/** Credited by a name on a stream before the person joined; that person is this one of the members. */
const viewerId = '4611686018427387911'
const viewerName = 'lantern_lurker'
const viewerPlace = 6

const dayMs = 86_400_000
const iso = (atMs: number): string => new Date(atMs).toISOString()

export type DemoOptions = {
  readonly seed: string
  /** The end of its 90 days. */
  readonly untilMs: number
}

/**
 * The demo realm as a file for import, docs/import-export.md: 90 days of a community, the same to the byte
 * for the same seed and end.
 */
export function demoFile({ seed, untilMs }: DemoOptions): string {
  const random = new Random(seed)
  const people = makePeople(random)
  const salts = new Random(`${seed} salts`)
  const ids = [...people.map(({ id }) => id), viewerId]
  const books = new Books({ config, ids, saltOf: () => salts.bytes(16) })
  const viewer = { id: viewerId, into: people[viewerPlace]?.id ?? '' }
  const merges: { readonly merge: LoadedMerge }[] = []
  const onMerged = (merged: Merged) => void merges.push({ merge: mergeOf(merged, ids.length) })
  new Life({ random, books, people, gold, praise, untilMs, viewer, onMerged }).live()
  const { head, lines } = books.sealed()
  const members = people.map((person, place) => ({ member: memberOf(person, place, untilMs) }))
  const wallets = people.flatMap((person, place) =>
    person.wallets.map((text) => ({ wallet: walletOf(text, place + 1, joinedMs(person, untilMs)) })),
  )
  const holds = lines.filter((line) => 'hold' in line).length
  const awards = lines.filter((line) => 'award' in line).length
  const counts = {
    members: members.length,
    wallets: wallets.length,
    entries: lines.length - holds - awards,
    holds,
    identities: 2,
    merges: merges.length,
    awards,
  }
  const named = identitiesOf(merges[0]?.merge.at ?? iso(untilMs), ids.length)
  const header = headerOf(head, ids.length, untilMs)
  const all = [header, ...members, ...wallets, ...named, ...lines, ...merges, { end: true, counts }]
  return all.map((line) => `${JSON.stringify(line)}\n`).join('')
}

type Merged = { readonly afterSeq: bigint; readonly entries: number; readonly atMs: number }

function mergeOf({ afterSeq, entries, atMs }: Merged, account: number): LoadedMerge {
  const flags = { frozen: false, hidden: false }
  return {
    number: 1,
    fromAccount: account,
    toAccount: viewerPlace + 1,
    afterSeq: String(afterSeq),
    entries,
    at: iso(atMs),
    keyId: '0',
    undoes: null,
    moved: {
      identities: [`twitch:${viewerName}`],
      wallets: [],
      from: { ...flags, joinedAt: iso(atMs - 13 * dayMs) },
      to: flags,
    },
  }
}

/** The name on the stream, and the id that the viewer had. */
function identitiesOf(linkedAt: string, account: number) {
  const common = { account: viewerPlace + 1, name: null, pictureUrl: null, linkedAt }
  const old = { ...common, provider: 'id', subject: viewerId, mergedAccount: account }
  return [{ identity: old }, { identity: { ...common, provider: 'twitch', subject: viewerName } }]
}

function headerOf(head: Pick<RealmHeader, 'seq' | 'hash'>, accounts: number, untilMs: number) {
  const createdAt = iso(untilMs - demoDays * dayMs)
  const { name, unknownMembers, logo, colours, timeZone } = config
  const header: RealmHeader = {
    format: 'exchequer-realm',
    version: 1,
    realmId: demoRealm,
    ...head,
    nextAccount: accounts + 1,
    nextKey,
    settings: { createdAt, name, unknownMembers, logo, colours, timeZone, rate: null, burst: null },
    points: [gold, praise].map((point) => pointOf(point, createdAt)),
    defaultPointId: gold.id,
  }
  return header
}

function pointOf({ number, id, name, emoji, transferable, lapse }: Point, createdAt: string): LoadedPoint {
  const none = { maxBalance: null, maxPerTransfer: null, maxPerDay: null, archivedAt: null }
  const steps = lapse?.map(({ fromSeq, days, rule, ...one }) => ({
    ...one,
    fromSeq: String(fromSeq),
    timeZone: days.timeZone,
    rule: JSON.stringify(rule),
  }))
  return { number, id, name, emoji, transferable, createdAt, ...none, ...(steps && { lapse: steps }) }
}

const joinedMs = ({ days }: Person, untilMs: number): number => Math.floor(untilMs - days * dayMs)

function memberOf(person: Person, place: number, untilMs: number): LoadedMember {
  const { id, username, displayName } = person
  const joinedAt = iso(joinedMs(person, untilMs))
  const frozen = place === frozenPlace ? iso(untilMs - frozenDays * dayMs) : null
  return {
    account: place + 1,
    id,
    username,
    displayName,
    metadata: null,
    note: frozen === null ? null : 'Frozen until it is clear whose second account this is.',
    hidden: false,
    frozenAt: frozen,
    joinedAt,
    updatedAt: frozen ?? joinedAt,
  }
}

function walletOf(text: string, account: number, linkedMs: number): LoadedWallet {
  const { shown: address, match, chain } = addressOf(text)
  return { account, match, address, chain, linkedAt: iso(linkedMs), verifiedAt: null }
}
