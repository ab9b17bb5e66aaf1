import { spawnSync } from 'node:child_process'

export type Check = {
  readonly name: string
  /** Programs that must be installed. */
  readonly needs?: readonly string[]
  readonly run: () => void | Promise<void>
}

export const has = (program: string): boolean => spawnSync('which', [program]).status === 0

/** Runs checks one after another, and ends with the line "N passed, N failed". */
export async function runChecks(checks: readonly Check[]): Promise<void> {
  let passed = 0
  let failed = 0
  for (const { name, needs = [], run } of checks) {
    const missing = needs.filter((program) => !has(program))
    try {
      if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`)
      await run()
      passed += 1
      console.log(`ok: ${name}`)
    } catch (error) {
      failed += 1
      console.log(`FAILED: ${name}\n${(error as Error).message}`)
    }
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
}
