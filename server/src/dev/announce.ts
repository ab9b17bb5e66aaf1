import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { demoRealm, firstMember } from './demo.ts'

export type Running = {
  readonly url: string
  readonly key: string
  readonly token: string
  /** A one-time sign-in link; undefined where the console is not built. */
  readonly console: string | undefined
  readonly folder: string
}

type Call = { readonly path: string; readonly patch?: Readonly<Record<string, string | number>> }

const realm = `/api/v4/realms/${demoRealm}`
const tries: readonly (readonly [string, Call])[] = [
  ['Read a member', { path: `${realm}/members/${firstMember}` }],
  [
    'Award 25 points',
    {
      path: `${realm}/members/${firstMember}/tokenBalance`,
      patch: { tokens: 25, reason: 'Tried it out' },
    },
  ],
  ['See who leads this week', { path: `${realm}/leaderboard?period=week&limit=5` }],
]

const hasCurl = (): boolean =>
  process.platform !== 'win32' &&
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'curl')))

function curlLine({ url, key }: Running, { path, patch }: Call): string {
  const body = patch ? ` -X PATCH -H "Content-Type: application/json" -d '${JSON.stringify(patch)}'` : ''
  return `curl "${url}${path}" -H "Authorization: Bearer ${key}"${body}`
}

/** For a machine with nothing but Node; works in every shell. */
function nodeLine({ url, key }: Running, { path, patch }: Call): string {
  const quoted = (text: string) => `'${text}'`
  const body = Object.entries(patch ?? {}).map(
    ([name, value]) => `${name}:${typeof value === 'string' ? quoted(value) : value}`,
  )
  const bearer = `authorization:'Bearer ${key}'`
  const options = patch
    ? `{method:'PATCH',headers:{${bearer},'content-type':'application/json'},` +
      `body:JSON.stringify({${body.join(',')}})}`
    : `{headers:{${bearer}}}`
  return `node -e "fetch('${url}${path}',${options}).then(async(a)=>console.log(await a.text()))"`
}

/** For `. demo.env`: exported, so that programs started from that shell have them too. */
export const environmentFile = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}\n`)
    .join('')

/** Prints how to use the running server, and writes the same values to a file as variables. */
export function announce(running: Running): void {
  const { url, key, token, folder } = running
  const variables = { URL: url, REALM: demoRealm, KEY: key, TOKEN: token }
  writeFileSync(join(folder, 'demo.env'), environmentFile(variables), { mode: 0o600 })
  const lineOf = hasCurl() ? curlLine : nodeLine
  const lines = tries.map(([what, call]) => `  # ${what}\n  ${lineOf(running, call)}`)
  const shown = relative(process.cwd(), folder) || folder
  console.log(`
Exchequer is running.

  server     ${url}
  reference  ${url}/docs
  console    ${running.console ?? 'not built: run npm run build -w console, then restart'}
  realm      ${demoRealm}: 90 days of a community that does not exist
  key        ${key}

Try it, in another terminal:

${lines.join('\n\n')}

There, ". ${shown}/demo.env" gives you URL, REALM, KEY and TOKEN (the operator's) as variables.
Ctrl-C stops the server and its database. Delete ${shown} to start over.
`)
}
