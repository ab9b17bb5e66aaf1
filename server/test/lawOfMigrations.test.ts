import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rowsOf } from '../../tests/support/books.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { release } from '../src/config/release.ts'
import { migrate } from '../src/db/migrate.ts'

/**
 * The rule of migrations after the first: in an ordinary file, which holds its locks to the end, nothing
 * reads or rewrites a hot table. It is checked by its effect on the catalogue, however a file is written.
 */
const hot = ['journal', 'details', 'balances', 'members']

const real = fileURLToPath(new URL('../migrations/', import.meta.url))
const files = readdirSync(real).filter((file) => /^\d{4}-.*\.sql$/.test(file))
const made: string[] = []
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true })
})

/** A row of each hot table, so that a change of rows is seen too. */
const oneRow = `
  insert into journal (realm, key, seq, at_us, amount, to_balance, from_account, to_account, point, kind,
    encoding, hash) values (1, 1, 1, 1, 5, 5, 0, 1, 1, 1, 1, sha256(''));
  insert into details (realm, seq, salt, reason) values (1, 1, '', 'a');
  insert into balances values (1, 1, 1, 5, 1, 1);
  insert into members (realm, account, id) values (1, 1, 1)`

/** What a heavy change leaves in the catalogue, as lines "table: what". */
const state = `
  with hot as (select t.root, p.relid as oid from unnest($1::text[]) as t (root) cross join lateral (
      select relid from pg_partition_tree(t.root::regclass) union select t.root::regclass) p),
    rows as (select 'journal' as root, xmin::text || ' ' || ctid::text as version from journal
      union all select 'details', xmin::text || ' ' || ctid::text from details
      union all select 'balances', xmin::text || ' ' || ctid::text from balances
      union all select 'members', xmin::text || ' ' || ctid::text from members)
  select root || ': stored in ' || c.relname || ' ' || c.relfilenode as line
    from hot join pg_class c on c.oid = hot.oid
  union all select root || ': index ' || c.relname || ' ' || c.relfilenode
    from hot join pg_index i on i.indrelid = hot.oid join pg_class c on c.oid = i.indexrelid
  union all select root || ': constraint ' || k.conname from hot join pg_constraint k on k.conrelid = hot.oid
    where k.convalidated and k.contype <> 'n'
  union all select root || ': column ' || a.attname || w.what from hot
    join pg_attribute a on a.attrelid = hot.oid and a.attnum > 0 and not a.attisdropped
    cross join lateral (select '' as what union all select ' not null' where a.attnotnull) w
  union all select root || ': row ' || version from rows`

async function stateOf({ superuserUrl }: TestDatabase): Promise<Set<string>> {
  return new Set((await rowsOf(superuserUrl, state, [hot])).map((row) => String(row.line)))
}

/** A column may be added, also a required one; a column that exists is read when it becomes required. */
function isHeavy(line: string, before: ReadonlySet<string>): boolean {
  if (before.has(line)) return false
  return !line.includes(': column ') || before.has(line.replace(/ not null$/, ''))
}

const migrateFrom = ({ ownerUrl }: TestDatabase, folder: string) =>
  migrate({ ownerUrl, serverUrl: ownerUrl, release, from: pathToFileURL(`${folder}/`) })

/** The first schema, then each file; the hot tables that the ordinary ones among them read or rewrite. */
async function heavyChanges(later: readonly { file: string; add: (folder: string) => void }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-law-'))
  made.push(folder)
  const database = await freshDatabase('template0')
  try {
    const [first] = files
    assert.ok(first)
    copyFileSync(join(real, first), join(folder, first))
    await migrateFrom(database, folder)
    await rowsOf(database.superuserUrl, oneRow)
    const heavy: string[] = []
    for (const { file, add } of later) {
      const before = await stateOf(database)
      add(folder)
      await migrateFrom(database, folder)
      if (file.endsWith('.online.sql')) continue
      const added = [...(await stateOf(database))].filter((line) => isHeavy(line, before))
      const tables = new Set(added.map((line) => line.slice(0, line.indexOf(':'))))
      for (const table of tables) heavy.push(`${file}: ${table}`)
    }
    return heavy
  } finally {
    await database.drop()
  }
}

const head = '-- oldest release that runs on this schema: 0.1.0\n'
const planted = (file: string, sql: string) => ({
  file,
  add: (folder: string) => writeFileSync(join(folder, file), head + sql),
})

/** By the table that each reads or rewrites. */
const heavy: readonly (readonly [string, string])[] = [
  ['details', 'create index planted_1 on details (realm, salt);'],
  ['journal', 'create index planted_2 on journal (realm, at_us);'],
  ['journal', 'create index planted_3 on journal_03 (realm, at_us);'],
  ['members', `do $$ begin execute 'create index planted_4 on members (realm, note)'; end $$;`],
  ['members', 'alter table members add unique (realm, note, account);'],
  ['balances', 'alter table balances alter column at_us type numeric;'],
  ['members', 'alter table members add column mark uuid default gen_random_uuid();'],
  ['journal', 'alter table journal add column day bigint generated always as (at_us / 86400000000) stored;'],
  ['journal', 'alter table journal add constraint planted_5 check (at_us > 0);'],
  [
    'balances',
    `alter table balances add constraint planted_6 check (at_us > 0) not valid;
      alter table balances validate constraint planted_6;`,
  ],
  ['details', 'alter table details alter column reason set not null;'],
  ['members', `update members set note = 'a';`],
  ['details', 'reindex table details;'],
]

describe('migrations', () => {
  it('neither read nor rewrite a hot table in an ordinary file', async () => {
    const later = files
      .slice(1)
      .map((file) => ({ file, add: (folder: string) => copyFileSync(join(real, file), join(folder, file)) }))
    assert.deepEqual(await heavyChanges(later), [])
  })

  it('are caught when they do', async () => {
    const named = heavy.map(([table, sql], index) => ({ table, sql, file: `${9000 + index}-planted.sql` }))
    const found = await heavyChanges(named.map(({ file, sql }) => planted(file, sql)))
    assert.deepEqual(
      found,
      named.map(({ file, table }) => `${file}: ${table}`),
    )
  })

  it('may change a hot table in a moment, and build an index of it online', async () => {
    const light = `alter table journal add column later bigint not null default 7;
      alter table members add column later text, add constraint planted check (account > 0) not valid;
      alter table details alter column metadata set default '';
      drop index details_actor;
      create table planted_table (realm integer primary key, seq bigint);
      create index planted on planted_table (realm, seq)`
    const online = 'create index concurrently journal_at on journal (realm, at_us);'
    const both = [planted('9000-light.sql', light), planted('9001-index.online.sql', online)]
    assert.deepEqual(await heavyChanges(both), [])
  })
})
