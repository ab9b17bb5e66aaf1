import { type Actor, record } from '../audit/index.ts'
import type { Database } from '../db/database.ts'
import { writeTransaction } from '../db/rowSecurity.ts'
import type { Queryable, Writable } from '../db/session.ts'
import { type RefusalError, refuse } from '../errors.ts'
import { addNotices } from '../notices/index.ts'
import { type Configs, changeConfigVersion } from '../realms/index.ts'
import { drawMemberId, findIdentities, insertIdentities, isNamed } from './identities/index.ts'
import { type ListPosition, listMembers, type Place, searchMembers } from './listStore.ts'
import { noticesOf } from './memberNotices.ts'
import { readWithName } from './partStore.ts'
import { findByDigits, findByWallet, type PartPlace } from './parts.ts'
import { type Member, MemberReader, memberNotFound, readAll } from './reader.ts'
import {
  findAccounts,
  insertMembers,
  type Known,
  keepAccount,
  lockHead,
  type NewMember,
  type Profile,
  raiseNextAccount,
  readProfile,
  updateMembers,
} from './store.ts'

export type { Place } from './listStore.ts'
export type { PartPlace } from './parts.ts'
export { type Member, memberNotFound } from './reader.ts'
export { emptyAccount, removeMember } from './removal.ts'
export type { NewMember, Profile } from './store.ts'

const largestId = 9_223_372_036_854_775_807n
const shortOfLargest = String(largestId).length - 1

/** Decimal digits from 1 to 2^63 - 1, without sign or leading zero. */
export function isMemberId(text: string): boolean {
  if (!/^[1-9][0-9]{0,18}$/.test(text)) return false
  return text.length <= shortOfLargest || BigInt(text) <= largestId
}

/** Which members: from a position on, all or those with `search` in a name. */
export type MemberQuery = {
  readonly search: string | undefined
  readonly after: Place | undefined
  readonly limit: number
}

export type PartQuery = {
  readonly by: 'id' | 'wallet'
  readonly part: string
  readonly after: PartPlace | undefined
  readonly limit: number
}
type PartMembers = { readonly members: readonly Member[]; readonly next: PartPlace | null }
type IdPage = { readonly ids: readonly string[]; readonly next: Place | null }

/** `next` is where the next page begins; null on the last. */
export type Page = { readonly members: readonly Member[]; readonly next: Place | null }

/** A realm's members. */
export class Members {
  readonly #db: Database
  readonly #configs: Configs
  readonly #reader: MemberReader

  constructor(db: Database, configs: Configs) {
    this.#db = db
    this.#configs = configs
    this.#reader = new MemberReader(db, configs)
  }

  get(realm: number, id: string): Promise<Member> {
    return this.#reader.get(realm, id)
  }

