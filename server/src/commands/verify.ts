import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Audit, installation, record, verifyAction } from '../audit/index.ts'
import { ConfigError } from '../config/index.ts'
import type { Database } from '../db/database.ts'
import { bindPresent, type RealmScoped } from '../db/rowSecurity.ts'
import { gently } from '../ledger/journal/throttledReader.ts'
import {
  countShards,
  markWrong,
  readVerified,
  type Shard,
  saveShard,
  saveVerified,
  type Verified,
} from '../ledger/journal/verifiedStore.ts'
import type { Checkpoint } from '../ledger/journal/verify.ts'
import { type RunResult, verifyNext, verifyWhole } from '../ledger/journal/verifyNew.ts'
import type { Realm, Realms } from '../realms/index.ts'
import { command, commandLine, everyRealm, type Values, withNouns } from './command.ts'
import { Progress } from './progress.ts'
import { VerifyTotals } from './verifyTotals.ts'

type VerifyRequest = {
  readonly id: string | undefined
  readonly against: Checkpoint | undefined
  /** Replay everything; `forget` does not compare with what earlier runs stored. */
  readonly full: boolean
  readonly forget: boolean
  readonly shard: Shard | undefined
  readonly hurry: boolean
}

function checkpoint(text: string | undefined): Checkpoint | undefined {
  if (text === undefined) return undefined
  const [, seq, hash] = /^([0-9]+):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq === undefined || hash === undefined)
    throw new ConfigError('--against must be SEQ:HASH, as verify prints it.')
  return { seq: BigInt(seq), hash }
}

function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined
  const [, shard, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number)
  if (shard === undefined || of === undefined || shard < 1 || shard > of)
    throw new ConfigError('--shard must be I/N, such as 3/16, with I from 1 to N.')
  return { shard, of }
}

function requestOf(values: Values): VerifyRequest {
  const against = checkpoint(values['against'])
  const shard = shardOf(values['shard'])
  const [id, forget] = [values['realm'], values['forget'] !== undefined]
  if (against && id === undefined) throw new ConfigError('--against needs one realm: set it with --realm.')
  if (shard && id !== undefined) throw new ConfigError('--shard is for all realms: remove --realm.')
  const full = values['full'] !== undefined || forget || against !== undefined
  return { id, against, full, forget, shard, hurry: values['hurry'] !== undefined }
}

const clock = { nowMs: () => performance.now(), sleep: (ms: number) => sleep(ms) }

function verifyRealms(request: VerifyRequest): Promise<number> {
  const { id, hurry } = request
  if (!hurry) setPriority(constants.priority.PRIORITY_LOW)
  return withNouns(async ({ db, realms }) => {
    const run = new VerifyRun(db, request)
    for await (const page of pagesOf(realms, request)) await run.verify(page)
    run.totals.print(console.error)
    console.error(run.progress.summary())
    const { wrong } = run.totals
    if (id === undefined || wrong > 0) await keepVerdict(db, run.totals, request.shard)
    return wrong === 0 ? 0 : 1
  })
}

const pageSize = 100

