import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DevError } from './devError.ts'
import { dataFolder } from './postgres.ts'

/** What a second run needs from the first one: its data is useless without its secrets. */
export type State = {
  readonly password: string
  readonly operatorToken: string
  readonly keySecrets: string
  /** What the demo realm is generated from: an interrupted load continues where it was. */
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
  // It contains secrets and a database: in a user's project it must not be committed.
  if (!existsSync(join(folder, '.gitignore'))) writeFileSync(join(folder, '.gitignore'), '*\n')
  saveState(folder, state)
  return state
}

/** Data without its secrets is useless to us, but it may belong to the user. */
function refuseWhatIsNotOurs(folder: string): void {
  const wished = join(folder, 'postgres')
  const data = dataFolder(wished)
  // Our own data outside of the folder, left behind when the folder was deleted.
  if (data !== wished) rmSync(data, { recursive: true, force: true })
  else if (existsSync(wished))
    throw new DevError(
      `${wished} exists, but ${fileOf(folder)}, with the secrets of its database, does not. ` +
        'Move it away, delete it if it is not needed, or run this in another folder.',
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
    // Another user's process is alive, too.
    return (error as { code?: string }).code === 'EPERM'
  }
}

/** Two at once would stop each other's database. Returns a function that releases the folder. */
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
