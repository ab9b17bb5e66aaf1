-- oldest release that runs on this schema: 0.1.0

-- The move of a realm to another cell. docs/decisions/0041-the-move.md has the reasons.

-- A large realm's journal and details up to the entry copied_to are copied before the replication begins,
-- which has only what is after them. So their details can't be erased until the realm has moved.
create table moving (
  realm integer primary key,
  place integer not null,
  copied_to bigint not null
);
create policy bound on moving using (realm + 0 = any ((select bound_realms())::integer[]));
alter table moving enable row level security;

create function refuse_while_moving() returns trigger language plpgsql as $$
begin
  if exists (select from exchequer.moving m where m.realm = old.realm and m.copied_to >= old.seq)
    and not exchequer.is_purging(old.realm) then
    raise exception 'realm % is moving to another cell; try again later', old.realm
      using errcode = 'lock_not_available';
  end if;
  return old;
end $$;
create trigger details_while_moving before delete on details
  for each row execute function refuse_while_moving();

-- As before, and in two more cases, each only without a head: the realm has left, and what is left here is
-- deleted; or its arrival was cancelled, and no other has begun.
create or replace function is_purging(of_realm integer) returns boolean language sql stable as $$
  select coalesce(current_setting('exchequer.purges', true), '') = of_realm::text and (
    exists (select from exchequer.realms r
      where r.realm = of_realm and r.purge_began_at is not null and r.purged_at is null)
    or not exists (select from exchequer.heads h where h.realm = of_realm) and (
      exists (select from exchequer.departed d
        where d.realm = of_realm and d.purge_began_at is not null and d.purged_at is null)
      or exists (select from exchequer.arrivals a where a.realm = of_realm and a.state = 'cancelled'
        and not exists (select from exchequer.arrivals n where n.realm = of_realm and n.place > a.place))))
$$;

-- As before, without what records where realms are and were: a mover that was stopped for long reads there
-- that its move has ended.
create or replace function purge_tables() returns setof text
  language sql stable set search_path = exchequer, pg_catalog as $$
  select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname = 'realm' and not a.attisdropped
    and c.relname not in ('realms', 'moves', 'departed', 'arrivals')
  order by 1
$$;
