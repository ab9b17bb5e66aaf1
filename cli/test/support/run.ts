import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

export const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

export type CommandResult = { readonly code: number; readonly out: string; readonly err: string }
export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>
  /** Standard input; empty by default. */
  readonly input?: string
  readonly cwd?: string
  readonly node?: string
}

/** Runs the built command in its own process, without a terminal. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
  const { env = {}, input = '', cwd, node = process.execPath } = options
  const child = spawn(node, [main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }
}

/** A new folder, for files and as home. */
export function folder(): { readonly path: string; file(name: string, text: string): string } {
  const path = mkdtempSync(join(tmpdir(), 'exchequer-cli-'))
  after(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    file(name, text) {
      writeFileSync(join(path, name), text)
      return join(path, name)
    },
  }
}

/** Splits a command line at spaces; quoted words stay together. */
export const words = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
