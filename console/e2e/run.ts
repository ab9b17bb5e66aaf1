import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { openDemo } from '../../server/src/dev/demo.ts'
import { prepareDatabase } from '../../server/src/dev/prepare.ts'
import { runFiles } from '../../server/test/runner/runFiles.ts'
import { startCluster } from '../../tests/support/cluster.ts'
import { environment, operatorToken, startServerProcess } from '../../tests/support/process.ts'
import { millionMembers } from './million.ts'
import { urlsOf } from './support/database.ts'
import { chromiumArguments, stageVariable } from './support/stage.ts'
import { doTasks } from './tasks/index.ts'

/**
 * The console in Debian's Chromium, against a real server and PostgreSQL: npm run e2e [-- NAME …]. A name
 * selects the files whose path contains it. --screenshots FOLDER saves every page, in both themes and on a
 * phone. With --million the list of a million members is scrolled and searched instead, and every request is
 * timed. With --tasks only the daily tasks of a manager are done, and their clicks and keys are counted.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const args = process.argv.slice(2)
const at = args.indexOf('--screenshots')
const screenshots = at < 0 ? undefined : resolve(args[at + 1] ?? 'screenshots')
const names = (at < 0 ? args : args.toSpliced(at, 2)).filter((arg) => !arg.startsWith('--'))
const chosen =
  screenshots === undefined || names.length > 0 ? names : ['pages', 'dialogs', 'invited', 'leftKeys']
const files = globSync(`${root}/console/e2e/*.test.ts`)
  .filter((file) => chosen.length === 0 || chosen.some((name) => file.slice(root.length).includes(name)))
  .sort()
// Without files Node would run every test it finds.
if (files.length === 0) throw new Error(`No test file has ${names.join(' or ')} in its path.`)

// The same engine without a window system: it takes a quarter less CPU.
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync)
const browser = process.env['CHROMIUM'] ?? installed
if (browser === undefined || !existsSync(browser))
  throw new Error('Chromium is missing: apt-get install chromium-headless-shell, or name one in CHROMIUM.')

execFileSync('npm', ['run', '--silent', 'build', '-w', '@exchequer/console'], { cwd: root, stdio: 'inherit' })
if (screenshots !== undefined) mkdirSync(screenshots, { recursive: true })

const cluster = await startCluster('embedded')
const engine = await chromium.launchServer({ executablePath: browser, args: chromiumArguments })
try {
  await prepareDatabase(cluster, 'e2e')
  const urls = urlsOf(cluster, 'e2e')
  const server = await startServerProcess(
    environment(urls, { LOG_LEVEL: 'info', WEBHOOK_ALLOW: '127.0.0.0/8' }),
  )
  try {
    const url = server.baseUrl
    const databaseUrl = urls.serverUrl
    const stage = { url, engine: engine.wsEndpoint(), urls, screenshots }
    if (args.includes('--million')) {
      await millionMembers(stage, 1_000_000)
    } else if (args.includes('--tasks')) {
      const { passed, problems } = await doTasks(console.log, stage)
      for (const problem of problems) console.error(problem)
      process.exitCode = problems.length === 0 ? 0 : 1
      console.log(`${passed} passed, ${problems.length} failed`)
    } else {
      await openDemo({ url, token: operatorToken, databaseUrl, seed: 'the console', untilMs: Date.now() })
      process.env[stageVariable] = JSON.stringify(stage)
      const run = await runFiles({ files, root, timeoutMs: 600_000, concurrency: 2, filesEach: 1 })
      process.exitCode = run.success ? 0 : 1
      console.log(`${run.passed} passed, ${run.failed} failed`)
    }
  } finally {
    await server.stop()
  }
} finally {
  await engine.close()
  await cluster.stop()
}
