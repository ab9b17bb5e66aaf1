import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { release } from '../../server/src/config/release.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import type { Fault } from './play.ts'
import { openSingle } from './stage.ts'

const migrations = new URL('../../server/migrations/', import.meta.url)
/** The tables that every change touches. */
const hot = ['heads', 'balances', 'journal', 'members', 'details', 'refusals']

/** The rule of CONTRIBUTING.md: a release may drop what the release before it added. */
function expandOrContract(turn: number): string {
  const name = `later_${Math.floor(turn / 2)}`
  const each = (change: string) => hot.map((table) => `alter table ${table} ${change};`).join('\n')
  return turn % 2 === 0
    ? `${each(`add column ${name} bigint default 7`)}
create table ${name} (realm integer primary key, note text);`
    : `${each(`drop column ${name}`)}
drop table ${name};`
}

export const migration: Fault = {
  name: 'migration',
  title: 'migrations of every hot table, two servers writing',
  times: 10,
  pauseMs: [1_000, 2_000],
  async open(options) {
    const stage = await openSingle({ ...options, count: 2 })
    const folder = join(options.folder, 'migrations')
    mkdirSync(folder)
    cpSync(migrations, folder, { recursive: true })
    return {
      stage,
      async inject({ load, resumed, expect }, turn) {
        const before = load.broken
        const head = `-- oldest release that runs on this schema: ${release}\n`
        writeFileSync(join(folder, `${9_000 + turn}-later.sql`), head + expandOrContract(turn))
        const ran = await migrate({ ...stage.databaseUrls, release, from: pathToFileURL(`${folder}/`) })
        expect(ran === 1, `${ran} migrations ran`)
        resumed(await load.untilAcknowledged(), 2_000)
        expect(load.broken === before, 'cut off by a migration')
      },
    }
  },
}
