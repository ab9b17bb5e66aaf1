import type { Database } from '../../db/database.ts'
import type { Queryable } from '../../db/session.ts'
import { fingerprintOf, greatest, type Lot, requestOf } from '../../ledger/index.ts'
import { findIdentities, isNamed } from '../../members/identities/index.ts'
import type { RealmConfig } from '../../realms/index.ts'
import type { LinkRow, Wallets } from '../../wallets/index.ts'
import type { Page } from './pages.ts'
import type { LineFault, Row, RowWallet } from './rows.ts'
import {
  type Had,
  hadNothing,
  type MemberPoint,
  type Names,
  readHad,
  readMembers,
  readOpenings,
} from './store.ts'

/** An opening balance, and the request under which it is made once, however often it is sent. */
export type Opening = {
  readonly line: number
  readonly member: string
  readonly point: string
  readonly amount: bigint
  /** The days on which it lapses, if the file names them. */
  readonly lots?: readonly Lot[] | undefined
  readonly request: string
  readonly fingerprint: string
}

/** What has to be done for a page of rows. With any error, nothing is done. */
export type Plan = {
  readonly rows: number
  /** Whether nothing of it exists yet. */
  readonly isNew: boolean
  readonly faults: readonly LineFault[]
  readonly created: readonly Row[]
  readonly updated: readonly Row[]
  readonly links: readonly LinkRow[]
  /** All openings of the rows, and those among them still to be made. */
  readonly openings: readonly Opening[]
  readonly due: readonly Opening[]
  /** Those due whose member already has points, a hold or an opening: they are added on top. */
  readonly onTop: readonly Opening[]
}

export type Planning = {
  readonly db: Database
  readonly wallets: Wallets
  readonly realm: number
  readonly config: RealmConfig
  /** The import's name: with the member and the point type it identifies an opening balance. */
  readonly name: string
}

const nothingSaid = { reason: undefined, reference: undefined, metadata: undefined, actorId: undefined }

function openingsOf({ line, id, balances }: Row, name: string): Opening[] {
  return [...Map.groupBy(balances, ({ point }) => point)].map(([point, own]) => {
    const amount = own.reduce((sum, one) => sum + one.amount, 0n)
    const lots = lotsOf(own)
    return openingOf({ line, member: id, point, amount, lots }, name)
  })
}

/** In the order of their days; undefined where the file names none. */
function lotsOf(own: Row['balances']): readonly Lot[] | undefined {
  const lots = own.flatMap(({ day, amount }) => (day === undefined ? [] : [{ day, amount }]))
  return lots.length === 0 ? undefined : lots.sort((one, other) => one.day - other.day)
}

function openingOf(of: Omit<Opening, 'request' | 'fingerprint'>, name: string): Opening {
  const { member: id, point, amount, lots } = of
  const days = lots?.map(({ day, amount: points }) => `${day}:${points}`) ?? []
  return {
    ...of,
    // With spaces: an Idempotency-Key of a client can't contain them, so it can't be the same.
    request: requestOf(`import ${JSON.stringify(name)} member ${id} point ${point}`),
    fingerprint: fingerprintOf({
      kind: 'opening',
      said: [id, undefined, String(amount), ...days],
      point,
      details: nothingSaid,
    }),
  }
}

/** What already exists of a page. */
type Known = {
  /** By the id of their row, which may be an identity. */
  readonly members: ReadonlyMap<string, Names>
  /** The ids of the members that rows name by an identity. */
  readonly ids: ReadonlyMap<string, string>
  readonly there: ReadonlyMap<string, bigint>
  /** In the order of the page's wallets. */
  readonly owners: readonly (string | null)[]
  /** The members that have old ids now, by `id:` and the old id. */
  readonly old: ReadonlyMap<string, string>
}

const nothing: Known = {
  members: new Map(),
  ids: new Map(),
  there: new Map(),
  owners: [],
  old: new Map(),
}

type Linked = RowWallet & { readonly row: Row }

/** In a realm with merges, a numeric id may be an old one of a member. */
const oldId = 'id:'
const asIdentity = (id: string): string => (isNamed(id) ? id : `${oldId}${id}`)

async function known(rows: readonly Row[], extras: Extras, planning: Planning): Promise<Known> {
  const { db, wallets, realm } = planning
  const { hasMerges } = planning.config
  const own = db.within([realm])
  const names = rows.map(({ id }) => id).filter((id) => hasMerges || isNamed(id))
  const found = await idsOf(own, realm, names.map(asIdentity))
  const ids = new Map([...found].filter(([name]) => !name.startsWith(oldId)))
  const old = new Map([...found].filter(([name]) => name.startsWith(oldId)))
  const sent = rows.map(({ id }) => id).filter((id) => !isNamed(id) || ids.has(id))
  const requests = extras.openings.map(({ request }) => request)
  const matches = extras.linked.map(({ match }) => match)
  const [members, there, owners] = await Promise.all([
    readMembers(
      own,
      realm,
      sent.map((id) => ids.get(id) ?? id),
    ),
    readOpenings(own, realm, requests),
    wallets.ownersOf(realm, matches),
  ])
  const bySent = sent.flatMap((id) => {
    const names = members.get(ids.get(id) ?? id)
    return names ? [[id, names] as const] : []
  })
  return { members: new Map(bySent), ids, there, owners, old }
}

/** The ids of the members that have these identities. */
export async function idsOf(
  db: Queryable,
  realm: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = names.map((name) => ({ realm, name }))
  const found = await findIdentities(db, asked)
  return new Map(names.flatMap((name, index) => (found[index] ? [[name, found[index].id] as const] : [])))
}

