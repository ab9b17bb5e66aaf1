import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { prepareDatabase } from '../../server/src/dev/prepare.ts'
import { startCluster } from '../support/cluster.ts'
import { clusterVariable, template } from '../support/suite.ts'
import { limitTime } from '../support/timeLimit.ts'

/**
 * npm run web3 [-- name ...]: tests of wallets and chains, with a real EVM node and real contracts.
 * A name selects the test files whose path contains it.
 */
const here = fileURLToPath(new URL('.', import.meta.url))
const names = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Tests that need no chain are among the server's own tests; these are run here too. */
const ofServer = [
  'web3/proofs/*.test.ts',
  'http/proof*.test.ts',
  'http/linkPage.test.ts',
  'http/collections.test.ts',
]
const files = globSync([`${here}*.test.ts`, ...ofServer.map((one) => `${root}server/test/${one}`)])
  .filter((file) => names.length === 0 || names.some((name) => file.slice(root.length).includes(name)))
  .sort()

type Lock = { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> }

/** Whether the installed packages match the lock file. Those for other platforms are not installed. */
function isInstalled(): boolean {
  const there = `${here}node_modules/.package-lock.json`
  if (!existsSync(there)) return false
  const read = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as Lock).packages
  const wanted = read(`${here}package-lock.json`)
  const installed = Object.entries(read(there))
  return (
    installed.length > 0 && installed.every(([path, { integrity }]) => wanted[path]?.integrity === integrity)
  )
}

/** The packages of this folder are separate, so that they are installed only to test chains. */
function install(): void {
  if (isInstalled()) return
  const { status } = spawnSync('npm', ['ci', '--no-progress', '--ignore-scripts'], {
    cwd: here,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the packages of tests/web3 could not be installed')
}

limitTime({ what: 'npm run web3', minutes: 30 })
install()
const cluster = await startCluster('embedded')
let passed = 0
let failed = 0
try {
  await prepareDatabase(cluster, template)
  const child = spawn(
    process.execPath,
    ['--test', '--test-timeout=300000', '--test-concurrency=3', ...files],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        [clusterVariable]: JSON.stringify({ port: cluster.port, password: cluster.password }),
      },
    },
  )
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, kind, count] = /^ℹ (pass|fail|cancelled) (\d+)$/.exec(line) ?? []
    if (kind === 'pass') passed = Number(count)
    else if (kind) failed += Number(count)
    else if (!line.startsWith('ℹ')) console.log(line)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0 && failed === 0) failed = 1
} finally {
  await cluster.stop()
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
