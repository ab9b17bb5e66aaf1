import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Runs npm in a folder. */
export type RunNpm = (args: readonly string[], folder: string) => void

const runNpm: RunNpm = (args, folder) => {
  // On Windows npm is a script, which needs a shell.
  const shell = process.platform === 'win32'
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], shell })
}

/** Builds the console of a clone, unless it is built already. The server also runs without it. */
export function buildConsole(clone: string, run: RunNpm = runNpm): void {
  if (existsSync(join(clone, 'console/dist/index.html'))) return
  console.log('Building the console …')
  try {
    run(['run', '--silent', 'build', '--workspace', 'console'], clone)
  } catch {
    console.error('The console could not be built; run npm run build --workspace console to see why.')
  }
}
