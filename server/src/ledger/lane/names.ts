import { brokenConstraint } from '../../db/failures.ts'
import type { Queryable, Session } from '../../db/session.ts'
import { drawMemberId, findIdentities, isNamed, type Named } from '../../members/identities/index.ts'
import type { Command, PostedCommand } from '../rules/command.ts'
import type { RealmState } from '../rules/state.ts'
import { type ConfigMap, type LoadedState, loadState, statesOf } from './loadState.ts'
import { readNamedParties } from './nameStore.ts'
import { type HeadRow, type PartyQuery, type PartyState, readParties } from './store.ts'

/**
 * Members that commands name by an identity. Everything else is read by numeric id, and the state then has
 * their accounts under both names. A batch without identities is read as if this module did not exist.
 */

/** An identity as sent, and the id of its member; undefined while no member has it. */
type Name = Named & { readonly id: string | undefined }

export type NamedState = LoadedState & { readonly names?: readonly Name[] }

/** An id that no member has: ids begin at 1. */
const noMember = '0'

/** A member had the id that was drawn for a new one: the next attempt draws another. */
export const isDrawnTwice = (error: unknown): boolean => brokenConstraint(error) === 'members_id_unique'

const nameKey = ({ realm, name }: Named): string => `${realm}:${name}`

function membersIn(command: PostedCommand): readonly string[] {
  if (command.kind === 'rehearsal' || command.kind === 'list') return command.commands.flatMap(membersIn)
  if (command.kind === 'batch') return command.changes.map(({ member }) => member)
  if (!('member' in command)) return []
  return command.kind === 'transfer' ? [command.member, command.recipient] : [command.member]
}

/** Each identity once, and each numeric id of a realm where it may be a merged member's. */
function namesIn(commands: readonly PostedCommand[], configured: ConfigMap): Named[] {
  const named = new Map<string, Named>()
  for (const command of commands) {
    const hasMerges = configured.get(command.realm)?.hasMerges === true
    for (const name of membersIn(command)) {
      const one = { realm: command.realm, name }
      if (hasMerges || isNamed(name)) named.set(nameKey(one), one)
    }
  }
  return [...named.values()]
}

/** An old id of a member is an identity of it: `id:42`. */
const asIdentity = ({ realm, name }: Named): Named => ({ realm, name: isNamed(name) ? name : `id:${name}` })

/** Reads what these commands are decided on; with identities in one round trip more. */
export async function loadNamed(
  session: Session,
  commands: readonly PostedCommand[],
  configured: ConfigMap,
): Promise<NamedState> {
  const asked = namesIn(commands, configured)
  if (asked.length === 0) return loadState(session, commands, configured)
  const found = await findIdentities(session, asked.map(asIdentity))
  const names = asked
    .map((one, index) => ({ ...one, id: found[index]?.id }))
    .filter(({ name, id }) => isNamed(name) || id !== undefined)
  const ids = new Map(names.map((one) => [nameKey(one), one.id ?? noMember]))
  const numbered = commands.map((command) =>
    withIds(command, (name) => ids.get(nameKey({ realm: command.realm, name })) ?? name),
  )
  return { ...(await loadState(session, numbered, configured)), names }
}

type IdOf = (name: string) => string

/** The same command with numeric ids. */
function withIds(command: PostedCommand, idOf: IdOf): PostedCommand {
  return command.kind === 'rehearsal'
    ? { ...command, commands: command.commands.map((one) => ofMembers(one, idOf)) }
    : ofMembers(command, idOf)
}

function ofMembers<T extends Command>(command: T, idOf: IdOf): T {
  switch (command.kind) {
    case 'list':
      return { ...command, commands: command.commands.map((one) => ofMembers(one, idOf)) }
    case 'batch':
      return { ...command, changes: command.changes.map((one) => ({ ...one, member: idOf(one.member) })) }
    case 'transfer':
      return { ...command, member: idOf(command.member), recipient: idOf(command.recipient) }
    default:
      return 'member' in command ? { ...command, member: idOf(command.member) } : command
  }
}

export function statesNamed(
  heads: readonly HeadRow[],
  seen: NamedState,
  configured: ConfigMap,
): ReadonlyMap<number, RealmState> {
  const states = statesOf(heads, seen, configured)
  if (!seen.names) return states
  const byRealm = Map.groupBy(seen.names, ({ realm }) => realm)
  return new Map(
    Array.from(states, ([realm, state]) => [realm, withNames(state, byRealm.get(realm) ?? [])] as const),
  )
}

/** The state with the accounts of these identities, and an id for each that may get a member now. */
function withNames(state: RealmState, names: readonly Name[]): RealmState {
  const accounts = new Map(state.accounts)
  const ids = new Map<string, string>()
  for (const { name, id } of names) {
    const account = id === undefined ? undefined : accounts.get(id)
    if (account !== undefined) accounts.set(name, account)
    ids.set(name, id ?? drawMemberId())
  }
  return { ...state, accounts, context: { ...state.context, ids } }
}

/** Parties by numeric id and by identity: two statements at once where there are both. */
export async function readAnyParties(db: Queryable, asked: readonly PartyQuery[]): Promise<PartyState[]> {
  const named = asked.filter(({ id }) => isNamed(id))
  if (named.length === 0) return readParties(db, asked)
  const numbered = asked.filter(({ id }) => !isNamed(id))
  const found = await Promise.all([
    readNamedParties(db, named),
    numbered.length > 0 ? readParties(db, numbered) : [],
  ])
  return found.flat()
}
