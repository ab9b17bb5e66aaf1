import { writeFileSync } from 'node:fs'
import { startCluster } from '../../tests/support/cluster.ts'
import { clusterVariable, template } from '../../tests/support/suite.ts'
import { prepareDatabase } from '../src/dev/prepare.ts'

const cluster = await startCluster('embedded')
await prepareDatabase(cluster, template)
writeFileSync(
  '/tmp/lapse-cluster.env',
  `export ${clusterVariable}='${JSON.stringify({ port: cluster.port, password: cluster.password })}'\nexport NODE_COMPILE_CACHE=/tmp/wt/lapse/node_modules/.cache/tests\n`,
)
setInterval(() => {}, 1000)
process.on('SIGTERM', async () => {
  await cluster.stop()
  process.exit()
})
