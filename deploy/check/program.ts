import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const project = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a program; what it says is shown when it fails. */
export function run(program: string, args: readonly string[], options: object = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 120_000,
    ...options,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

/** What this folder's own packages export: they are installed by run.ts, and no part of the project's. */
export const tool = async <T>(name: string): Promise<T> => (await import(name)) as T
