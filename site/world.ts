import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentFile } from '../server/src/dev/announce.ts'
import { freePort } from '../server/src/dev/postgres.ts'
import { asSuperuser, ownerRole, prepareDatabase, serverRole } from '../server/src/dev/prepare.ts'
import { scopes } from '../server/src/keys/scopes.ts'
import { type Cluster, startCluster } from '../tests/support/cluster.ts'
import { award, operator } from '../tests/support/fixture.ts'
import {
  environment,
  operatorToken,
  type ServerProcess,
  startServerProcess,
} from '../tests/support/process.ts'
import { root } from './pages.ts'

export type Stage = { readonly folder: string; readonly variables: Variables; readonly port: number }
export type Variables = Readonly<Record<string, string>>

/** A realm, and a key of it with every scope. */
async function makeRealm(baseUrl: string, id: string): Promise<string> {
  const access = { baseUrl, token: operatorToken }
  const body = { id, name: id, point: { id: 'gold', name: 'Gold' }, unknownMembers: 'create' }
  await operator(access, 'POST', { path: '/realms', body })
  const issue = { path: `/realms/${id}/keys`, body: { name: 'the guide', scopes } }
  const { key } = (await operator(access, 'POST', issue)) as { key: string }
  return key
}

/** The realm that the pages use. */
async function makeDemo(baseUrl: string): Promise<string> {
  const key = await makeRealm(baseUrl, 'demo')
  const realm = { id: 'demo', key, pointId: 'gold' }
  await award(baseUrl, realm, { '1190194345295482952': 1_000, '1190194345295482953': 400 })
  return key
}

/** What the pages assume: a PostgreSQL, a server with a realm, and a clone. */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'exchequer-docs-'))
  readonly #cluster: Cluster
  readonly #server: ServerProcess
  readonly #key: string

  private constructor(cluster: Cluster, server: ServerProcess, key: string) {
    this.#cluster = cluster
    this.#server = server
    this.#key = key
  }

  static async open(): Promise<World> {
    const cluster = await startCluster('embedded')
    try {
      await prepareDatabase(cluster, 'guide')
      // The pages use a role of this name.
      await asSuperuser(cluster.url('postgres'), [`create role exchequer login password 'password'`])
      const urls = { serverUrl: cluster.url('guide', serverRole), ownerUrl: cluster.url('guide', ownerRole) }
      // The receivers of some pages are on this machine.
      const server = await startServerProcess(environment(urls, { WEBHOOK_ALLOW: '127.0.0.0/8' }))
      return new World(cluster, server, await makeDemo(server.baseUrl))
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  get url(): string {
    return this.#server.baseUrl
  }

  makeRealm(id: string): Promise<string> {
    return makeRealm(this.#server.baseUrl, id)
  }

  /** A writable folder that looks like a clone, and the variables that the pages use. */
  async stage(name: string, servesItself: boolean): Promise<Stage> {
    const folder = join(this.folder, name.replaceAll('/', '-'))
    mkdirSync(folder)
    // Each such page begins with an empty database: keys made with another page's secrets would be rejected.
    if (servesItself)
      await asSuperuser(this.#cluster.url('postgres'), [
        'drop database if exists exchequer with (force)',
        'create database exchequer owner exchequer',
      ])
    for (const entry of readdirSync(root)) {
      if (['.git', '.data'].includes(entry)) continue
      const copy = statSync(join(root, entry)).isDirectory() ? symlinkSync : copyFileSync
      copy(join(root, entry), join(folder, entry))
    }
    // As `npm install --global exchequer` creates it.
    mkdirSync(join(folder, '.bin'))
    const line = `#!/bin/sh\nexec node "${root}cli/dist/main.js" "$@"\n`
    writeFileSync(join(folder, '.bin/exchequer'), line, { mode: 0o755 })
    // As `npx exchequer dev` leaves it.
    mkdirSync(join(folder, '.data'))
    const demoVariables = { URL: this.#server.baseUrl, REALM: 'demo', KEY: this.#key, TOKEN: operatorToken }
    writeFileSync(join(folder, '.data/demo.env'), environmentFile(demoVariables))
    const port = await freePort()
    const urls = {
      serverUrl: this.#cluster.url('guide', serverRole),
      ownerUrl: this.#cluster.url('guide', ownerRole),
    }
    // A page that starts its own server sets its own settings.
    const settings = servesItself ? {} : environment(urls)
    const variables = {
      ...settings,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      PATH: `${join(folder, '.bin')}:${root}node_modules/.bin:${process.env['PATH']}`,
      HOME: folder,
    }
    return { folder, variables, port }
  }

  /** Replaces the default addresses in a block with those of this run. */
  lead(text: string, port: number | undefined): string {
    const server = port === undefined ? new URL(this.#server.baseUrl).host : `127.0.0.1:${port}`
    return text
      .replaceAll('localhost:5432', `127.0.0.1:${this.#cluster.port}`)
      .replaceAll(/(localhost|127\.0\.0\.1):8080/g, server)
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.#cluster.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
