-- oldest release that runs on this schema: 0.1.0

-- Set while a realm can only be read. Part of its configuration, so a change of it gives the head a new
-- configuration version, and every process decides by it at once.
alter table settings add column suspended_at timestamptz, add column suspended_reason text;

-- What is left of a purged realm: its id, which no other realm gets, and the head of its journal, SEQ:HASH.
alter table realms add column purge_began_at timestamptz, add column purged_at timestamptz,
  add column purged_head text;

-- Whether rows of this realm may be deleted that are never deleted otherwise: within purge_piece alone, and
-- once the purge is recorded in the directory.
create function is_purging(of_realm integer) returns boolean language sql stable as $$
  select coalesce(current_setting('exchequer.purges', true), '') = of_realm::text and exists (
    select from exchequer.realms r
    where r.realm = of_realm and r.purge_began_at is not null and r.purged_at is null)
$$;

create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exchequer.is_purging(old.realm) then
      return old;
    end if;
  end if;
  raise exception 'the journal is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;

create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('exchequer.trims_audit', true) = 'on' and old.at < now() - interval '90 days' then
      return old;
    end if;
    if exchequer.is_purging(old.realm) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;

-- Every table with rows of realms, from the catalogue, so that a new one is purged too. Partitions are
-- reached through their table.
create function purge_tables() returns setof text
  language sql stable set search_path = exchequer, pg_catalog as $$
  select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname = 'realm' and not a.attisdropped and c.relname <> 'realms'
  order by 1
$$;

-- How many rows of a realm a table has, counted up to `most`.
create function purge_count(of_realm integer, of_table text, most integer) returns integer
  language plpgsql stable set search_path = exchequer as $$
declare
  found integer;
begin
  execute format('select count(*) from (select from %I where realm = $1 limit $2) f', of_table)
    into found using of_realm, most;
  return found;
end $$;

-- Deletes up to `most` rows of a realm, and returns how many. Only the owner of the schema can call it. By
-- realm and place: in a partitioned table a place alone is not unique. Where the second column of the primary
-- key is a whole number, it goes in that order from `first_key` on and returns the last one: from the start
-- of the index it would walk over all rows that were deleted before, until they are vacuumed.
create function purge_piece(of_realm integer, of_table text, most integer, first_key bigint,
    out deleted integer, out last_key bigint)
  language plpgsql set search_path = exchequer as $$
declare
  key text;
begin
  perform set_config('exchequer.purges', of_realm::text, true);
  if not is_purging(of_realm) then
    raise exception 'realm % is not being purged', of_realm using errcode = 'insufficient_privilege';
  end if;
  select a.attname into key from pg_index i
    join pg_attribute r on r.attrelid = i.indrelid and r.attnum = i.indkey[0] and r.attname = 'realm'
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[1]
    where i.indrelid = format('%I', of_table)::regclass and i.indisprimary
      and a.atttypid in ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype);
  if key is null then
    execute format('delete from %1$I where realm = $1 and ctid = any (array(
      select ctid from %1$I where realm = $1 limit $2))', of_table) using of_realm, most;
    get diagnostics deleted = row_count;
  else
    execute format('with piece as materialized (
        select ctid as place, %2$I::bigint as key from %1$I where realm = $1 and %2$I >= $3
        order by realm, %2$I limit $2),
      gone as (
        delete from %1$I where realm = $1 and ctid = any (array(select place from piece)) returning 1)
      select (select count(*) from gone)::integer, (select max(key) from piece)', of_table, key)
      into deleted, last_key using of_realm, most, coalesce(first_key, -9223372036854775808);
  end if;
  perform set_config('exchequer.purges', '', true);
end $$;
revoke all on function purge_tables() from public;
revoke all on function purge_count(integer, text, integer) from public;
revoke all on function purge_piece(integer, text, integer, bigint) from public;
