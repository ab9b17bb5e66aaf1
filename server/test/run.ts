import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Flavour, startCluster } from '../../tests/support/cluster.ts'
import { clusterVariable, template } from '../../tests/support/suite.ts'
import { prepareDatabase } from '../src/dev/prepare.ts'
import { runFiles } from './runner/runFiles.ts'

/**
 * Runs the tests on one PostgreSQL: npm test [-- --debian] [name ...]. The embedded one (18) unless --debian.
 * A name selects the test files whose path contains it. With --debian those of clients, and those that use no
 * PostgreSQL, are skipped: a second one adds nothing. A file that failed while the machine stalled is run
 * again: runner/rerun.ts.
 */
const args = process.argv.slice(2)
const flavour: Flavour = args.includes('--debian') ? 'debian' : 'embedded'
const names = args.filter((arg) => !arg.startsWith('--'))
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Whether it imports suite.ts, which alone knows the PostgreSQL of this run, itself or by another file. */
function usesPostgres(file: string, seen = new Set<string>()): boolean {
  if (file.endsWith('/support/suite.ts')) return true
  if (seen.has(file) || !file.endsWith('.ts')) return false
  seen.add(file)
  const imported = readFileSync(file, 'utf8').matchAll(/^(?:import|\} from|export)\b.*'(\.{1,2}\/[^']+)'$/gm)
  return [...imported].some(([, path = '']) => usesPostgres(resolve(dirname(file), path), seen))
}
const rooms =
  flavour === 'debian' ? ['server'] : ['server', 'sdk', 'cli', 'examples', 'site', 'console', '.ci']
const files = globSync(rooms.map((room) => `${root}/${room}/test/**/*.test.ts`))
  .filter((file) => names.length === 0 || names.some((name) => file.slice(root.length).includes(name)))
  .filter((file) => flavour === 'embedded' || usesPostgres(file))
  .sort()
// Without a file Node would run every one that it finds.
if (files.length === 0) throw new Error(`No test file has ${names.join(' or ')} in its path.`)

// Examples and the command line are tested like their users run them: built, and by package name.
if (files.some((file) => /^(examples|cli)\//.test(file.slice(root.length))))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })

const cluster = await startCluster(flavour)
try {
  console.log(`PostgreSQL ${cluster.version}`)
  await prepareDatabase(cluster, template)
  // Hundreds of processes read the same sources: with a compile cache each starts in half the time.
  process.env['NODE_COMPILE_CACHE'] = `${root}/node_modules/.cache/tests`
  process.env[clusterVariable] = JSON.stringify({ port: cluster.port, password: cluster.password })
  const { success } = await runFiles({ files, root, timeoutMs: 300_000, concurrency: 4, filesEach: 8 })
  process.exitCode = success ? 0 : 1
} finally {
  await cluster.stop()
}
// A process left behind by a test that holds the output open would keep this one alive.
process.exit()
