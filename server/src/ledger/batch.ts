import type { Session } from '../db/session.ts'
import { type Configs, configIn, type RealmConfig } from '../realms/realms.ts'
import { seal } from './chain.ts'
import type { Command, Outcome } from './command.ts'
import { balanceKey, decide, type RealmState, type Remembered, type Stored } from './decide.ts'
import {
  begin,
  commit,
  type HeadRow,
  lockHeads,
  type PartyRow,
  type RequestRow,
  readParties,
  readRequests,
} from './store.ts'
import { type Decided, type Render, write } from './write.ts'

export type Tools = { readonly configs: Configs; readonly render: Render }

/** How heads are locked: leave out those that others hold, or wait for them. */
export type LockMode = 'free' | 'wait'

/** The last entry of each realm: it is in the journal exactly when the batch was committed. */
export type Proof = readonly { readonly realm: number; readonly seq: bigint; readonly hash: string }[]

export type Outcomes = ReadonlyMap<Command, Outcome>

/**
 * The COMMIT was sent and its fate is not known. Never repeated before `proof` was looked for under the head
 * lock.
 */
export class CommitUnknown extends Error {
  readonly proof: Proof
  readonly outcomes: Outcomes

  constructor(decided: readonly Decided[], outcomes: Outcomes, cause: unknown) {
    super('the outcome of COMMIT is not known', { cause })
    this.proof = proofOf(decided)
    this.outcomes = outcomes
  }
}

/**
 * One transaction for all these commands, in two round trips. Commands of realms that someone else has locked
 * have no outcome. Any error but CommitUnknown means that nothing happened.
 */
export async function runBatch(
  session: Session,
  commands: readonly Command[],
  options: Tools & { readonly mode: LockMode },
): Promise<Outcomes> {
  const { configs, render, mode } = options
  const byRealm = Map.groupBy(commands, (command) => command.realm)
  const realms = [...byRealm.keys()].sort((a, b) => a - b)
  // Held for the whole batch: what was read must be what is decided with, whatever others load meanwhile.
  let held: Held = await configs.resolve(
    session,
    realms.map((realm) => [realm]),
  )
  const [, heads, first] = await session.together(() =>
    Promise.all([begin(session), lockHeads(session, realms, mode), read(session, commands, held)]),
  )
  let seen = first
  const stale = heads.rows.filter((head) => held.get(head.realm)?.version !== head.config_version)
  if (stale.length > 0) {
    const wanted = stale.map((head) => [head.realm, head.config_version] as const)
    held = new Map([...held, ...(await configs.resolve(session, wanted))])
    seen = await read(session, commands, held)
  }
  const states = statesOf(heads.rows, seen, held)
  const decided = heads.rows.map((head) => decideRealm(head, states, byRealm.get(head.realm) ?? []))
  await finish(session, decided, render)
  return outcomesOf(decided)
}

async function finish(session: Session, decided: readonly Decided[], render: Render): Promise<void> {
  session.doubtful = false
  const sent = session.together(() => [...write(session, decided, render), commit(session)])
  const answers = await Promise.allSettled(sent)
  const last = answers.at(-1)
  if (last?.status === 'fulfilled' && last.value.command === 'COMMIT') {
    // A cancelled wait for the standby commits with a mere warning: the change may still be lost.
    if (session.doubtful)
      throw new CommitUnknown(decided, outcomesOf(decided), new Error('no standby confirmed it'))
    return
  }
  const failed = answers.find((answer) => answer.status === 'rejected')
  // The transaction had failed before COMMIT came, so PostgreSQL rolled it back and says so.
  if (last?.status === 'fulfilled')
    throw failed?.reason ?? new Error(`COMMIT was answered ${last.value.command}`)
  throw new CommitUnknown(decided, outcomesOf(decided), last?.reason)
}

type Held = ReadonlyMap<number, RealmConfig>

type Seen = { readonly parties: readonly PartyRow[]; readonly requests: readonly RequestRow[] }

async function read(session: Session, commands: readonly Command[], held: Held): Promise<Seen> {
  const asked = commands.flatMap(({ realm, retry }) => (retry ? [{ realm, retry }] : []))
  const [parties, requests] = await Promise.all([
    readParties(session, partiesOf(commands, held)),
    asked.length > 0 ? readRequests(session, asked) : undefined,
  ])
  return { parties: parties.rows, requests: requests?.rows ?? [] }
}

/** Who takes part: each member and point once. Point 0 stands for one that the realm does not have. */
function partiesOf(commands: readonly Command[], held: Held) {
  const parties = new Map<string, { realm: number; id: string; point: number }>()
  for (const command of commands) {
    const { realm } = command
    const config = configIn(held, realm)
    const point = command.point === undefined ? config.defaultPoint : config.points.get(command.point)
    const number = point?.number ?? 0
    for (const id of command.kind === 'transfer' ? [command.member, command.recipient] : [command.member]) {
      parties.set(`${realm}:${id}:${number}`, { realm, id, point: number })
    }
  }
  return [...parties.values()]
}

function statesOf(heads: readonly HeadRow[], seen: Seen, held: Held): ReadonlyMap<number, RealmState> {
  const nowUs = seen.parties[0]?.now_us ?? 0n
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
  for (const { realm, id, account, point, balance, place } of seen.parties) {
    if (account === null) continue
    const state = states.get(realm)
    state?.accounts.set(String(id), account)
    if (balance !== null && place !== null)
      state?.balances.set(balanceKey(account, point), { balance, place })
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

function decideRealm(
  head: HeadRow,
  states: ReadonlyMap<number, RealmState>,
  commands: readonly Command[],
): Decided {
  const state = states.get(head.realm)
  if (!state) throw new Error(`no state was read for realm ${head.realm}`)
  const decision = decide(state, commands)
  return { realm: head.realm, head, commands, decision, sealed: seal(head.hash, decision.entries) }
}

function outcomesOf(decided: readonly Decided[]): Outcomes {
  const outcomes = new Map<Command, Outcome>()
  for (const { commands, decision } of decided) {
    commands.forEach((command, index) => {
      const outcome = decision.outcomes[index]
      if (outcome) outcomes.set(command, outcome)
    })
  }
  return outcomes
}

function proofOf(decided: readonly Decided[]): Proof {
  return decided.flatMap(({ realm, sealed }) => {
    const last = sealed.at(-1)
    return last ? [{ realm, seq: last.entry.seq, hash: last.hash }] : []
  })
}
