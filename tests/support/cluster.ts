import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  debianBinaries,
  embeddedBinaries,
  type Postgres,
  startPostgres,
} from '../../server/src/dev/postgres.ts'
import { makeRoles } from '../../server/src/dev/prepare.ts'

export type Flavour = 'embedded' | 'debian'

export type Cluster = Postgres & { readonly password: string }

function binariesOf(flavour: Flavour): string {
  if (flavour === 'embedded') return embeddedBinaries()
  const found = debianBinaries()
  if (!found) throw new Error('Debian’s PostgreSQL is not installed: apt-get install postgresql')
  return found
}

/** A PostgreSQL in a temporary folder, with the two roles, removed when it is stopped. */
export async function startCluster(
  flavour: Flavour,
  extra: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const password = randomBytes(12).toString('hex')
  const folder = join(tmpdir(), `exchequer-${flavour}-${process.pid}-${randomBytes(4).toString('hex')}`)
  const settings = { max_connections: '300', shared_buffers: '256MB', ...extra }
  const postgres = await startPostgres({ binaries: binariesOf(flavour), folder, password, settings })
  await makeRoles(postgres, password)
  return {
    ...postgres,
    password,
    async stop() {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