/** The realms of the request, so many at a time. */
async function* pagesOf(realms: Realms, { id, shard }: VerifyRequest): AsyncGenerator<Realm[]> {
  if (id !== undefined) {
    yield [await realms.get(id)]
    return
  }
  let page: Realm[] = []
  for await (const realm of everyRealm(realms)) {
    if (shard && realm.number % shard.of !== shard.shard - 1) continue
    page.push(realm)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  yield page
}

class VerifyRun {
  readonly totals = new VerifyTotals()
  readonly progress = new Progress(console.error, clock.nowMs)
  readonly #db: Database
  readonly #reader: RealmScoped
  readonly #request: VerifyRequest
  #isStored = true

  constructor(db: Database, request: VerifyRequest) {
    this.#db = db
    this.#reader = request.hurry ? db : gently(db, clock)
    this.#request = request
  }

  async verify(realms: readonly Realm[]): Promise<void> {
    if (realms.length === 0) return
    const numbers = realms.map(({ number }) => number)
    const known = await readVerified(this.#reader.within(numbers), realms)
    // Most realms of a page have no new entry: they are stored together.
    const unchanged: [Realm, RunResult][] = []
    for (const realm of realms) {
      const verified = known.get(realm.number)
      const result = await this.#verifyOne(realm, verified)
      this.#print(realm, result, verified)
      if (result.next && !result.isWhole && result.counts.trusted === result.next.seq)
        unchanged.push([realm, result])
      else await this.#keep([[realm, result]])
    }
    if (unchanged.length > 0) await this.#keep(unchanged)
  }

  #verifyOne({ id, number: realm }: Realm, verified: Verified | undefined): Promise<RunResult> {
    const { against, full, forget, hurry: isHurried } = this.#request
    const onStep = this.progress.of(id)
    if (!full) return verifyNext(this.#reader, { realm, verified, onStep, isHurried })
    return verifyWhole(this.#reader, { realm, against, stored: forget ? undefined : verified, onStep })
  }

  #print({ id }: Realm, result: RunResult, verified: Verified | undefined): void {
    const { verdict } = result
    if (verdict.ok) console.log(`${id}: ok ${verdict.seq}:${verdict.hash}`)
    else console.log(`${id}: WRONG at ${verdict.where}: ${verdict.why}`)
    this.totals.add(result, verified?.verifiedAt)
  }

  /** Stores how far these realms were verified. A read-only database is verified all the same. */
  async #keep(results: readonly (readonly [Realm, RunResult])[]): Promise<void> {
    if (!this.#isStored) return
    const realms = results.map(([{ number }]) => number)
    const rows = results.flatMap(([{ number }, { next }]) => (next ? [{ realm: number, ...next }] : []))
    const wrong = results.flatMap(([{ number }, { verdict }]) => (verdict.ok ? [] : [number]))
    const isWhole = results.every(([, result]) => result.isWhole)
    try {
      await this.#db.transaction(async (unbound) => {
        const { tx, realms: here } = await bindPresent(unbound, realms)
        const known = rows.filter(({ realm }) => here.includes(realm))
        if (known.length > 0) await saveVerified(tx, known, isWhole)
        for (const realm of wrong.filter((one) => here.includes(one))) await markWrong(tx, realm)
      })
    } catch (error) {
      this.#isStored = false
      console.error(`How far it was verified could not be stored: ${(error as Error).message}`)
    }
  }
}

/**
 * Records in the audit log when the ledger was last verified, for monitoring. With shards, when all of them
 * were verified since the last record. A read-only database, such as a copy, is verified all the same.
 */
async function keepVerdict(db: Database, totals: VerifyTotals, shard: Shard | undefined): Promise<void> {
  const { wrong } = totals
  try {
    if (shard && wrong === 0 && !(await completes(db, shard))) return
    const act = { realm: installation, action: verifyAction(wrong === 0), subject: totals.subject(shard) }
    await db.transaction((tx) => record(tx, commandLine, act))
  } catch (error) {
    console.error(`The result could not be stored in the audit log: ${(error as Error).message}`)
  }
}

/** Stores that a shard was verified; whether all others were too, since the last record. */
async function completes(db: Database, shard: Shard): Promise<boolean> {
  const last = await new Audit(db).lastVerified()
  await saveShard(db.writing([installation]), installation, shard)
  // After the commit: of two shards that end at once, the later one sees both.
  const count = await countShards(db.within([installation]), installation, { of: shard.of, since: last?.at })
  return count === shard.of
}

export const verifyCommand = command(
  'verify [--realm <id>] [--against <seq:hash>] [--full] [--forget] [--shard <i/n>] [--hurry]',
  'replay the entries since the last run, and a thirtieth of those before; --full replays all, --forget ' +
    'also when they differ from what was stored; throttled, to spare a running server, unless --hurry',
  (_none, values) => verifyRealms(requestOf(values)),
)
