import type { Session } from '../db/session.ts'
import { bind } from '../db/wall.ts'
import { type Configs, configIn, type RealmConfig } from '../realms/realms.ts'
import { commitBatch, decideRealm, type Outcomes } from './batch.ts'
import type { Command } from './command.ts'
import { balanceKey, type RealmState, type Remembered, type Stored } from './decide.ts'
import type { Memory } from './memory.ts'
import { partiesOf } from './parties.ts'
import {
  type Asked,
  begin,
  type Found,
  type HeadRow,
  lockHeads,
  type RequestRow,
  readParties,
  readRequests,
} from './store.ts'
import { type Render, writeHeads, writeRows } from './write.ts'

export type Tools = { readonly configs: Configs; readonly render: Render; readonly memory: Memory }

/** How heads are locked: leave out those that others hold, or wait for them. */
export type LockMode = 'free' | 'wait'

/**
 * One transaction for all these commands, in two round trips: the heads are locked, and what is decided on is
 * read under the lock. Commands of realms that someone else has locked have no outcome. Any error but
 * CommitUnknown means that nothing happened.
 */
export async function runLocked(
  session: Session,
  commands: readonly Command[],
  options: Tools & { readonly mode: LockMode },
): Promise<Outcomes> {
  const { configs, render, mode, memory } = options
  const byRealm = Map.groupBy(commands, (command) => command.realm)
  const realms = [...byRealm.keys()].sort((a, b) => a - b)
  // Held for the whole batch: what was read must be what is decided with, whatever others load meanwhile.
  let held: Held = await configs.resolve(
    session.within(realms),
    realms.map((realm) => [realm]),
  )
  const [, , heads, first] = await session.together(() =>
    Promise.all([
      begin(session),
      bind(session, realms),
      lockHeads(session, realms, mode),
      read(session, commands, held),
    ]),
  )
  let seen = first
  const stale = heads.rows.filter((head) => held.get(head.realm)?.version !== head.config_version)
  if (stale.length > 0) {
    const wanted = stale.map((head) => [head.realm, head.config_version] as const)
    held = new Map([...held, ...(await configs.resolve(session, wanted))])
    seen = await read(session, commands, held)
  }
  const states = statesOf(heads.rows, seen, held)
  const decided = heads.rows.map((head) => {
    const state = states.get(head.realm)
    if (!state) throw new Error(`no state was read for realm ${head.realm}`)
    return decideRealm(head, state, byRealm.get(head.realm) ?? [])
  })
  const moved = decided.filter(({ sealed }) => sealed.length > 0)
  const outcomes = await commitBatch(session, decided, () => [
    ...(moved.length > 0 ? [writeHeads(session, moved)] : []),
    ...writeRows(session, decided, render),
  ])
  for (const one of decided) memory.keep(one)
  return outcomes
}

type Held = ReadonlyMap<number, RealmConfig>

type Seen = { readonly parties: readonly Found[]; readonly requests: readonly RequestRow[] }

async function read(session: Session, commands: readonly Command[], held: Held): Promise<Seen> {
  const asked = commands.flatMap(({ realm, retry }) => (retry ? [{ realm, retry }] : []))
  const [parties, requests] = await Promise.all([
    readParties(session, eachParty(commands, held)),
    asked.length > 0 ? readRequests(session, asked) : undefined,
  ])
  return { parties, requests: requests?.rows ?? [] }
}

/** Who takes part: each member and point once. */
function eachParty(commands: readonly Command[], held: Held): Asked[] {
  const parties = new Map<string, Asked>()
  for (const command of commands) {
    const { realm } = command
    for (const { id, point } of partiesOf(command, configIn(held, realm))) {
      parties.set(`${realm}:${id}:${point}`, { realm, id, point })
    }
  }
  return [...parties.values()]
}

function statesOf(heads: readonly HeadRow[], seen: Seen, held: Held): ReadonlyMap<number, RealmState> {
  // One time for the whole batch: that of the lock that was got last.
  const nowUs = heads.at(-1)?.now_us ?? 0n
  const states = new Map(
    heads.map((head) => {
      const maps = {
        accounts: new Map<string, number>(),
        balances: new Map<string, Stored>(),
        remembered: new Map<string, Remembered>(),
      }
      const { seq, at_us: atUs, next_account: nextAccount } = head
      return [head.realm, { config: configIn(held, head.realm), seq, atUs, nextAccount, nowUs, ...maps }]
    }),
  )
  for (const { realm, id, account, point, balance, seq } of seen.parties) {
    const state = states.get(realm)
    state?.accounts.set(id, account)
    state?.balances.set(balanceKey(account, point), { balance, seq })
  }
  for (const row of seen.requests) {
    const state = states.get(row.realm)
    // An entry comes before a refusal of the same key that had run out when the entry was made.
    if (state && (row.seq !== null || !state.remembered.has(row.request))) {
      state.remembered.set(row.request, rememberedOf(row, state))
    }
  }
  return states
}

function rememberedOf(row: RequestRow, state: RealmState): Remembered {
  const { fingerprint, seq, from_balance: fromBalance, to_balance: toBalance } = row
  if (seq === null) {
    const { status, body } = row
    return {
      fingerprint,
      point: row.point_id ?? '',
      outcome: { kind: 'recalled', status: status ?? 0, body: body ?? '' },
    }
  }
  const point = [...state.config.points.values()].find((candidate) => candidate.number === row.point)
  const receipt = { seq, fromBalance, toBalance }
  return { fingerprint, point: point?.id ?? '', outcome: { kind: 'done', receipt, replayed: true } }
}
