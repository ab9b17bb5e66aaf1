import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { workloadNamed } from './compare.ts'
import { isSlower, joinRounds, measurePairs, type PairResult, printPairs, type Side } from './pairs.ts'
import { openStage, type Stage } from './stage.ts'
import { here } from './tools.ts'
import { type Workload, workloads } from './workloads.ts'

export type AgainstOptions = {
  /** A commit of this project. */
  readonly against: string
  readonly quick?: boolean | undefined
  readonly only?: string | undefined
  /** Settings of this checkout's server, as NAME=VALUE. */
  readonly set?: readonly string[] | undefined
}

const project = here('..')
const members = 100_000
const rounds = 6

/**
 * Compares this checkout's server with that of another commit, each with its own schema and data: what has
 * been gained or lost since. It ends with the workloads that became slower.
 */
export async function measureAgainst(options: AgainstOptions): Promise<Record<string, PairResult>> {
  const { against, quick = false, only, set = [] } = options
  const checkout = makeCheckout(against)
  const closing: (() => Promise<void>)[] = []
  try {
    const settings = Object.fromEntries(set.map((pair) => pair.split(/=(.*)/s, 2)))
    const pair = [
      await fillStage(await openStage(), settings, closing),
      await fillStage(await checkout.openStage(), {}, closing),
    ] as const
    const measured: Record<string, PairResult> = {}
    for (const { name } of only === undefined ? workloads : [workloadNamed(only)]) {
      const one = await measureRounds(pair, workloadNamed(name), quick ? 4 : 8)
      printPairs(name, one)
      measured[name] = one
    }
    const slower = Object.entries(measured).filter(([, one]) => isSlower(one))
    console.log(slower.length > 0 ? `slower: ${slower.map(([name]) => name).join(', ')}` : 'not slower')
    if (slower.length > 0) process.exitCode = 1
    return measured
  } finally {
    for (const close of closing.reverse()) await close()
    checkout.remove()
  }
}

type FilledStage = { start(): Promise<Side> }

async function fillStage(
  stage: Stage,
  settings: Readonly<Record<string, string>>,
  closing: (() => Promise<void>)[],
): Promise<FilledStage> {
  closing.push(() => stage.close())
  const filled = await stage.fill('filled', { members, entries: 0, realms: true })
  await stage.copy('measured', 'filled')
  return {
    start: async () => ({
      stage,
      filled,
      served: await stage.startOurs('measured', settings),
      database: 'measured',
    }),
  }
}

/** Each round with new processes: a process may be 5 % faster than another of the same code all its life. */
async function measureRounds(
  [ours, others]: readonly [FilledStage, FilledStage],
  workload: Workload,
  pairs: number,
): Promise<PairResult> {
  const measured: PairResult[] = []
  for (let round = 0; round < rounds; round++) {
    const sides = [await ours.start(), await others.start()] as const
    const begins = round % 2 === 0 ? 0 : 1
    try {
      measured.push(await measurePairs({ sides, pairs, begins }, workload))
    } finally {
      for (const { served } of sides) await served.stop()
    }
  }
  return joinRounds(measured)
}

type Checkout = { openStage(): Promise<Stage>; remove(): void }

/** The commit in its own folder, with its own packages. Its stage creates its own schema and data. */
function makeCheckout(commit: string): Checkout {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-against-'))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim()
  const name = git('rev-parse', '--verify', `${commit}^{commit}`)
  const code = join(folder, 'code')
  git('worktree', 'add', '--quiet', '--detach', code, name)
  const remove = () => {
    git('worktree', 'remove', '--force', code)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    console.log(`against ${git('log', '-1', '--format=%h %s', name)}`)
    // PostgreSQL runs as another user where this runs as root.
    chmodSync(folder, 0o755)
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev']
    execFileSync('npm', ['ci', ...flags], { cwd: code, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    remove()
    throw error
  }
  return { openStage: () => openStageOf(code, join(folder, 'data')), remove }
}

/** That stage names its files by the process id, like ours, so it gets another folder. */
async function openStageOf(code: string, folder: string): Promise<Stage> {
  mkdirSync(folder)
  const own = process.env['TMPDIR']
  const other = (await import(pathToFileURL(join(code, 'bench/stage.ts')).href)) as {
    openStage: typeof openStage
  }
  process.env['TMPDIR'] = folder
  try {
    return await other.openStage()
  } finally {
    if (own === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = own
  }
}