  /** The fields of a member that only managers see. */
  async profile(realm: number, id: string): Promise<Profile> {
    return (await readProfile(this.#db.within([realm]), realm, id)) ?? { metadata: null, note: null }
  }

  /** The members among these ids, in their order. */
  async those(realm: number, ids: readonly string[]): Promise<Member[]> {
    if (ids.length === 0) return []
    const asked = ids.map((id) => ({ realm, id }))
    const found = await readAll(this.#db, this.#configs, asked)
    return found.filter((member) => member !== undefined && member.joinedAtMs !== null) as Member[]
  }

  async page(realm: number, { search, after, limit }: MemberQuery): Promise<Page> {
    const { ids, next } =
      search === undefined
        ? await this.#listed(realm, { after, limit })
        : await this.#named(realm, { search, after, limit })
    return { members: await this.those(realm, ids), next }
  }

  /** Members by a part of their id or of one of their wallets. */
  async pageOfPart(realm: number, { by, ...asked }: PartQuery): Promise<PartMembers> {
    const find = by === 'id' ? findByDigits : findByWallet
    const { ids, next } = await find(this.#db.within([realm]), realm, asked)
    return { members: await this.those(realm, ids), next }
  }

  async #listed(realm: number, { after, limit }: Omit<MemberQuery, 'search'>): Promise<IdPage> {
    const most = limit + 1
    const listed = await listMembers(this.#db.within([realm]), realm, {
      after: after?.account ?? 0,
      limit: most,
    })
    return shownOf(listed, { most, limit })
  }

  /** Those with a name that begins with the text, by name; then the others that have it in a name. */
  async #named(realm: number, asked: MemberQuery & { search: string }): Promise<IdPage> {
    const own = this.#db.within([realm])
    const { search, after, limit } = asked
    if (after?.name === null) return othersOf(own, realm, { search, after: after.account, limit })
    // One more than is returned, to know whether there are more. Members with two names may be found twice.
    const most = 2 * limit + 1
    const listed = await searchMembers(own, realm, { search, after, limit: most })
    const first = shownOf(listed, { most, limit })
    if (first.next !== null) return first
    const room = limit - first.ids.length
    const last = listed.at(-1)
    if (room === 0 && last) return { ids: first.ids, next: { account: last.account, name: last.name } }
    const others = await othersOf(own, realm, { search, after: 0, limit: room })
    return { ids: [...first.ids, ...others.ids], next: others.next }
  }

  /** Creates missing members and changes existing ones. Returns how many were created. */
  async put(realm: number, members: readonly NewMember[], by: Actor): Promise<number> {
    return (await this.putMany(realm, members, by)).created
  }

  /** The same; returns how many were created and how many were changed. */
  putMany(realm: number, members: readonly NewMember[], by: Actor): Promise<PutResult> {
    return writeTransaction(this.#db, [realm], (tx) => putIn(tx, realm, { members, by }))
  }

  /** The same for a page of an import, which has one notice for all of its members. */
  putImported(realm: number, members: readonly NewMember[], by: Actor): Promise<PutResult> {
    return writeTransaction(this.#db, [realm], (tx) => putIn(tx, realm, { members, by, isImported: true }))
  }

  /** The same for one member, if it is still as its caller read it: 412 otherwise. */
  async putIf(realm: number, member: NewMember, conditional: Conditional): Promise<number> {
    const { by, isCurrent, refused = changedSince } = conditional
    return writeTransaction(this.#db, [realm], async (tx) => {
      // From here on neither points nor names change.
      await lockHead(tx, realm)
      const [named] = isNamed(member.id) ? await findIdentities(tx, [{ realm, name: member.id }]) : [member]
      const asked = named ? [{ realm, id: named.id }] : []
      const [found] = await readAll({ within: () => tx }, this.#configs, asked)
      if (!isCurrent(found)) throw refused(member.id)
      return (await putIn(tx, realm, { members: [member], by })).created
    })
  }

  /** Rejects with 412 when a member is no longer as its caller read it. */
  async assertCurrent(tx: Queryable, { realm, id }: Whose, isCurrent: IsCurrent): Promise<void> {
    const [found] = await readAll({ within: () => tx }, this.#configs, [{ realm, id }])
    if (!found) throw memberNotFound(id)
    if (!isCurrent(found)) throw changedSince(id)
  }

  async accountOf(realm: number, id: string): Promise<number> {
    const known = (await findAccounts(this.#db.within([realm]), realm, [id])).get(id)
    if (!known) throw memberNotFound(id)
    return known.account
  }

  /** The account of a member that is not removed before the transaction ends. */
  async accountIn(tx: Queryable, realm: number, id: string): Promise<number> {
    const account = await keepAccount(tx, realm, id)
    if (account === undefined) throw memberNotFound(id)
    return account
  }
}

type Whose = { readonly realm: number; readonly id: string }
export type IsCurrent = (member: Member | undefined) => boolean

export type Conditional = {
  readonly by: Actor
  readonly isCurrent: IsCurrent
  /** The refusal when it is not; by default that the member has changed. */
  readonly refused?: (id: string) => RefusalError
}

const changedSince = (id: string): RefusalError =>
  refuse('precondition_failed', `Member ${id} has changed since it was read. Read the member again.`)

export type PutResult = { readonly created: number; readonly updated: number }

type Put = {
  readonly members: readonly NewMember[]
  readonly by: Actor
  readonly isImported?: boolean
}

/** Under the head lock, as decisions read members. */
async function putIn(
  tx: Writable,
  realm: number,
  { members, by, isImported = false }: Put,
): Promise<PutResult> {
  const next = await lockHead(tx, realm)
  const { numbered, names } = await withIds(tx, realm, members)
  const sent = [...new Set(numbered.map(({ id }) => id))]
  const found = await findAccounts(tx, realm, sent)
  const known = new Map(found)
  const own = numbered.map((member) => ({ ...member, id: known.get(member.id)?.own ?? member.id }))
  for (const one of found.values()) known.set(one.own, one)
  const once = [...new Map(own.map((member) => [member.id, member])).values()]
  const ids = once.map((member) => member.id)
  const missing = once.filter((member) => !known.has(member.id))
  const created = missing.map((member, index) => ({ ...member, account: next + index }))
  if (created.length > 0) {
    await insertMembers(tx, realm, created)
    await raiseNextAccount(tx, realm, next + created.length)
    const named = created.flatMap(({ id, account }) => {
      const name = names.get(id)
      return name === undefined ? [] : [{ realm, name, account }]
    })
    if (named.length > 0) await insertIdentities(tx, named)
  }
  const there = once.filter((member) => known.has(member.id))
  const updated = there.length > 0 ? await updateMembers(tx, realm, there) : []
  await record(tx, by, { realm, action: 'member.put', subject: namesOf(ids) })
  await recordFreezing(tx, { realm, members: once, known, by })
  if (!isImported) await addNotices(tx, realm, noticesOf(created, updated))
  return { created: created.length, updated: there.length }
}

/**
 * Members by numeric id, and the identities of those that are new: an identity that no member has creates
 * one, with an id of its own.
 */
async function withIds(tx: Queryable, realm: number, members: readonly NewMember[]) {
  const sent = [...new Set(members.map(({ id }) => id).filter(isNamed))]
  const found = await findIdentities(
    tx,
    sent.map((name) => ({ realm, name })),
  )
  const ids = new Map(sent.map((name, index) => [name, found[index]?.id ?? drawMemberId()]))
  const missing = sent.filter((_, index) => !found[index])
  const numbered = members.map((member) => ({ ...member, id: ids.get(member.id) ?? member.id }))
  return { numbered, names: new Map(missing.map((name) => [ids.get(name) ?? '', name])) }
}

const namesOf = (ids: readonly string[]): string =>
  ids.length === 1 ? `member ${ids[0]}` : `${ids.length} members`

type Freezing = {
  readonly realm: number
  readonly members: readonly NewMember[]
  readonly known: ReadonlyMap<string, Known>
  readonly by: Actor
}

/** Processes remember who is frozen when they decide: the new configuration version invalidates that. */
async function recordFreezing(tx: Writable, { realm, members, known, by }: Freezing): Promise<void> {
  const turned = members.filter(({ id, frozen }) => frozen === !(known.get(id)?.frozen ?? false))
  if (turned.length === 0) return
  await changeConfigVersion(tx, realm)
  for (const [frozen, action] of [
    [true, 'member.freeze'],
    [false, 'member.thaw'],
  ] as const) {
    const ids = turned.filter((member) => member.frozen === frozen).map(({ id }) => id)
    if (ids.length > 0) await record(tx, by, { realm, action, subject: namesOf(ids) })
  }
}

/** Each member where it is found first, and where the next page begins. */
function shownOf(
  listed: readonly ListPosition[],
  { most, limit }: { readonly most: number; readonly limit: number },
): IdPage {
  const kept = listed.flatMap((one, index) => (one.again ? [] : [index]))
  const end = kept[limit - 1] ?? listed.length - 1
  const isMore = listed.length === most || kept.length > limit
  const ids = kept.slice(0, limit).flatMap((index) => listed[index]?.id ?? [])
  return { ids, next: isMore ? (listed[end] ?? null) : null }
}

type Others = { readonly search: string; readonly after: number; readonly limit: number }

/** The members with the text in a name that does not begin with it. A row without an id ends the page. */
async function othersOf(own: Queryable, realm: number, { search, after, limit }: Others): Promise<IdPage> {
  const found = await readWithName(own, realm, { text: search, after, limit })
  const end = found.find(({ id }) => id === null)
  return {
    ids: found.flatMap(({ id }) => id ?? []),
    next: end ? { account: end.account, name: null } : null,
  }
}
