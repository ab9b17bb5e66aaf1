import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runAcceptance } from '../tests/support/acceptance.ts'
import { type Fixture, makeFixture, makeRealm, managerKey } from '../tests/support/fixture.ts'
import { operatorToken } from '../tests/support/process.ts'
import { withWhole } from '../tests/support/whole.ts'
import { compile, compileLibrary, compileTests } from './csharp/compile.ts'

/**
 * npm run clients: the tests of the Python and the C# client, their types, the programs of their READMEs, and
 * the acceptance check through each, against a real server.
 */

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'exchequer-clients-'))
type Access = { readonly baseUrl: string; readonly token: string }
let passed = 0
let failed = 0

function report(ok: boolean, what: string, said = ''): void {
  if (ok) passed += 1
  else failed += 1
  console.log(`  ${ok ? 'ok    ' : 'FAILED'} ${what}`)
  if (!ok) console.log(said.split('\n').slice(0, 20).join('\n').replaceAll(/^/gm, '         '))
}

/** Runs a program that must succeed; its output. */
function run(program: string, args: readonly string[], options: SpawnSyncOptions = {}): string {
  const ended = spawnSync(program, args, { cwd: here, timeout: 120_000, ...options, encoding: 'utf8' })
  if (ended.error) throw ended.error
  const said = `${ended.stdout}${ended.stderr}`
  if (ended.status !== 0) throw new Error(`${program} ended with ${ended.status}\n${said}`)
  return said
}

function check(what: string, work: () => string): void {
  try {
    report(true, `${what}${work()}`)
  } catch (error) {
    report(false, what, String(error))
  }
}

const python = join(here, 'python')
const pythonEnv = {
  ...process.env,
  PYTHONPATH: `${python}/src:${python}/tests`,
  PYTHONDONTWRITEBYTECODE: '1',
  MYPY_CACHE_DIR: join(folder, 'mypy'),
}

/** How many tests a program says that it ran: `Ran 20 tests`, or `15 passed`. */
function countOf(said: string): string {
  const [, count] = /^Ran (\d+) tests|^(\d+) passed, 0 failed$/m.exec(said)?.filter(Boolean) ?? []
  if (!Number(count)) throw new Error(`no test was run\n${said}`)
  return `: ${count} tests`
}

function checkAlone(): void {
  check('Python: its tests', () =>
    countOf(run('python3', ['-m', 'unittest', 'discover', '-s', 'tests'], { cwd: python, env: pythonEnv })),
  )
  const mypy = ['--config-file', 'pyproject.toml', 'src/exchequer']
  check('Python: its types, by mypy in strict mode', () => {
    run('mypy', mypy, { cwd: python, env: pythonEnv })
    return ''
  })
  check('C#: the library compiles without a warning', () => {
    compileLibrary(folder)
    return ''
  })
  check('C#: its tests', () => countOf(run('mono', [compileTests(folder)])))
}

/** The blocks of a README in one language, as one program. */
function blocksOf(file: string, language: string): string {
  const pattern = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')
  const blocks = [...readFileSync(join(here, file), 'utf8').matchAll(pattern)].map(([, code = '']) => code)
  if (blocks.length === 0) throw new Error(`${file} has no block of ${language}`)
  return blocks.join('\n')
}

/** The settings of a client of a new realm. */
async function newRealm(access: Access): Promise<NodeJS.ProcessEnv> {
  const { id } = await makeRealm(access, { unknownMembers: 'create' })
  const key = await managerKey(access, id)
  return { ...pythonEnv, EXCHEQUER_URL: access.baseUrl, EXCHEQUER_REALM: id, EXCHEQUER_KEY: key }
}

async function checkReadmes(access: Access): Promise<void> {
  const [first, second] = [await newRealm(access), await newRealm(access)]
  check('Python: the program of its README', () => {
    run('python3', ['-W', 'error', '-c', blocksOf('python/README.md', 'python')], { env: first })
    return ''
  })
  check('C#: the program of its README', () => {
    const file = join(folder, 'readme.cs')
    writeFileSync(file, blocksOf('csharp/README.md', 'csharp'))
    const program = compile({ out: join(folder, 'readme.exe'), sources: ['src/*.cs', file], kind: 'exe' })
    run('mono', [program], { env: second })
    return ''
  })
}

async function checkTogether({ baseUrl }: Fixture): Promise<void> {
  const access = { baseUrl, token: operatorToken }
  for (const name of ['python', 'csharp'] as const) {
    const { code, said } = await runAcceptance(await makeFixture(access), name).catch((error: unknown) => ({
      code: 1,
      said: String(error),
    }))
    report(code === 0, `acceptance by ${name}: ${said.trimEnd().split('\n').join('; ')}`, said)
  }
  await checkReadmes(access)
}

try {
  checkAlone()
  await withWhole({ extra: { REALM_RATE: '', KEY_RATE: '' } }, checkTogether)
} finally {
  rmSync(folder, { recursive: true })
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
