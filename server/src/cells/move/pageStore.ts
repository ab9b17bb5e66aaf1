import type { Queryable } from '../../db/session.ts'
import { textRows } from '../../db/statement.ts'
import { listColumns } from './replicationStore.ts'

/** A row in the text format of COPY. */
export const copyLine = (row: readonly (string | null)[]): string =>
  `${row.map((value) => (value === null ? '\\N' : value.replaceAll(/[\\\t\n\r]/g, escapeOf))).join('\t')}\n`

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escapeOf = (character: string): string => escapes[character] ?? character

type Range = { readonly after: bigint; readonly upTo: bigint }

/** The columns are those of the database, so that a later one is copied too. */
export async function tableCopier(db: Queryable, table: 'journal' | 'details') {
  const columns = await listColumns(db, table)
  const read = {
    name: `move_read_${table}`,
    text: `select ${columns} from ${table} where realm = $1 and seq > $2 and seq <= $3 order by seq`,
    ...textRows,
  }
  return {
    write: { name: `move_copy_${table}`, text: `copy ${table} (${columns}) from stdin` },
    async rows(realm: number, { after, upTo }: Range): Promise<string> {
      const { rows } = await db.query<(string | null)[]>(read, [realm, after, upTo])
      return rows.map(copyLine).join('')
    },
  }
}