/** What a page contains in addition to members. */
type Extras = { readonly openings: readonly Opening[]; readonly linked: readonly Linked[] }

/**
 * Compares a page with what exists. Changes nothing. A page that was new a moment ago is not compared again:
 * the ledger knows what was made of it meanwhile.
 */
export async function planPage(page: Page, planning: Planning, isNew = false): Promise<Plan> {
  const { rows } = page
  const extras: Extras = {
    openings: rows.flatMap((row) => openingsOf(row, planning.name)),
    linked: rows.flatMap((row) => row.wallets.map((wallet) => ({ ...wallet, row }))),
  }
  const { openings, linked } = extras
  const {
    members,
    ids,
    there,
    owners,
    old: merged,
  } = isNew || rows.length === 0 ? nothing : await known(rows, extras, planning)
  const due = openings.filter(({ request }) => !there.has(request))
  const links = linked.filter((_, index) => (owners[index] ?? null) === null)
  const old = due.filter(({ member }) => members.has(member))
  const [full, onTop] = old.length > 0 ? await comparedWithOld(old, ids, planning) : [[], []]
  return {
    rows: rows.length,
    isNew: members.size === 0 && there.size === 0 && links.length === linked.length,
    faults: [
      ...page.faults,
      ...changed(openings, there),
      ...taken(linked, owners, ids),
      ...full,
      ...ofMerged(rows, merged),
    ],
    created: rows.filter(({ id }) => !members.has(id)),
    updated: rows.filter((row) => isRenamed(row, members.get(row.id))),
    links: links.map(({ row, match, shown, chain }) => ({ member: row.id, match, shown, chain })),
    openings,
    due,
    onTop,
  }
}

/** An omitted name stays as it is. */
function isRenamed({ username, displayName }: Row, names: Names | undefined): boolean {
  if (!names) return false
  const same = (username ?? names.username) === names.username
  return !same || (displayName ?? names.display_name) !== names.display_name
}

function changed(openings: readonly Opening[], there: ReadonlyMap<string, bigint>): LineFault[] {
  return openings.flatMap(({ line, member, amount, request }) => {
    const made = there.get(request)
    if (made === undefined || made === amount) return []
    const detail = `This import gave member ${member} an opening balance of ${made}, not ${amount}.`
    return [{ line, detail }]
  })
}

type Ids = ReadonlyMap<string, string>

function ofMerged(rows: readonly Row[], merged: Ids): LineFault[] {
  if (merged.size === 0) return []
  return rows.flatMap(({ line, id }) => {
    const survivor = merged.get(asIdentity(id))
    if (survivor === undefined || isNamed(id)) return []
    return [{ line, detail: `Member ${id} was merged into member ${survivor}. Use that id.` }]
  })
}

function taken(linked: readonly Linked[], owners: readonly (string | null)[], ids: Ids): LineFault[] {
  return linked.flatMap(({ shown, row }, index) => {
    const owner = owners[index] ?? null
    if (owner === null || owner === (ids.get(row.id) ?? row.id)) return []
    return [
      { line: row.line, detail: `Wallet ${shown} is linked to member ${owner}. Unlink it there first.` },
    ]
  })
}

/** Openings of existing members: those that would exceed the limit, and those that are added on top. */
async function comparedWithOld(
  old: readonly Opening[],
  ids: Ids,
  { db, realm, config }: Planning,
): Promise<readonly [readonly LineFault[], readonly Opening[]]> {
  const own = db.within([realm])
  const wanted: MemberPoint[] = old.map(({ member, point }) => ({
    id: ids.get(member) ?? member,
    point: config.points.get(point)?.number ?? 0,
  }))
  const had = await readHad(own, realm, wanted)
  const all = old.map((opening, index) => ({ opening, has: had[index] ?? hadNothing }))
  // What a member has may be this very opening: made by the same import, sent twice at once.
  const some = all.filter(({ has }) => hasAny(has)).map(({ opening }) => opening.request)
  const made = some.length > 0 ? await readOpenings(own, realm, some) : new Map()
  const left = all.filter(({ opening }) => !made.has(opening.request))
  const onTop = left.filter(({ has }) => hasAny(has)).map(({ opening }) => opening)
  return [left.flatMap(({ opening, has }) => tooMany(opening, has, config)), onTop]
}

function tooMany({ line, member, point, amount }: Opening, has: Had, config: RealmConfig): LineFault[] {
  const most = config.points.get(point)?.maxBalance ?? greatest
  if (has.balance + amount <= most) return []
  const detail = `Member ${member} has ${has.balance} already; with ${amount} it would be more than ${most}.`
  return [{ line, detail }]
}

const hasAny = ({ balance, held, opened }: Had): boolean => balance > 0n || held > 0n || opened

/** How many members an error names. */
export const namedCap = 10

/**
 * One error for all openings that are added on top: listed line by line they would hide every other error.
 */
export function onTopFault(count: number, first: readonly Opening[]): LineFault {
  const ids = [...new Set(first.map(({ member }) => member))].slice(0, namedCap)
  const what = count === 1 ? '1 opening balance is' : `${count} opening balances are`
  const more = count > first.length || first.length > namedCap ? ' and others' : ''
  const detail =
    `${what} for members who already have points, a hold or an opening balance: ${ids.join(', ')}${more}. ` +
    'If it is the same import as before, use the name it had. To add on top: onTop=add.'
  return { line: first[0]?.line ?? 0, detail }
}
