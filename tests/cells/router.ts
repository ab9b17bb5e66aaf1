import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startHaproxy } from '../support/haproxy.ts'
import { runCommand } from '../support/process.ts'
import type { Cell } from './stage.ts'

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))

export type Router = { readonly url: string; close(): Promise<void> }

export type RouterOptions = {
  readonly folder: string
  /** In the order of their numbers, from 0. */
  readonly cells: readonly Cell[]
  /** Names the directory. */
  readonly env: Record<string, string>
}

/** HAProxy as deploy/haproxy has it, and the process that keeps its map fresh. */
export async function openRouter({ folder, cells, env }: RouterOptions): Promise<Router> {
  const map = join(folder, 'cells.map')
  const written = await runCommand(['haproxy-map', '--once', '--file', map], env)
  if (written.code !== 0) throw new Error(`haproxy-map --once: ${written.err}`)
  const addresses = cells.map(({ servers }) => servers.map(({ url }) => new URL(url).host))
  const haproxy = await startHaproxy({ cells: addresses, map })
  const log = openSync(join(folder, 'haproxy-map.log'), 'a')
  const args = [main, 'haproxy-map', '--file', map, '--socket', haproxy.socket]
  const follower = spawn(process.execPath, args, { env, stdio: ['ignore', log, log] })
  closeSync(log)
  const exited = once(follower, 'exit')
  return {
    url: haproxy.url,
    async close() {
      follower.kill('SIGTERM')
      await exited
      await haproxy.stop()
    },
  }
}
