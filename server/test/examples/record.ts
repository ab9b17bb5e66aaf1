import { writeFileSync } from 'node:fs'
import { ownerRole, prepareDatabase, serverRole } from '../../src/dev/prepare.ts'
import { examplesFile } from '../../src/http/reference/examples.ts'
import { startCluster } from '../support/cluster.ts'
import { recordExamples } from './recording.ts'

/** Writes the examples of openapi.json, from a run on a PostgreSQL of its own: part of npm run gen. */
const name = 'examples'
const cluster = await startCluster('embedded')
try {
  await prepareDatabase(cluster, name)
  const urls = { serverUrl: cluster.url(name, serverRole), ownerUrl: cluster.url(name, ownerRole) }
  writeFileSync(examplesFile, `${JSON.stringify(await recordExamples(urls), null, 1)}\n`)
} finally {
  await cluster.stop()
}
// A connection that rests would keep the process waiting.
process.exit()
