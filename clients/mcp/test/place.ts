import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Realm } from '@exchequer/sdk'
import {
  type CallToolResult,
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Scope, scopes } from '../../../server/src/keys/index.ts'
import { scopesFor } from '../../../server/src/people/roles.ts'
import { makeRealm, operator } from '../../../tests/support/fixture.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { scopesOf } from '../src/rights.ts'
import { createServer } from '../src/server.ts'

/** A real Exchequer server with a realm and its keys, and clients of the official library. */

export const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export const ann = '1190194345295482952'
export const bob = '1190194345295483000'

/** The scopes of the roles, of a key created without scopes, and of keys that lack what most tools need. */
export const keyScopes = {
  viewer: scopesFor.viewer,
  manager: scopesFor.manager,
  owner: scopesFor.owner,
  plain: ['members:read', 'wallets:read', 'points:write'],
  auditor: ['journal:read'],
  poster: ['points:write'],
} as const satisfies Readonly<Record<string, readonly Scope[]>>
export type KeyName = keyof typeof keyScopes

export type Connected = { readonly client: Client; readonly close: () => Promise<void> }
type Flags = readonly string[]
type Linked = {
  readonly now?: () => number
  readonly fetch?: typeof fetch
  readonly log?: string[]
  /** With every scope when omitted. */
  readonly key?: KeyName
  readonly allowWrites?: boolean
}

/** A page of this origin may send requests to the server that allows no writes. */
export const listedOrigin = 'https://shop.example.com'

/** The address of a server process with this setting. `second` is another one with the same as `on`. */
export type Doors = (name: 'on' | 'second' | 'limited' | 'off') => Promise<string>

export type Place = {
  /** Of the process that allows writes. */
  readonly baseUrl: string
  readonly doors: Doors
  readonly realmId: string
  readonly pointId: string
  /** With every scope. */
  readonly realm: Realm
  readonly keys: Readonly<Record<KeyName, string>>
  readonly folder: string
  /** The program, as a process. */
  readonly connect: (key: KeyName, flags?: Flags, options?: { readonly modern?: true }) => Promise<Connected>
  /** The route of a server, over HTTP. */
  readonly open: (key: string, door?: Parameters<Doors>[0], isModern?: boolean) => Promise<Connected>
  /** The same server within this process. */
  readonly link: (options?: Linked) => Promise<Connected>
  readonly entries: () => Promise<number>
  readonly stop: () => void
}

export const envOf = (place: Pick<Place, 'baseUrl' | 'realmId'>, key: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  EXCHEQUER_URL: place.baseUrl,
  EXCHEQUER_REALM: place.realmId,
  EXCHEQUER_KEY: key,
})

const who = { name: 'exchequer-tests', version: '1.0.0' }

const clientOf = (isModern: boolean): Client =>
  new Client(who, isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {})

export const doorOf = (baseUrl: string, realmId: string): string => `${baseUrl}/api/v4/realms/${realmId}/mcp`

/** A client of the route, with its own transport. */
async function openDoor(url: string, key: string, isModern: boolean): Promise<Connected> {
  const client = clientOf(isModern)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return { client, close: () => client.close() }
}

/** A client of the program, started with these arguments. */
export async function start(args: Flags, env: Record<string, string>, isModern = false): Promise<Connected> {
  const client = clientOf(isModern)
  const errors: Error[] = []
  client.onerror = (error) => errors.push(error)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env,
    stderr: 'pipe',
  })
  await client.connect(transport)
  return {
    client,
    close: async () => {
      await client.close()
      // A line that is not a message of the protocol would be one.
      assert.deepEqual(errors, [])
    },
  }
}

export async function makePlace(baseUrl: string, doors: Doors): Promise<Place> {
  const access = { baseUrl, token: operatorToken }
  const { id: realmId, pointId } = await makeRealm(access, { name: 'Guild' })
  const issue = async (name: string, some: readonly Scope[]) => {
    const issued = { path: `/realms/${realmId}/keys`, body: { name, scopes: some } }
    return ((await operator(access, 'POST', issued)) as { key: string }).key
  }
  const names = Object.keys(keyScopes) as KeyName[]
  const keys = {} as Record<KeyName, string>
  for (const name of names) keys[name] = await issue(name, keyScopes[name])
  const all = { url: baseUrl, realm: realmId, key: await issue('all', scopes) }
  const realm = new Realm(all)
  await realm.members.put([
    { id: ann, username: 'ann', displayName: 'Ann' },
    { id: bob, username: 'bob' },
  ])
  await realm.member(ann).adjust(1_000, { reason: 'a start' })
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-mcp-'))
  const at = { baseUrl, realmId }
  return {
    ...at,
    doors,
    pointId,
    realm,
    keys,
    folder,
    connect: (key, flags = [], { modern } = {}) =>
      start([main, ...flags], envOf(at, keys[key]), modern === true),
    open: async (key, door = 'on', isModern = false) =>
      openDoor(doorOf(await doors(door), realmId), key, isModern),
    link: async ({ now, fetch: send, log = [], key, allowWrites = true } = {}) => {
      const options = { ...all, ...(key ? { key: keys[key] } : {}) }
      const server = createServer({
        realm: new Realm({ ...options, ...(send ? { fetch: send } : {}) }),
        scopes: await scopesOf(new Realm(options)),
        allowWrites,
        log: (text) => log.push(text),
        plans: { now },
      })
      const client = new Client(who)
      const [here, there] = InMemoryTransport.createLinkedPair()
      await Promise.all([server.connect(there), client.connect(here)])
      return { client, close: () => client.close() }
    },
    entries: async () => Number((await realm.head()).seq),
    stop: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export type Fields = Readonly<Record<string, unknown>>

/** The result of a tool that did what it should. */
export async function call({ client }: Connected, name: string, args: Fields = {}): Promise<Fields> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult
  assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`)
  return result.structuredContent as Fields
}

/** The error of a tool that refused. */
export async function refusal({ client }: Connected, name: string, args: Fields): Promise<Fields> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult
  assert.equal(result.isError, true, JSON.stringify(result))
  return (result.structuredContent as { error?: Fields } | undefined)?.error ?? { text: result.content }
}
