import pg from 'pg'
import type { Postgres } from '../../../server/src/dev/postgres.ts'
import { ownerRole, serverRole } from '../../../server/src/dev/prepare.ts'

/** Connection URLs of the server and its commands. */
export type Urls = { readonly serverUrl: string; readonly ownerUrl: string }

export const urlsOf = (postgres: Pick<Postgres, 'url'>, database: string): Urls => ({
  serverUrl: postgres.url(database, serverRole),
  ownerUrl: postgres.url(database, ownerRole),
})

/** Changes the database directly as its owner: changes that no API allows. */
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
