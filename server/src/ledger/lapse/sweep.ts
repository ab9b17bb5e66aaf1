import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import { RefusalError } from '../../errors.ts'
import { addNotices } from '../../notices/index.ts'
import { type Configs, dayOfLapse, isIdle, type LapseStep } from '../../realms/index.ts'
import type { IdleBalance, Lapse, Outcome } from '../rules/command.ts'
import { lapseIdlePage } from './idleSweep.ts'
import { type DuePoint, endSweep, keepPlace, postpone, readPage, readSweep } from './sweepStore.ts'
import { warnDays, warningsOf } from './warnings.ts'

/**
 * Members whose points lapse in one batch of the lane: the other changes in it wait for these. With 500 they
 * took six times as long at p99.
 */
const batchSize = 20
/** How often a page is read again when the realm's configuration has changed meanwhile. */
const triesCap = 5
/** A realm that can only be read is looked at again later. */
const laterSeconds = 600

/** A day on which nothing lapses: points are only looked at to warn of those that lapse soon. */
const none = 0

/** `lost`: another process has the lease, or this one closes. */
export type PageEnd = 'page' | 'day' | 'later' | 'lost'

export type SweepTools = {
  readonly db: Database
  readonly configs: Configs
  readonly post: (command: Lapse) => Promise<Outcome>
}

type SweepOptions = SweepTools & {
  readonly isStopped: () => Promise<boolean>
}

/** The point type as configured, and the rule in force. */
type Target = DuePoint & {
  readonly id: string
  readonly steps: readonly LapseStep[]
  readonly last: LapseStep
}

/** Lapses what is due in the next page of a point type's balances. Repeating it writes nothing. */
export async function sweepPage(point: DuePoint, options: SweepOptions): Promise<PageEnd> {
  const { db, configs } = options
  const own = db.within([point.realm])
  const config = await configs.latest(own, point.realm)
  const found = [...config.points.values()].find(({ number }) => number === point.point)
  const last = found?.lapse?.at(-1)
  if (!found?.lapse || !last) return later(db, point)
  const { timeZone } = last.days
  const sweep = await readSweep(own, point, timeZone)
  // Another process was faster.
  if (!sweep) return 'day'
  const { today } = sweep
  const endDay = async () => {
    await endSweep(db.writing([point.realm]), point, { day: today, timeZone })
    return 'day' as const
  }
  const notBefore = last.notBefore ?? 0
  const isFree = last.rule === null || found.archived || today + warnDays < notBefore
  if (isFree) return endDay()
  const target = { ...point, id: found.id, steps: found.lapse, last }
  const after = [sweep.after_account, sweep.after_point] as const
  const page = await lapsePage(target, { ...options, after, today: today < notBefore ? none : today })
  if (page === 'later') return later(db, point)
  if (page === 'lost') return 'lost'
  if (!page) return endDay()
  const notices = await warningsOf(own, {
    ...target,
    after,
    last: page,
    today,
    lastDay: sweep.last_day,
    undatedBefore: (day) => undatedBefore(target, day),
  })
  await writeTransaction(db, [point.realm], async (tx) => {
    await keepPlace(tx, point, page)
    await addNotices(tx, point.realm, notices)
  })
  return 'page'
}

async function later(db: Database, point: DuePoint): Promise<PageEnd> {
  await postpone(db.writing([point.realm]), point, laterSeconds)
  return 'later'
}

/** Entries before this one left undated points that are due now. */
function undatedBefore({ steps }: Target, today: number): bigint {
  const due = steps.filter(({ rule, baseDay }) => rule !== null && dayOfLapse(baseDay, rule) <= today)
  return due.reduce((most, { fromSeq }) => (fromSeq > most ? fromSeq : most), 0n)
}

type PageOptions = SweepOptions & { readonly after: readonly [number, number]; readonly today: number }

/** Returns the last balance of the page, and undefined at the end of all. */
async function lapsePage(
  target: Target,
  options: PageOptions,
): Promise<readonly [number, number] | 'later' | 'lost' | undefined> {
  const { db, after, today, isStopped } = options
  if (isIdle(target.steps)) {
    const lapse = (members: readonly Found[], config: number) =>
      lapseBatch(target, members, { ...options, config })
    return lapseIdlePage(target, { ...options, batchSize, lapse })
  }
  const query = { after, today, undatedBefore: undatedBefore(target, today) }
  for (let tried: number | undefined, tries = 0; tries < triesCap; tries++) {
    const rows = await readPage(db.within([target.realm]), target, query)
    const end = rows.at(-1)
    if (!end) return undefined
    const due = rows.flatMap(({ id }) => (id === null ? [] : [{ member: id }]))
    // Decided with another configuration, everything was refused. With the same one, nothing more is due.
    if (due.length === 0 || end.config_version === tried) return [end.account, end.point]
    tried = end.config_version
    for (let from = 0; from < due.length; from += batchSize) {
      if (await isStopped()) return 'lost'
      const outcomes = await lapseBatch(target, due.slice(from, from + batchSize), {
        ...options,
        config: end.config_version,
      })
      if (outcomes.some(isSuspended)) return 'later'
    }
  }
  return 'later'
}

const isSuspended = (outcome: Outcome): boolean =>
  outcome.kind === 'refused' && outcome.refusal.code === 'realm_suspended'

/** A member who may have something that is due. */
type Found = { readonly member: string; readonly idle?: IdleBalance }

type BatchOptions = SweepOptions & { readonly config: number }

async function lapseBatch(
  { realm, id: point }: Target,
  members: readonly Found[],
  { post, config }: BatchOptions,
): Promise<Outcome[]> {
  const common = { kind: 'lapse', realm, key: 0, requestId: 'lapse', retry: undefined } as const
  const commands = members.map((found) => ({ ...common, ...found, point, tokens: 0n, config }))
  const ends = await Promise.allSettled(commands.map((one) => post({ ...one, details: undefined })))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed)
    throw failed.reason instanceof RefusalError
      ? failed.reason
      : new Error('a lapse failed', { cause: failed.reason })
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
}
