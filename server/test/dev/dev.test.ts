import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { checkNodeVersion } from '../../src/config/release.ts'
import { dataFolder } from '../../src/dev/postgres.ts'

const index = new URL('../../src/index.ts', import.meta.url).href
const folders: string[] = []
const dataOf = (folder: string) => dataFolder(join(folder, '.data', 'postgres'))
after(() => {
  for (const folder of folders)
    for (const made of [dataOf(folder), folder]) rmSync(made, { recursive: true, force: true })
})

/** A built console, whether ours is built or not. */
const console = freshFolder()
writeFileSync(join(console, 'index.html'), '<!doctype html>')

function freshFolder(): string {
  // Not below a private folder: as root, PostgreSQL runs as another user.
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-dev-'))
  folders.push(folder)
  return folder
}

type Dev = { readonly child: ChildProcess; readonly said: () => string; readonly ended: Promise<number> }

/** Runs it like the command line, in its own folder. */
function startDev(folder: string, args: readonly string[] = []): Dev {
  const program = `const { dev } = await import('${index}')
    process.exitCode = await dev(process.argv.slice(1), '${index}')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, '--', ...args], {
    cwd: folder,
    env: { ...process.env, CONSOLE_FOLDER: console },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk
    })
  const ended = once(child, 'close').then(([code]) => code as number)
  return { child, said: () => text, ended }
}

async function announced({ child, said }: Dev): Promise<{ url: string; key: string; award: string }> {
  for (const deadlineMs = Date.now() + 60_000; !said().includes('start over'); ) {
    if (child.exitCode !== null || Date.now() > deadlineMs) assert.fail(said())
    await sleep(50)
  }
  const [, url = ''] = /server +(\S+)/.exec(said()) ?? []
  const [, key = ''] = /key +(exq_\S+)/.exec(said()) ?? []
  const [, award = ''] = /# Award 25 points\n +(.+)/.exec(said()) ?? []
  return { url, key, award }
}

/** Signs in by the link that was printed. */
async function signIn({ said }: Dev): Promise<number> {
  const [, page = '', token] = /console +(\S+)\/#link=(exl_\S+)/.exec(said()) ?? []
  const { origin } = new URL(page)
  const headers = { origin, 'content-type': 'application/json' }
  return (await fetch(`${page}/sign-in/link`, { method: 'POST', headers, body: JSON.stringify({ token }) }))
    .status
}

const sh = async (line: string): Promise<string> => (await promisify(execFile)('sh', ['-c', line])).stdout

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('exchequer dev', () => {
  it('creates a realm, prints a command that awards, exits on Ctrl-C, and keeps its data', async () => {
    const folder = freshFolder()
    const first = startDev(folder)
    const { url, key, award } = await announced(first)
    const { newBalance } = JSON.parse(await sh(award))
    const printKey = `. ${join(folder, '.data/demo.env')}; "${process.execPath}" -p "process.env.KEY"`
    assert.equal(await sh(printKey), `${key}\n`, 'a program that is started there has it')
    const postmaster = Number(readFileSync(join(dataOf(folder), 'postmaster.pid'), 'utf8').split('\n')[0])
    assert.ok(isAlive(postmaster))
    assert.deepEqual([await signIn(first), await signIn(first)], [200, 403], 'the link is good once')

    const atOnce = startDev(folder)
    assert.equal(await atOnce.ended, 1)
    assert.match(atOnce.said(), /^Process [0-9]+ runs in \S+ already\. Stop it first/)
    assert.equal((await fetch(`${url}/readyz`)).status, 200, 'the first one was left alone')

    // As with npx: the signal arrives from the terminal, and again from npx.
    first.child.kill('SIGINT')
    await sleep(50)
    first.child.kill('SIGINT')
    assert.equal(await first.ended, 0, first.said())
    assert.equal(isAlive(postmaster), false)
    await assert.rejects(fetch(url))

    const second = startDev(folder)
    const again = await announced(second)
    assert.equal(again.key, key)
    assert.equal(await signIn(second), 200)
    assert.equal(JSON.parse(await sh(again.award)).newBalance, newBalance + 25)
    second.child.kill('SIGTERM')
    assert.equal(await second.ended, 0)
  })

  it('uses another port when the default is taken, and fails when a requested one is', async () => {
    const usual = createServer()
    await new Promise<void>((taken) => {
      // Any other process that uses the port has the same effect.
      usual.once('error', () => taken())
      usual.listen(8080, '127.0.0.1', taken)
    })
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as { port: number }
    const folder = freshFolder()
    const refused = startDev(folder, ['--port', String(port)])
    assert.equal(await refused.ended, 1)
    assert.match(refused.said(), /^Port [0-9]+ is taken\. Choose another with --port/)
    const other = startDev(folder)
    const { url } = await announced(other)
    assert.notEqual(new URL(url).port, '8080')
    other.child.kill('SIGINT')
    assert.equal(await other.ended, 0)
    for (const server of [usual, free]) if (server.listening) server.close()
  })

  it('does not touch a database that it did not create, and says so', async (t) => {
    const folder = freshFolder()
    // Accessible to PostgreSQL, which runs as another user under root.
    chmodSync(folder, 0o755)
    const stranger = join(folder, '.data', 'postgres', 'PG_VERSION')
    mkdirSync(join(folder, '.data', 'postgres'), { recursive: true })
    writeFileSync(stranger, '18\n')
    const refused = startDev(folder)
    t.after(() => refused.child.kill())
    assert.equal(await Promise.race([refused.ended, sleep(20_000)]), 1, refused.said())
    assert.match(refused.said(), /postgres exists, but \S+dev\.json, .* does not\. Move it away/)
    assert.equal(readFileSync(stranger, 'utf8'), '18\n')
  })

  it('reports wrong arguments in one line', async () => {
    for (const args of [['--colour'], ['--port', 'x'], ['now']]) {
      const wrong = startDev(freshFolder(), args)
      assert.equal(await wrong.ended, 1)
      assert.equal(wrong.said().trimEnd().split('\n').length, 1, wrong.said())
    }
  })
})

describe('the Node version', () => {
  it('is accepted when new enough, otherwise an error says what to do', () => {
    for (const fits of ['22.18.0', '22.19.1', '24.0.0', '100.1.0'])
      assert.equal(checkNodeVersion(fits), undefined)
    for (const old of ['22.17.9', '20.20.2', '18.0.0'])
      assert.match(
        checkNodeVersion(old) ?? '',
        /requires Node 22\.18 or newer; this is [0-9.]+\. Install Node 24/,
      )
  })
})
