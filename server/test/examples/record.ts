import { writeFileSync } from 'node:fs'
import { startCluster } from '../../../tests/support/cluster.ts'
import { ownerRole, prepareDatabase, serverRole } from '../../src/dev/prepare.ts'
import { examplesFile } from '../../src/http/reference/examples.ts'
import { recordExamples } from './recording.ts'

/** Writes the examples of openapi.json, from a run on its own PostgreSQL: part of npm run gen. */
const name = 'examples'
const cluster = await startCluster('embedded')
try {
  await prepareDatabase(cluster, name)
  const urls = { serverUrl: cluster.url(name, serverRole), ownerUrl: cluster.url(name, ownerRole) }
  writeFileSync(examplesFile, `${JSON.stringify(await recordExamples(urls), null, 1)}\n`)
} finally {
  await cluster.stop()
}
// An idle connection would keep the process alive.
process.exit()
