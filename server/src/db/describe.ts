import pg from 'pg'

/** Reads the schema back from the catalogue: the same text from PostgreSQL 15 and 18, without pg_dump. */

const queries = {
  columns: `select c.relname as owner, format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        case when a.attnotnull then ' not null' else '' end,
        case when a.attidentity <> '' then ' generated always as identity'
          when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'exchequer'::regnamespace
    order by c.relname, a.attnum`,
  constraints: `select c.relname as owner, 
      format('  constraint %s %s', k.conname, pg_get_constraintdef(k.oid)) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype <> 'n' and not c.relispartition and c.relnamespace = 'exchequer'::regnamespace
    order by c.relname, k.contype desc, k.conname`,
  options: `select relname as owner, array_to_string(reloptions, ', ') as line from pg_class
    where relkind = 'r' and relnamespace = 'exchequer'::regnamespace and reloptions is not null`,
  partitioned: `select relname as owner, ' partition by ' || pg_get_partkeydef(oid) as line from pg_class
    where relkind = 'p' and relnamespace = 'exchequer'::regnamespace`,
  /** Their columns, constraints, indexes and row triggers are those of the table that they are a part of. */
  partitions: `select p.relname as owner,
      format('create table %s partition of %s %s%s;', c.relname, p.relname,
        pg_get_expr(c.relpartbound, c.oid), ' with (' || array_to_string(c.reloptions, ', ') || ')') as line
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relispartition and c.relnamespace = 'exchequer'::regnamespace
    order by c.relname`,
  partitionTriggers: `select p.relname as owner, pg_get_triggerdef(t.oid) || ';' as line from pg_trigger t
    join pg_class c on c.oid = t.tgrelid join pg_inherits i on i.inhrelid = c.oid
    join pg_class p on p.oid = i.inhparent
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = 'exchequer'::regnamespace
    order by c.relname, t.tgname`,
  partitionSecurity: `select p.relname as owner,
      format('alter table %s enable row level security;', c.relname) as line
    from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
    where c.relrowsecurity and c.relnamespace = 'exchequer'::regnamespace order by c.relname`,
  unlogged: `select relname as owner, 'unlogged ' as line from pg_class
    where relkind = 'r' and relnamespace = 'exchequer'::regnamespace and relpersistence = 'u'`,
  indexes: `select t.relname as owner, pg_get_indexdef(i.indexrelid) || ';' as line
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where c.relnamespace = 'exchequer'::regnamespace and not t.relispartition and not exists
      (select from pg_constraint k where k.conindid = i.indexrelid) order by c.relname`,
  triggers: `select c.relname as owner, pg_get_triggerdef(t.oid) || ';' as line from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and not c.relispartition and c.relnamespace = 'exchequer'::regnamespace
    order by t.tgname`,
  rowSecurity: `select c.relname as owner,
      format('alter table %s enable row level security;', c.relname) as line
    from pg_class c where c.relrowsecurity and c.relnamespace = 'exchequer'::regnamespace`,
  policies: `select c.relname as owner, format('create policy %s on %s using (%s)%s;', p.polname, c.relname,
        pg_get_expr(p.polqual, p.polrelid),
        coalesce(' with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')) as line
    from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'exchequer'::regnamespace order by c.relname, p.polname`,
  views: `select '' as owner, format('create view %s as%s%s', relname, e'\\n', pg_get_viewdef(oid)) as line
    from pg_class where relkind = 'v' and relnamespace = 'exchequer'::regnamespace order by relname`,
  functions: `select '' as owner, pg_get_functiondef(oid) || ';' as line from pg_proc
    where pronamespace = 'exchequer'::regnamespace order by proname`,
} as const

/** What follows a table, in this order. */
const following = [
  'indexes',
  'triggers',
  'rowSecurity',
  'policies',
  'partitions',
  'partitionTriggers',
  'partitionSecurity',
] as const

type Line = { readonly owner: string; readonly line: string }

export async function describeSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set search_path = exchequer')
    const found: Record<string, Line[]> = {}
    for (const [name, text] of Object.entries(queries)) found[name] = (await client.query<Line>(text)).rows
    return compose(found)
  } finally {
    await client.end()
  }
}

function compose(found: Readonly<Record<string, Line[]>>): string {
  const of = (kind: keyof typeof queries, owner: string) =>
    (found[kind] ?? []).filter((line) => line.owner === owner).map((line) => line.line)
  const tables = [...new Set((found['columns'] ?? []).map((line) => line.owner))]
  const blocks = tables.map((table) => {
    const [options] = of('options', table)
    const lines = [...of('columns', table), ...of('constraints', table)].join(',\n')
    const [unlogged = ''] = of('unlogged', table)
    const [parts = ''] = of('partitioned', table)
    const stored = options ? ` with (${options})` : ''
    const made = `create ${unlogged}table ${table} (\n${lines}\n)${parts}${stored};`
    const others = following.flatMap((kind) => of(kind, table))
    return [made, ...others].join('\n')
  })
  const header =
    '-- Generated from the migrations by npm run gen: the current schema. Nothing runs this file.'
  return `${[header, ...blocks, ...of('views', ''), ...of('functions', '')].join('\n\n')}\n`
}
