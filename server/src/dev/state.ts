import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DevError } from './devError.ts'
import { dataFolder } from './postgres.ts'

/** What a second run needs of the first one: its data is of no use without its secrets. */
export type State = {
  readonly password: string
  readonly operatorToken: string
  readonly keySecrets: string
  /** What the demo realm is made from: loaded half, it goes on where it was. */
  readonly seed: string
  readonly untilMs: number
  readonly key?: string
}

const fileOf = (folder: string): string => join(folder, 'dev.json')

export function readState(folder: string, seed: string): State {
  const demo = { seed, untilMs: Date.now() }
  if (existsSync(fileOf(folder))) return { ...demo, ...JSON.parse(readFileSync(fileOf(folder), 'utf8')) }
  refuseWhatIsNotOurs(folder)
  const random = () => randomBytes(24).toString('hex')
  const secrets = { password: random(), operatorToken: random(), keySecrets: `dev:${random()}` }
  const state = { ...secrets, ...demo }
  mkdirSync(folder, { recursive: true })
  // It holds secrets and a database: in somebody's project it is nothing to commit.
  if (!existsSync(join(folder, '.gitignore'))) writeFileSync(join(folder, '.gitignore'), '*\n')
  saveState(folder, state)
  return state
}

/** Data without its secrets is of no use to us, but it may be somebody's. */
function refuseWhatIsNotOurs(folder: string): void {
  const wished = join(folder, 'postgres')
  const data = dataFolder(wished)
  // One of our own outside of the folder, left behind when that was deleted.
  if (data !== wished) rmSync(data, { recursive: true, force: true })
  else if (existsSync(wished))
    throw new DevError(
      `${wished} is there, but ${fileOf(folder)}, with the secrets of a database of ours, is not. ` +
        'Move it away, delete it if it is of no use, or run this in another folder.',
    )
}

export function saveState(folder: string, state: State): void {
  writeFileSync(fileOf(folder), JSON.stringify(state, null, 2), { mode: 0o600 })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive, too.
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** Two at once would take each other's database away. Returns what lets the next one in. */
export function takeFolder(folder: string): () => void {
  const file = join(folder, 'running.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  if (pid > 0 && pid !== process.pid && isAlive(pid))
    throw new DevError(
      `Process ${pid} runs in ${folder} already. Stop it first, or run this one in another folder. ` +
        `If it is something else by now, delete ${file}.`,
    )
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, String(process.pid))
  return () => rmSync(file, { force: true })
}
