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

/** Builds the console of a clone, where it is not built yet. Without it the server runs all the same. */
export function buildConsole(clone: string, run: RunNpm = runNpm): void {
  if (existsSync(join(clone, 'console/dist/index.html'))) return
  console.log('Building the console …')
  try {
    run(['run', '--silent', 'build', '--workspace', 'console'], clone)
  } catch {
    console.error('The console could not be built; npm run build --workspace console says why.')
  }
}
