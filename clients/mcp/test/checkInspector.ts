import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { namesOf } from './checkTools.ts'
import { doorOf, envOf, main, type Place } from './place.ts'
import type { Checks } from './run.ts'

/**
 * The official inspector's command line, by npx: installed it has 110 MB, so it is no dependency. It is not
 * run unless it is named: npm run mcp -- inspector.
 */
const inspector = '@modelcontextprotocol/inspector@2.12.0'

const execute = promisify(execFile)

/** Its output as JSON; with `--strict` it fails if a schema of a tool is not portable. */
async function inspect(args: readonly string[], place: Place): Promise<unknown> {
  const env = { ...process.env, HOME: place.folder, npm_config_cache: process.env['npm_config_cache'] ?? '' }
  if (env.npm_config_cache === '') env.npm_config_cache = `${process.env['HOME'] ?? ''}/.npm`
  const options = { env, cwd: place.folder, timeout: 300_000, maxBuffer: 10_000_000 }
  const { stdout } = await execute('npx', ['-y', inspector, '--cli', ...args], options)
  return JSON.parse(stdout)
}

type Listed = { readonly tools: readonly { readonly name: string }[] }

export async function checkInspector(place: Place, { check }: Checks): Promise<void> {
  const key = place.keys.owner
  const http = [doorOf(place.baseUrl, place.realmId), '--transport', 'http']
  const byUrl = [...http, '--header', `Authorization: Bearer ${key}`]
  const connected = await place.open(key)
  const names = await namesOf(connected)
  await connected.close()

  await check('the inspector lists the tools by URL, and finds their schemas portable', async () => {
    const { tools } = (await inspect([...byUrl, '--method', 'tools/list', '--strict'], place)) as Listed
    assert.deepEqual(tools.map(({ name }) => name).sort(), names)
  })

  await check('the inspector calls a tool by URL', async () => {
    const said = await inspect([...byUrl, '--method', 'tools/call', '--tool-name', 'get_realm'], place)
    assert.equal((said as { structuredContent: { name: string } }).structuredContent.name, 'Guild')
  })

  await check('the inspector lists the tools on stdio', async () => {
    const env = Object.entries(envOf(place, key)).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const program = [...env, process.execPath, main, '--allow-writes']
    const { tools } = (await inspect([...program, '--method', 'tools/list'], place)) as Listed
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...names, 'verify_journal'].sort())
  })
}
