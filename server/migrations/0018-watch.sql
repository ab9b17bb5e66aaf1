-- oldest release that runs on this schema: 0.1.0

-- The process that reads the largest realms for /metrics.
insert into leases (name, holder, until) values
  ('watch', '00000000-0000-0000-0000-000000000000', '-infinity');

-- The realms with most entries. It reads the heads of all realms, which a scan does faster than an index: the
-- server's sessions turn scans off.
create function largest_realms(most integer) returns table (realm_id text, seq bigint)
  language sql stable security definer set search_path = exchequer set enable_seqscan = on as $$
  select s.realm_id, h.seq from (
    select x.realm, x.seq from exchequer.heads x where x.seq > 0 order by x.seq desc limit most) h
  cross join lateral (select t.realm_id from exchequer.settings t where t.realm = h.realm limit 1) s
  order by h.seq desc
$$;
revoke all on function largest_realms(integer) from public;
