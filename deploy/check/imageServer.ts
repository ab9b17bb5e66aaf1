import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedBinaries, freePort, startPostgres } from '../../server/src/dev/postgres.ts'
import type { Box, BoxedProcess, Image } from './box.ts'
import { Composed } from './composed.ts'
import { project } from './program.ts'

/** The server of an image, running on a real PostgreSQL. */
export type ImageServer = {
  readonly url: string
  readonly box: Box
  readonly process: BoxedProcess
  /** Like `docker compose exec server exchequer …`. */
  readonly exchequer: (...words: readonly string[]) => string
  /** The service `verify`, until it has replayed the journal of this realm. */
  readonly verify: (realm: string) => Promise<void>
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

/** Starts PostgreSQL, `migrate` and `server` of compose.yaml, uses them, and stops them in order. */
export function withServer(image: Image, use: (server: ImageServer) => Promise<void>): Promise<void> {
  return inFolder(async (folder) => {
    const data = { binaries: embeddedBinaries(), folder: join(folder, 'data'), password: 'image' }
    const postgres = await startPostgres({ ...data, settings: { wal_level: 'logical' } })
    try {
      const composed = await Composed.prepare(folder, postgres)
      composed.box(image, 'migrate', {}).runEntry(composed.service('migrate').command ?? [])
      await serve(image, composed, use)
    } finally {
      await postgres.stop()
    }
  })
}

async function serve(
  image: Image,
  composed: Composed,
  use: (server: ImageServer) => Promise<void>,
): Promise<void> {
  const [port, metrics] = [String(await freePort()), String(await freePort())]
  const url = `http://127.0.0.1:${port}`
  const ports = { HOST: '127.0.0.1', PORT: port, METRICS_PORT: metrics, EXCHEQUER_URL: url }
  const box = composed.box(image, 'server', ports)
  const process = box.start()
  try {
    await process.ready(`${url}/readyz`)
    const exchequer = (...words: readonly string[]) => box.run(['exchequer', ...words])
    const verify = async (realm: string) => {
      const running = composed
        .box(image, 'verify', {})
        .start([...(composed.service('verify').entrypoint ?? [])])
      try {
        await running.says(new RegExp(`^${realm}: ok `, 'm'))
      } finally {
        running.kill()
      }
    }
    await use({ url, box, process, exchequer, verify })
    await process.stop()
  } finally {
    process.kill()
  }
}

/** Its health check, console and memory, read-only system and command line, a first award, and verify. */
export async function checkServer(image: Image): Promise<void> {
  await withServer(image, async (server) => {
    const { url, box, process } = server
    box.checkHealth()
    const page = await fetch(`${url}/console`)
    if (!page.ok || !(await page.text()).includes('<script')) throw new Error('the console is not served')
    const idle = process.memory()
    await hammer(url)
    console.log(`  its process holds ${idle} MiB idle, ${process.memory()} MiB after 20,000 requests`)
    box.expectReadOnly()
    await expectAward(url, expectCommands(server))
    await server.verify('community')
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
