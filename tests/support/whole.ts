import { ownerRole, prepareDatabase, serverRole } from '../../server/src/dev/prepare.ts'
import { type Flavour, startCluster } from './cluster.ts'
import { type Fixture, makeFixture } from './fixture.ts'
import { environment, operatorToken, startServerProcess } from './process.ts'

export type WholeOptions = {
  readonly flavour?: Flavour
  /** Settings of the server. */
  readonly extra?: Record<string, string>
}

/** Starts a further process with the same database, and returns its URL. */
export type StartAnother = (settings: Record<string, string>) => Promise<string>

/** A PostgreSQL, a server process and the acceptance fixture, for the duration of the work. */
export async function withWhole<T>(
  { flavour = 'embedded', extra = {} }: WholeOptions,
  work: (fixture: Fixture, startAnother: StartAnother) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster(flavour)
  try {
    await prepareDatabase(cluster, 'whole')
    const urls = { serverUrl: cluster.url('whole', serverRole), ownerUrl: cluster.url('whole', ownerRole) }
    const server = await startServerProcess(environment(urls, extra))
    const all = [server]
    const startAnother: StartAnother = async (settings) => {
      const another = await startServerProcess(environment(urls, { ...extra, ...settings }))
      all.push(another)
      return another.baseUrl
    }
    try {
      return await work(await makeFixture({ baseUrl: server.baseUrl, token: operatorToken }), startAnother)
    } finally {
      await Promise.all(all.map((one) => one.stop()))
    }
  } finally {
    await cluster.stop()
  }
}
