-- oldest release that runs on this schema: 0.1.0

-- The directory of cells: what processes of other cells need of it. docs/decisions/0039-cells.md

-- People of a realm have numbers among its keys. Keys get theirs in the realm's cell; where there is more
-- than one cell, people get theirs here, in a range that keys never reach.
alter table realms add column next_person integer not null default 1073741824;

-- A realm whose creation in its cell is not confirmed yet.
create index realms_unmade on realms (cell, placed_at) where to_cell = cell;

update realms r set name = s.name from settings s where s.realm = r.realm;

-- The heads of this database, for a process that compares them with the directory before it serves.
create function own_heads(after_realm integer, most integer) returns table (realm integer, place integer)
  language sql stable security definer set search_path = exchequer, pg_catalog as $$
  select h.realm, h.place from heads h where h.realm > after_realm order by h.realm limit most
$$;
revoke all on function own_heads(integer, integer) from public;

-- Deletes heads of realms that the directory places elsewhere, and records that they have left, so that their
-- rows can be deleted; returns the heads as they were.
create function drop_heads(of_realms integer[], of_places integer[], to_cells smallint[])
  returns table (realm integer, seq bigint, hash bytea)
  language sql security definer set search_path = exchequer, pg_catalog as $$
  with gone as (
    delete from heads h using unnest(of_realms, of_places, to_cells) as g (realm, place, to_cell)
    where h.realm = g.realm and h.place = g.place
    returning h.realm, h.place, g.to_cell, h.seq, h.hash, to_jsonb(h) as head),
  recorded as (
    insert into departed (realm, place, to_cell, seq, hash, head)
    select g.realm, g.place, g.to_cell, g.seq, g.hash, g.head from gone g
    on conflict (realm) do update set place = excluded.place, to_cell = excluded.to_cell,
      seq = excluded.seq, hash = excluded.hash, head = excluded.head, departed_at = clock_timestamp(),
      purge_began_at = null, purged_at = null)
  select g.realm, g.seq, g.hash from gone g
$$;
revoke all on function drop_heads(integer[], integer[], smallint[]) from public;

-- Deletes a realm from the directory whose creation was cut off, so that its id is free again. A repeated
-- creation renews placed_at, so it is never deleted under one.
create function forget_unmade(of_realm integer) returns boolean
  language sql security definer set search_path = exchequer, pg_catalog as $$
  with gone as (
    delete from realms r where r.realm = of_realm and r.to_cell = r.cell and r.place = 1
      and r.placed_at < clock_timestamp() - interval '1 hour' returning 1)
  select exists (select from gone)
$$;
revoke all on function forget_unmade(integer) from public;
