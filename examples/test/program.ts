import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Realm } from '@exchequer/sdk'
import { freePort } from '../../server/src/dev/postgres.ts'
import { rich } from '../../tests/support/fixture.ts'
import { type ManagedRealm, managed } from '../../tests/support/manager.ts'
import type { Suite } from '../../tests/support/suite.ts'

/** Examples as programs of their own, with webhooks that the server delivers. */

export async function until(check: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  for (const endMs = Date.now() + 20_000; Date.now() < endMs; await sleep(20)) if (await check()) return
  assert.fail(what())
}

/** The address of a server that answers nothing, and whose port is not another program's. */
export async function unreachable(): Promise<string> {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  after(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type ProgramSettings = { readonly port: number; readonly env: Record<string, string> }

const children = new Set<ChildProcess>()

/** Ends the programs that are still running, after the tests of a file. */
export const endAll = () =>
  after(() => {
    for (const child of children) child.kill('SIGKILL')
  })

/** Starts one of the programs, waits until it answers, and collects what it prints. */
export async function start(file: string, { port, env }: ProgramSettings) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url))
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const said = { out: '', err: '' }
  for (const name of ['out', 'err'] as const)
    child[name === 'out' ? 'stdout' : 'stderr'].on('data', (chunk: Buffer) => {
      said[name] += chunk
    })
  const url = `http://127.0.0.1:${port}/`
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    )
  await until(isUp, () => `${file} did not start: ${said.err}`)
  return {
    url,
    said,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      children.delete(child)
    },
  }
}

/** A realm with a member who has points, and a webhook to a free port. */
export async function hooked(
  made: Suite,
  { tokens, settings }: { readonly tokens: number; readonly settings: (realm: ManagedRealm) => object },
) {
  const realm = await managed(made, { unknownMembers: 'create' })
  const client = new Realm({ url: made.app.url, realm: realm.id, key: realm.key })
  await client.member(rich).adjust(tokens)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { status, json, text } = await realm.send('POST /webhooks', { url, ...settings(realm) })
  assert.equal(status, 201, text)
  const webhook = `/webhooks/${json.id}`
  const env = { URL: made.app.url, REALM: realm.id, KEY: realm.key, SECRET: json.secret as string }
  type Sent = { status: number; replay: boolean }
  const deliveries = async (): Promise<Sent[]> => (await realm.send(`GET ${webhook}/deliveries`)).json.data
  return {
    client,
    port,
    env,
    deliveries,
    /** Sends every event again, and waits until all are answered. */
    replay: async () => {
      assert.equal((await realm.send(`POST ${webhook}/replay`, { from: '1', to: '99' })).status, 200)
      await until(
        async () => (await realm.send(`GET ${webhook}`)).json.replay === null,
        () => 'the replay did not end',
      )
      const again = (await deliveries()).filter(({ replay }) => replay)
      assert.ok(again.length > 0 && again.every(({ status }) => status === 204), JSON.stringify(again))
    },
  }
}
