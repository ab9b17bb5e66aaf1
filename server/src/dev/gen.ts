import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeSchema } from '../db/describe.ts'
import { baselineOf } from '../http/reference/baseline.ts'
import { errorsPage } from '../http/reference/errorsPage.ts'
import { openapi } from '../http/reference/openapi.ts'
import { documented } from '../http/routes.ts'
import { embeddedBinaries, startPostgres } from './postgres.ts'
import { makeRoles, ownerRole, prepareDatabase } from './prepare.ts'

/**
 * Writes generated files: openapi.json from the routes and the recorded examples, docs/errors.md from the
 * catalogue of refusals, schema.sql from a migrated database, and the chart's copies of alerts and
 * dashboards. `--check` only compares. `--baseline` saves the current /api/v4, to which later versions may
 * only add: run it at a release.
 */

const project = new URL('../../../', import.meta.url)

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

/** Helm reads no file outside of a chart. */
function chartFiles(): Record<string, string> {
  const sources = globSync(['deploy/prometheus/*.rules.yml', 'deploy/grafana/*.json'], {
    cwd: fileURLToPath(project),
  })
  const copies = sources.map((file) => [
    `deploy/helm/exchequer/files/${basename(file)}`,
    readFileSync(new URL(file, project), 'utf8'),
  ])
  return Object.fromEntries(copies) as Record<string, string>
}

const document = openapi(documented)
/** By their path in the project. */
const files: Readonly<Record<string, string>> = {
  'server/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'server/schema.sql': await schema(),
  'docs/errors.md': errorsPage(),
  ...chartFiles(),
}
if (process.argv.includes('--baseline')) {
  const file = new URL('../../openapi.baseline.json', import.meta.url)
  writeFileSync(file, `${JSON.stringify(baselineOf(document), null, 1)}\n`)
}

let stale = false
for (const [name, made] of Object.entries(files)) {
  const file = new URL(name, project)
  if (!process.argv.includes('--check')) writeFileSync(file, made)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== made) {
    console.error(`${name} is stale: run npm run gen`)
    stale = true
  }
}
if (stale) process.exitCode = 1
