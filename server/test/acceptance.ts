import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonClient, sdkClient } from '../../tests/support/clients.ts'
import type { Fixture } from '../../tests/support/fixture.ts'
import { startGate } from '../../tests/support/gate.ts'
import { scriptOptions } from '../../tests/support/scriptOptions.ts'
import { withWhole } from '../../tests/support/whole.ts'

/**
 * Runs the black-box check of the contract against a real server on a real PostgreSQL: `npm run acceptance`.
 * With `-- --client sdk` or `-- --client python` that client sends the requests, where it can send such a
 * one.
 */

const check = fileURLToPath(new URL('acceptance/v4.mjs', import.meta.url))
const clients = { sdk: sdkClient, python: pythonClient } as const

const values = scriptOptions({ debian: { type: 'boolean', default: false }, client: { type: 'string' } })
const { client } = values
if (client !== undefined && !(client in clients))
  throw new Error(`--client is one of ${Object.keys(clients).join(', ')}, not ${client}`)

/** Its exit code and output. */
async function checked(fixture: Fixture): Promise<{ code: number; said: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-acceptance-'))
  try {
    const file = join(folder, 'fixture.json')
    writeFileSync(file, JSON.stringify(fixture))
    const child = spawn(process.execPath, [check, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const said: string[] = []
    child.stdout.on('data', (chunk: Buffer) => said.push(String(chunk)))
    const [code] = (await once(child, 'close')) as [number]
    return { code, said: said.join('') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function acceptance(fixture: Fixture): Promise<number> {
  if (client === undefined) {
    const { code, said } = await checked(fixture)
    process.stdout.write(said)
    return code
  }
  const gate = await startGate(fixture.baseUrl, clients[client as keyof typeof clients](fixture.baseUrl))
  try {
    const { code, said } = await checked({ ...fixture, baseUrl: gate.url })
    const { byClient, passedOn } = gate.made
    console.log(`${byClient} requests made by the ${client} client, ${passedOn} that it can't make passed on`)
    process.stdout.write(said)
    return byClient === 0 ? 1 : code
  } finally {
    await gate.close()
  }
}

if (!existsSync(check)) throw new Error(`${check} does not exist: nothing can be checked`)
const extra = { REALM_RATE: '', KEY_RATE: '' }
process.exitCode = await withWhole({ flavour: values.debian ? 'debian' : 'embedded', extra }, acceptance)
