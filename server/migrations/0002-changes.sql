-- oldest release that runs on this schema: 0.1.0

-- The operator feed: which realms have new entries, in an order in which a reader misses none. Rows are
-- written only where OPERATOR_FEED is on, by the statement that moves a head, so that each realm has one row
-- in a transaction. A transaction's number is known before it commits: a reader goes only as far as no
-- earlier transaction is still open. docs/decisions/0035-the-operator-feed.md has the reasons.
create table changes (
  xid xid8 not null default pg_current_xact_id(),
  from_seq bigint not null,
  to_seq bigint not null,
  at timestamptz not null default now(),
  realm integer not null
);
-- The only index of its rows: they are read and deleted in this order alone.
create index changes_in_order on changes (xid, realm);

-- One row of realm 0: all rows up to its xid and the realm in from_seq may be deleted. A cursor before that
-- place would miss rows.
create unique index changes_deleted on changes (realm) where realm = 0;
insert into changes (realm, from_seq, to_seq) values (0, 0, 0);

create policy bound on changes using (realm + 0 = any ((select bound_realms())::integer[]));
alter table changes enable row level security;

-- The database's history, where its open transactions begin, and up to where rows are deleted. Another
-- primary has another timeline and a restored database another system: there the same xid is another
-- transaction. Both are empty where a managed service does not show them.
create function feed_state()
  returns table (system_id text, timeline text, horizon xid8, deleted_xid xid8, deleted_realm integer)
  language plpgsql stable security definer set search_path = exchequer as $$
begin
  system_id := '';
  timeline := '';
  begin
    select c.system_identifier::text into system_id from pg_control_system() c;
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when others then
  end;
  horizon := pg_snapshot_xmin(pg_current_snapshot());
  select d.xid, d.from_seq::integer into deleted_xid, deleted_realm
    from exchequer.changes d where d.realm = 0;
  return next;
end $$;
revoke all on function feed_state() from public;

-- Changes of all realms after a place, of transactions before which none is open: a question that no single
-- realm can answer.
create function changes_after(after_xid xid8, after_realm integer, most integer)
  returns table (xid xid8, realm integer, realm_id text, from_seq bigint, to_seq bigint)
  language sql stable security definer set search_path = exchequer as $$
  select c.xid, c.realm, r.id, c.from_seq, c.to_seq
  from exchequer.changes c join exchequer.realms r on r.realm = c.realm
  where (c.xid, c.realm) > (after_xid, after_realm) and c.xid < pg_snapshot_xmin(pg_current_snapshot())
  order by c.xid, c.realm limit most
$$;
revoke all on function changes_after(xid8, integer, integer) from public;

-- Deletes the oldest rows, `most` at once, and returns how many. Rows of transactions that a reader can't
-- see yet stay. A row from the future is of another history: it came with a dump.
create function trim_changes(keep interval, most integer) returns integer
  language plpgsql security definer set search_path = exchequer as $$
declare
  trimmed integer;
  last_xid xid8;
  last_realm integer;
begin
  delete from changes where ctid = any (array(
    select c.ctid from changes c where c.xid >= pg_snapshot_xmax(pg_current_snapshot()) and c.realm > 0
    order by c.xid limit most));
  update changes set xid = pg_current_xact_id(), from_seq = 0
    where realm = 0 and xid >= pg_snapshot_xmax(pg_current_snapshot());
  with old as (
    select o.place from (
      select c.ctid as place, c.at from changes c
      where c.realm > 0 and c.xid < pg_snapshot_xmin(pg_current_snapshot())
      order by c.xid, c.realm limit most) o
    where o.at < now() - keep),
  gone as (delete from changes c where c.ctid = any (array(select place from old)) returning c.xid, c.realm)
  select count(*) over (), g.xid, g.realm into trimmed, last_xid, last_realm
    from gone g order by g.xid desc, g.realm desc limit 1;
  if trimmed is null then
    return 0;
  end if;
  update changes set xid = last_xid, from_seq = last_realm
    where realm = 0 and (xid, from_seq) < (last_xid, last_realm);
  return trimmed;
end $$;
revoke all on function trim_changes(interval, integer) from public;

-- For a server without the feed: its entries are missing in it, so no cursor of before may be used again.
create function end_feed() returns void
  language sql security definer set search_path = exchequer as $$
  update exchequer.changes set xid = pg_current_xact_id(), from_seq = 2147483647 where realm = 0
$$;
revoke all on function end_feed() from public;

-- One process of all deletes rows.
insert into leases (name, holder, until)
  values ('changes', '00000000-0000-0000-0000-000000000000', '-infinity');
