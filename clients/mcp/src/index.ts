import { Realm, type Scope } from '@exchequer/sdk'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { scopesOf } from './rights.ts'
import { createServer, toolsFor } from './server.ts'

export type Settings = {
  readonly url: string
  readonly realm: string
  readonly key: string
  readonly allowWrites: boolean
}

const log = (text: string): void => console.error(text)

const needed: readonly Scope[] = ['members:read', 'points:write']

/** Serves the tools on stdin and stdout until stdin ends. Throws if the server or the key can't be used. */
export async function serve({ allowWrites, ...access }: Settings): Promise<void> {
  // A person waits for each answer.
  const realm = new Realm({ ...access, retries: 2, longestWaitMs: 2_000 })
  const scopes = await scopesOf(realm)
  const writes = allowWrites ? 'on' : 'off'
  const count = toolsFor({ scopes, allowWrites }).length
  log(`exchequer mcp: realm ${access.realm} at ${access.url}, ${count} tools, writes ${writes}`)
  const missing = needed.filter((scope) => !scopes.has(scope))
  if (allowWrites && missing.length > 0)
    log(`The key can’t change points: it lacks ${missing.join(' and ')}.`)
  serveStdio(() => createServer({ realm, scopes, allowWrites, log }), {
    onerror: (error) => log(error.message),
  })
}
