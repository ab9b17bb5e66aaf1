import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { project, run } from './program.ts'

export type Check = {
  readonly name: string
  /** Programs that must be installed. */
  readonly needs?: readonly string[]
  readonly run: () => void | Promise<void>
}

export const has = (program: string): boolean => spawnSync('which', [program]).status === 0

/** Programs and the Debian packages that provide them: what is missing is installed, when permitted. */
export function installMissing(packages: Readonly<Record<string, string>>): void {
  const missing = Object.entries(packages).filter(([program]) => !has(program))
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return
  const names = missing.flatMap(([, name]) => name.split(' '))
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  // Another run may be installing its own.
  const waiting = ['-o', 'DPkg::Lock::Timeout=300']
  execFileSync('apt-get', ['update', '-qq', ...waiting], { env })
  // The installation must not start any service.
  const quietly = ['-y', '-qq', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confdef']
  execFileSync('apt-get', ['install', ...waiting, ...quietly, ...names], { env, stdio: 'ignore' })
}

/** The packages of this folder, which the project does not depend on; npm writes its list of them last. */
export function installTools(): void {
  const folder = `${project}deploy/check`
  const [list, lock] = [`${folder}/node_modules/.package-lock.json`, `${folder}/package-lock.json`]
  if (existsSync(list) && statSync(list).mtimeMs > statSync(lock).mtimeMs) return
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  run('npm', words, { cwd: folder, timeout: 600_000 })
}

/** Runs checks one after another, and ends with the line "N passed, N failed". */
export async function runChecks(checks: readonly Check[]): Promise<void> {
  let passed = 0
  let failed = 0
  for (const { name, needs = [], run: check } of checks) {
    const missing = needs.filter((program) => !has(program))
    const started = Date.now()
    try {
      if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`)
      await check()
      passed += 1
      console.log(`ok: ${name} (${Math.round((Date.now() - started) / 1000)} s)`)
    } catch (error) {
      failed += 1
      console.log(`FAILED: ${name}\n${(error as Error).message}`)
    }
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}
