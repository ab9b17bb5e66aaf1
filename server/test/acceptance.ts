import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownerRole, prepareDatabase, serverRole } from '../src/dev/prepare.ts'
import { type Flavour, startCluster } from './support/cluster.ts'
import { makeFixture } from './support/fixture.ts'
import { environment, operatorToken, startServerProcess } from './support/process.ts'

/**
 * Runs the black-box check of the contract against a real server on a real PostgreSQL: `npm run acceptance`.
 */

const check = fileURLToPath(new URL('../../../shared/acceptance/v4.mjs', import.meta.url))

async function acceptance(flavour: Flavour): Promise<number> {
  const cluster = await startCluster(flavour)
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-acceptance-'))
  try {
    await prepareDatabase(cluster, 'acceptance')
    const urls = {
      serverUrl: cluster.url('acceptance', serverRole),
      ownerUrl: cluster.url('acceptance', ownerRole),
    }
    const server = await startServerProcess(environment(urls, { REALM_RATE: '', KEY_RATE: '' }))
    try {
      const fixture = await makeFixture({ baseUrl: server.baseUrl, token: operatorToken })
      const file = join(folder, 'fixture.json')
      writeFileSync(file, JSON.stringify(fixture))
      const child = spawn(process.execPath, [check, file], { stdio: 'inherit' })
      const [code] = (await once(child, 'exit')) as [number]
      return code
    } finally {
      await server.stop()
    }
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true })
  }
}

if (existsSync(check)) {
  process.exitCode = await acceptance(process.argv.includes('--debian') ? 'debian' : 'embedded')
} else {
  console.log('The acceptance check stands beside the repository, in ../shared/acceptance, and is not there.')
  console.log('npm test covers the same ground.')
}
