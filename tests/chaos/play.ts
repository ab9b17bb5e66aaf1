import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRealm, manager, type RealmAccess } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'
import { readBooks, wrongNow } from './books.ts'
import { Diary, type DiaryEntry, fateOf, readDiary } from './diary.ts'
import { judge, type Verdict } from './judge.ts'
import { everyone, Load, type LoadOptions } from './load.ts'
import { Random } from './random.ts'
import type { Stage, StageOptions } from './stage.ts'

/** What a fault may use while it runs. */
export type Scene = {
  readonly load: Load
  readonly random: Random
  /** Records a problem unless the condition holds. */
  readonly expect: (so: boolean, words: string) => void
  /** How long it took until writes were acknowledged again, and the limit. */
  readonly resumed: (tookMs: number, capMs: number) => void
}

export type Fault = {
  readonly name: string
  readonly title: string
  readonly times: number
  /** How long the load runs before each injection: somewhere between the two. */
  readonly pauseMs: readonly [number, number]
  /** Prepares the fault; the returned function injects it once and repairs it. */
  readonly open: (options: StageOptions) => Promise<{ readonly stage: Stage; readonly inject: Inject }>
}

type Inject = (scene: Scene, turn: number) => Promise<void>

export type Report = Verdict & {
  readonly title: string
  readonly injected: number
  readonly snapshots: number
  readonly broken: number
  readonly longestGapMs: number
  /** The longest time until writes resumed after the repair, when the fault measures it. */
  readonly resumedMs: number | undefined
  readonly mostMb: number
}

export type PlayOptions = {
  readonly seed: number
  readonly times?: number
  readonly pauseMs?: readonly [number, number]
  readonly env?: Readonly<Record<string, string>>
  readonly load?: Pick<LoadOptions, 'forgetsKey' | 'keyedShare'>
}

/** How many acknowledged changes are retried at the end. */
const askedAgain = 300
/** The watcher of the ledger stops by itself after this time. */
const watchMs = 60 * 60_000

/** Runs one fault under load, then judges. */
export async function play(fault: Fault, options: PlayOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), `exchequer-chaos-${fault.name}-`))
  // PostgreSQL runs as another user and needs access to this folder.
  await chmod(folder, 0o755)
  try {
    const { stage, inject } = await fault.open({ folder, ...(options.env ? { env: options.env } : {}) })
    try {
      return await underLoad({ fault, stage, inject, folder, ...options })
    } finally {
      await stage.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Playing = PlayOptions & {
  readonly fault: Fault
  readonly stage: Stage
  readonly folder: string
  readonly inject: Inject
}

async function underLoad(playing: Playing): Promise<Report> {
  const { fault, stage, folder, seed } = playing
  const realms = await makeRealms(stage)
  const path = join(folder, 'diary.jsonl')
  const diary = await Diary.open(path)
  const load = new Load({ urls: stage.urls, realms, diary, seed, ...playing.load })
  await load.start()
  const watch = new Watch(stage.superuserUrl, new Map([[realms.closed.id, load.closedSum]]))
  const wrong: string[] = []
  let resumedMs: number | undefined
  const scene: Scene = {
    load,
    random: new Random(seed, fault.name),
    expect: (so, words) => void (so || wrong.push(words)),
    resumed(tookMs, capMs) {
      resumedMs = Math.max(resumedMs ?? 0, tookMs)
      if (tookMs > capMs) wrong.push(`late: writes came back after ${tookMs} ms, ${capMs} allowed`)
    },
  }
  const injected = await injectAll(playing, scene)
  await load.stop()
  await watch.stop()
  await diary.close()
  const diaryEntries = await readDiary(path)
  if (!playing.load?.forgetsKey) wrong.push(...(await load.askAgain(sample(diaryEntries, scene.random))))
  load.close()
  const verdict = judge(diaryEntries, await readBooks(stage.superuserUrl))
  const verified = await stage.verify()
  if (!verified.ok) wrong.push(`verify: ${verified.said}`)
  return {
    ...verdict,
    title: fault.title,
    injected,
    snapshots: watch.taken,
    broken: load.broken,
    longestGapMs: load.longestGapMs,
    resumedMs,
    mostMb: Math.max(...stage.servers.map(({ mostMb }) => mostMb)),
    wrong: [...verdict.wrong, ...watch.wrong, ...wrong],
  }
}

async function injectAll({ fault, inject, times, pauseMs }: Playing, scene: Scene): Promise<number> {
  const count = times ?? fault.times
  for (let turn = 0; turn < count; turn++) {
    await sleep(scene.random.between(...(pauseMs ?? fault.pauseMs)))
    try {
      await inject(scene, turn)
    } catch (error) {
      // Judge even when the repair failed.
      scene.expect(false, `repair failed: ${error instanceof Error ? error.message : String(error)}`)
      return turn + 1
    }
  }
  await sleep(1_000)
  return count
}

/** With the members that the clients of a load know. */
export async function makeRealms(
  stage: Pick<Stage, 'servers'>,
): Promise<{ busy: RealmAccess; closed: RealmAccess }> {
  const access = { baseUrl: stage.servers[0]?.url ?? '', token: operatorToken }
  const members = everyone.map((member) => ({ id: member }))
  const make = async (id: string) => {
    const realm = await makeRealm(access, { id })
    await manager(access, 'POST', { path: `/realms/${id}/members`, body: { members } })
    return realm
  }
  return { busy: await make('busy'), closed: await make('closed') }
}

/** Some of the acknowledged changes that can be retried. */
export function sample(entries: ReadonlyMap<number, DiaryEntry>, random: Random): DiaryEntry[] {
  const done = [...entries.values()].filter((one) => one.change.keyed && fateOf(one) === 'done')
  return Array.from({ length: Math.min(askedAgain, done.length) }, () => random.pick(done))
}

/** Checks the ledger every second during the faults. */
class Watch {
  readonly #url: string
  readonly #closed: ReadonlyMap<string, bigint>
  readonly #watching: Promise<void>
  #over = false
  taken = 0
  readonly wrong: string[] = []

  constructor(url: string, closed: ReadonlyMap<string, bigint>) {
    this.#url = url
    this.#closed = closed
    this.#watching = this.#run()
  }

  async stop(): Promise<void> {
    this.#over = true
    await this.#watching
    if (this.taken === 0) this.wrong.push('snapshot: none could be taken')
  }

  async #run(): Promise<void> {
    const endMs = performance.now() + watchMs
    while (!this.#over && performance.now() < endMs) {
      await sleep(1_000)
      try {
        this.wrong.push(...(await wrongNow(this.#url, this.#closed)).map((words) => `snapshot: ${words}`))
        this.taken += 1
      } catch {
        // The database is unreachable, which is the fault of this run.
      }
    }
  }
}
