import type { Postgres } from '../../../server/src/dev/postgres.ts'
import { ownerRole, serverRole } from '../../../server/src/dev/prepare.ts'

/** How the server and its commands reach a database. */
export type Urls = { readonly serverUrl: string; readonly ownerUrl: string }

export const urlsOf = (postgres: Pick<Postgres, 'url'>, database: string): Urls => ({
  serverUrl: postgres.url(database, serverRole),
  ownerUrl: postgres.url(database, ownerRole),
})
