import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSchema } from '../db/describe.ts'
import { baselineOf } from '../http/reference/baseline.ts'
import { errorsPage } from '../http/reference/errorsPage.ts'
import { openapi } from '../http/reference/openapi.ts'
import { documented } from '../http/routes.ts'
import { embeddedBinaries, startPostgres } from './postgres.ts'
import { makeRoles, ownerRole, prepareDatabase } from './prepare.ts'

/**
 * Writes generated files: openapi.json from the routes and the recorded examples, docs/errors.md from the
 * catalogue of refusals, schema.sql from a migrated database. `--check` only compares. `--baseline` saves the
 * current /api/v4, to which later versions may only add: run it at a release.
 */

async function schema(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'exchequer-gen-'))
  const password = 'generated'
  const postgres = await startPostgres({ binaries: embeddedBinaries(), folder: `${folder}-data`, password })
  try {
    await makeRoles(postgres, password)
    await prepareDatabase(postgres, 'gen')
    return await describeSchema(postgres.url('gen', ownerRole))
  } finally {
    await postgres.stop()
    for (const made of [folder, `${folder}-data`]) rmSync(made, { recursive: true, force: true })
  }
}

const document = openapi(documented)
/** By their path in the project. */
const files: Readonly<Record<string, string>> = {
  'server/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'server/schema.sql': await schema(),
  'docs/errors.md': errorsPage(),
}
if (process.argv.includes('--baseline')) {
  const file = new URL('../../openapi.baseline.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(baselineOf(document), null, 1)}\n`)
}

let stale = false
for (const [name, made] of Object.entries(files)) {
  const file = new URL(`../../../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(file, made)
  else if (readFileSync(file, 'utf8') !== made) {
    console.error(`${name} is stale: run npm run gen`)
    stale = true
  }
}
if (stale) process.exitCode = 1
