import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedBinaries, freePort, type Postgres, startPostgres } from '../../server/src/dev/postgres.ts'
import { asSuperuser, makeRoles, ownerRole, serverRole } from '../../server/src/dev/prepare.ts'
import { Box, type BoxedProcess, type Image } from './box.ts'
import { project } from './program.ts'

const password = 'image'

/** The server of an image, running on a real PostgreSQL. */
export type ImageServer = {
  readonly url: string
  readonly box: Box
  readonly process: BoxedProcess
  /** Like `docker compose exec server exchequer …`, with the environment that compose.yaml gives it. */
  readonly exchequer: (...words: readonly string[]) => string
}

/** A temporary folder that other users may enter: PostgreSQL does not run as root. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-image-'))
  chmodSync(folder, 0o755)
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the server, uses it, and stops it in order. */
export function withServer(image: Image, use: (server: ImageServer) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const data = { binaries: embeddedBinaries(), folder: join(folder, 'data'), password }
    const postgres = await startPostgres(data)
    try {
      await makeRoles(postgres, password)
      await asSuperuser(postgres.url('postgres'), [`create database image owner ${ownerRole}`])
      await serve(image, writeSecrets(folder, postgres), use)
    } finally {
      await postgres.stop()
    }
  })
}

const secretNames = ['database_url', 'database_owner_url', 'key_secrets', 'operator_token'] as const

function writeSecrets(folder: string, postgres: Postgres): string {
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  const texts: Record<(typeof secretNames)[number], string> = {
    database_url: postgres.url('image', serverRole),
    database_owner_url: postgres.url('image', ownerRole),
    key_secrets: `k1:${'k'.repeat(32)}`,
    operator_token: 'o'.repeat(32),
  }
  for (const name of secretNames) writeFileSync(join(secrets, name), `${texts[name]}\n`)
  return secrets
}

async function serve(
  image: Image,
  secrets: string,
  use: (server: ImageServer) => Promise<void>,
): Promise<void> {
  const files = secretNames.map((name) => [`${name.toUpperCase()}_FILE`, `/run/secrets/${name}`])
  const port = String(await freePort())
  const url = `http://127.0.0.1:${port}`
  const box = new Box(image, secrets, { ...Object.fromEntries(files), HOST: '127.0.0.1', PORT: port })
  const process = box.start()
  try {
    await process.ready(`${url}/readyz`)
    const variables = { EXCHEQUER_URL: url, EXCHEQUER_TOKEN_FILE: '/run/secrets/operator_token' }
    const exchequer = (...words: readonly string[]) => box.run(['exchequer', ...words], variables)
    await use({ url, box, process, exchequer })
    await process.stop()
  } finally {
    process.kill()
  }
}

/** Its health check, console and memory, its read-only system, its command line, and a first award. */
export async function checkServer(image: Image): Promise<void> {
  await withServer(image, async (server) => {
    const { url, box, process } = server
    box.checkHealth()
    const page = await fetch(`${url}/console`)
    if (!page.ok || !(await page.text()).includes('<script')) throw new Error('the console is not served')
    const idle = process.memory()
    await hammer(url)
    console.log(`  the image's process holds ${idle} MiB idle, ${process.memory()} MiB after 20,000 requests`)
    box.expectReadOnly()
    await expectAward(url, expectCommands(server))
  })
}

/** Creates a realm and returns a key. */
function expectCommands({ exchequer }: ImageServer): string {
  const { version } = JSON.parse(readFileSync(join(project, 'cli/package.json'), 'utf8'))
  const said = exchequer('--version')
  if (!said.includes(version)) throw new Error(`exchequer --version says ${said}`)
  if (!exchequer('help').includes('keys create|'))
    throw new Error('exchequer help does not list its commands')
  exchequer('realms', 'create', 'community', '--name', 'My community', '--unknown-members', 'create')
  const key = exchequer('keys', 'create', '--realm', 'community', '--name', 'my bot').trim()
  if (!/^exq_\S+$/.test(key)) throw new Error(`exchequer keys create says ${key}`)
  return key
}

/** Of 25 points, sent twice: one change. */
async function expectAward(url: string, key: string): Promise<void> {
  const award = async () => {
    const answer = await fetch(`${url}/api/v4/realms/community/members/1190194345295482952/tokenBalance`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': 'quiz-7',
      },
      body: JSON.stringify({ tokens: 25, reason: 'Won the quiz' }),
    })
    return `${answer.status} ${await answer.text()}`
  }
  const [first, second] = [await award(), await award()]
  if (!/^200 .*"newBalance": ?25\b/s.test(first) || first !== second)
    throw new Error(`an award of 25 points, sent twice, is answered: ${first}\n${second}`)
}

async function hammer(url: string): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const asked = Array.from({ length: 100 }, () => fetch(`${url}/healthz`))
    await Promise.all((await Promise.all(asked)).map((answer) => answer.text()))
  }
}
