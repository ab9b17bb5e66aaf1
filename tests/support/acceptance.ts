import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { csharpClient, pythonClient, sdkClient } from './clients.ts'
import type { Fixture } from './fixture.ts'
import { startGate } from './gate.ts'

/** Runs the black-box check of the contract against a server, with its own requests or those of a client. */

const check = fileURLToPath(new URL('../../server/test/acceptance/v4.mjs', import.meta.url))
export const clients = { sdk: sdkClient, python: pythonClient, csharp: csharpClient } as const
export type ClientName = keyof typeof clients

/** Its exit code, and what it printed; the last line is `N passed, N failed`. */
export type Verdict = { readonly code: number; readonly said: string }

async function runCheck(fixture: Fixture): Promise<Verdict> {
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

/** With a client, it fails also when that client sent no request at all. */
export async function runAcceptance(fixture: Fixture, name?: ClientName): Promise<Verdict> {
  if (name === undefined) return runCheck(fixture)
  const gate = await startGate(fixture.baseUrl, clients[name](fixture.baseUrl))
  try {
    const { code, said } = await runCheck({ ...fixture, baseUrl: gate.url })
    const { byClient, passedOn } = gate.made
    const line = `${byClient} requests made by the ${name} client, ${passedOn} that it can't make passed on\n`
    return { code: byClient === 0 ? 1 : code, said: line + said }
  } finally {
    await gate.close()
  }
}
