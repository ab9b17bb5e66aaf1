import pg from 'pg'
import type { Postgres } from '../../../server/src/dev/postgres.ts'
import { ownerRole, serverRole } from '../../../server/src/dev/prepare.ts'

/** How the server and its commands reach a database. */
export type Urls = { readonly serverUrl: string; readonly ownerUrl: string }

export const urlsOf = (postgres: Pick<Postgres, 'url'>, database: string): Urls => ({
  serverUrl: postgres.url(database, serverRole),
  ownerUrl: postgres.url(database, ownerRole),
})

/** Changes what is stored past the server, as its owner: what no door lets anybody do. */
export async function change({ ownerUrl }: Urls, text: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c search_path=exchequer' })
  await client.connect()
  try {
    const { rowCount } = await client.query(text, [...values])
    if (!rowCount) throw new Error(`changed nothing: ${text}`)
  } finally {
    await client.end()
  }
}
