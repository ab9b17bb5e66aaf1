import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const project = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a program; its output is shown when it fails. */
export function run(program: string, args: readonly string[], options: object = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 120_000,
    ...options,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`)
  return stdout
}

/** Imports from this folder's own packages, which run.ts installs; the project does not depend on them. */
export const tool = async <T>(name: string): Promise<T> => (await import(name)) as T
