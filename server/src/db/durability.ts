import type { Queryable, ReadStatement } from './session.ts'

/**
 * What makes a commit durable: the database by its own settings, the storage below it (`storage`, as with
 * some managed services), or the database plus a standby that must confirm it (`strict`).
 */
export const durabilities = ['database', 'storage', 'strict'] as const
export type Durability = (typeof durabilities)[number]

type Settings = { fsync: string; full_page_writes: string; standbys: string }

const settings: ReadStatement = {
  name: 'durability',
  text: `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_standby_names') as standbys`,
}

/** Why commits would not be durable there, and what to do; undefined when they are. */
export async function checkDurability(db: Queryable, durability: Durability): Promise<string | undefined> {
  const [row] = (await db.query<Settings>(settings)).rows
  const off = (['fsync', 'full_page_writes'] as const).filter((name) => row?.[name] !== 'on')
  if (off.length > 0 && durability !== 'storage') {
    return (
      `PostgreSQL runs with ${off.join(' and ')} off: a crash could lose or corrupt acknowledged changes. ` +
      'Turn it on; or set DURABILITY=storage if the storage below guarantees durability.'
    )
  }
  if (durability === 'strict' && !row?.standbys) {
    return (
      'DURABILITY=strict needs a synchronous standby, and synchronous_standby_names is empty: ' +
      'a change that only the primary has could be lost with it.'
    )
  }
  return undefined
}
