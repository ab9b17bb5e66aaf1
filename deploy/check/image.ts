import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { embeddedBinaries, freePort, type Postgres, startPostgres } from '../../server/src/dev/postgres.ts'
import { asSuperuser, makeRoles, ownerRole, serverRole } from '../../server/src/dev/prepare.ts'
import { dockerfile, layOut, wordsOf } from './dockerfile.ts'
import { project, run, tool } from './program.ts'

type Linter = { readonly validate: (text: string) => readonly { readonly message: string }[] }

export async function checkDockerfiles(): Promise<void> {
  const { validate } = await tool<Linter>('dockerfile-utils')
  for (const file of ['Dockerfile', 'deploy/backup/Dockerfile', 'deploy/ha/Dockerfile']) {
    const [first] = validate(readFileSync(join(project, file), 'utf8'))
    if (first) throw new Error(`${file}: ${first.message}`)
  }
}

const password = 'image'

/**
 * The Dockerfile's own steps on this machine: packages are installed, its files copied, and its health
 * check and entry point run on a read-only system, as user 1000, without a capability. Debian's own files
 * replace the base image, which would need a container engine and a network.
 */
export async function checkImage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-image-'))
  // PostgreSQL does not run as root, and needs access to this folder.
  chmodSync(folder, 0o755)
  let postgres: Postgres | undefined
  let child: ChildProcess | undefined
  try {
    const image = layOut(folder)
    postgres = await startPostgres({ binaries: embeddedBinaries(), folder: join(folder, 'data'), password })
    await makeRoles(postgres, password)
    await asSuperuser(postgres.url('postgres'), [`create database image owner ${ownerRole}`])
    const secrets = writeSecrets(folder, postgres)
    const port = String(await freePort())
    const box = [...boxOf(image, secrets), '--setenv', 'PORT', port]
    child = spawn('bwrap', [...box, ...entry()], { stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    await ready(port, ended)
    const { pid } = child
    run('bwrap', [...box, ...healthCheck()])
    const page = await fetch(`http://127.0.0.1:${port}/console`)
    if (!page.ok || !(await page.text()).includes('<script')) throw new Error('the console is not served')
    const idle = memoryOf(pid)
    await hammer(port)
    console.log(`  the image's process holds ${idle} MiB idle, ${memoryOf(pid)} MiB after 20,000 requests`)
    expectReadOnly(box)
    expectCommands(box, port)
    for (const one of childrenOf(pid)) process.kill(one, 'SIGTERM')
    const [code] = (await ended) as [number]
    if (code !== 0) throw new Error(`it exited with ${code}`)
  } finally {
    child?.kill('SIGKILL')
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const healthCheck = (): string[] => wordsOf('CMD')
function entry(): string[] {
  const [, serve = '["serve"]'] = /^CMD (.*)$/m.exec(dockerfile) ?? []
  return [...wordsOf('ENTRYPOINT'), ...(JSON.parse(serve) as string[])]
}

function writeSecrets(folder: string, postgres: Postgres): string {
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  const files = {
    database_url: postgres.url('image', serverRole),
    database_owner_url: postgres.url('image', ownerRole),
    key_secrets: `k1:${'k'.repeat(32)}`,
    operator_token: 'o'.repeat(32),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(secrets, name), `${text}\n`)
  return secrets
}

/** A read-only system with only the app, its secrets and Node 24. */
function boxOf(image: string, secrets: string): string[] {
  const files = ['database_url', 'database_owner_url', 'key_secrets', 'operator_token']
  const settings = files.map((name) => `--setenv ${name.toUpperCase()}_FILE /run/secrets/${name}`)
  const words = `--unshare-user --unshare-pid --uid 1000 --gid 1000 --cap-drop ALL --die-with-parent
    --clearenv --setenv PATH /opt/node:/usr/local/bin:/usr/bin
    --setenv HOST 127.0.0.1 --setenv NODE_ENV production
    --ro-bind /usr /usr --symlink usr/lib /lib --symlink usr/lib64 /lib64 --symlink usr/bin /bin
    --ro-bind /etc /etc --proc /proc --dev /dev --ro-bind ${process.execPath} /opt/node/node
    --ro-bind ${image}/app /app --ro-bind-try ${image}/usr/local/bin /usr/local/bin
    --ro-bind ${secrets} /run/secrets --chdir /app ${settings.join(' ')} --remount-ro /`
  return words.split(/\s+/)
}

async function ready(port: string, ended: Promise<unknown>): Promise<void> {
  let gone = false
  void ended.then(() => {
    gone = true
  })
  for (let tries = 0; tries < 150 && !gone; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(200)
  }
  throw new Error(gone ? 'the server exited at startup' : 'the server is not ready after 30 s')
}

function expectReadOnly(box: readonly string[]): void {
  const script =
    'id -u; for at in / /app /tmp /home /run /var; do touch $at/x 2>/dev/null && echo wrote $at; done; true'
  const said = run('bwrap', [...box, 'sh', '-c', script])
  if (said !== '1000\n') throw new Error(`it must run as user 1000 and be able to write nowhere: ${said}`)
}

/** Like `docker compose exec server exchequer …`, with the environment that compose.yaml gives it. */
function expectCommands(box: readonly string[], port: string): void {
  const at = ['EXCHEQUER_URL', `http://127.0.0.1:${port}`, '--setenv', 'EXCHEQUER_TOKEN_FILE']
  const ask = (...words: readonly string[]) =>
    run('bwrap', [...box, '--setenv', ...at, '/run/secrets/operator_token', 'exchequer', ...words])
  const { version } = JSON.parse(readFileSync(join(project, 'cli/package.json'), 'utf8'))
  const said = ask('--version')
  if (!said.includes(version)) throw new Error(`exchequer --version says ${said}`)
  if (!ask('help').includes('keys create|')) throw new Error('exchequer help does not list its commands')
  ask('realms', 'create', 'community', '--name', 'My community')
  const key = ask('keys', 'create', '--realm', 'community', '--name', 'my bot').trim()
  if (!/^exq_\S+$/.test(key)) throw new Error(`exchequer keys create says ${key}`)
}

async function hammer(port: string): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const asked = Array.from({ length: 100 }, () => fetch(`http://127.0.0.1:${port}/healthz`))
    await Promise.all((await Promise.all(asked)).map((answer) => answer.text()))
  }
}

function childrenOf(pid: number | undefined): number[] {
  const below = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
  return [...below, ...below.flatMap(childrenOf)]
}

/** Of the largest process below this one, in MiB. */
function memoryOf(pid: number | undefined): number {
  const kilobytes = childrenOf(pid).map((one) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0),
  )
  return Math.round(Math.max(...kilobytes) / 1024)
}
