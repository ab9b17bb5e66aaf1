-- oldest release that runs on this schema: 0.1.0

-- Webhooks. The journal is the queue: an endpoint has a position in it, and no row for each event.

-- The last numbers given in a realm. None is given twice: a threshold's number is part of event ids.
create table endpoint_heads (
  realm integer not null primary key,
  endpoint integer not null default 0,
  threshold integer not null default 0
);

-- secret and old_secret are encrypted. next_at is set while nothing is sent before that time, after a
-- failure. lease is the process that delivers now; a change of the endpoint takes it away.
create table endpoints (
  realm integer not null,
  number integer not null,
  url text not null,
  types text[],
  description text,
  ordered boolean not null,
  include_details boolean not null,
  parallel smallint not null,
  state text not null default 'active',
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  attempt integer not null default 0,
  next_at timestamptz,
  blocked_track text,
  blocked_event text,
  disabled_at timestamptz,
  disabled_why text,
  logged bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  lease uuid,
  leased_until timestamptz not null default '-infinity',
  primary key (realm, number),
  constraint endpoints_state check (state in ('active', 'waiting', 'disabled')),
  constraint endpoints_parallel check (parallel between 1 and 64)
) with (fillfactor = 50);

-- How far an endpoint is: `live` in the journal, `notices` in the notices, `replay` in the journal while a
-- replay runs. All events up to `seq` are sent or parked, and `step` events of the entry after it. `previous`
-- is the last event of the endpoint's selection; a replay ends before `until`.
create table tracks (
  realm integer not null,
  endpoint integer not null,
  track text not null,
  seq bigint not null,
  step smallint not null default 0,
  previous bigint,
  from_seq bigint not null,
  until bigint,
  primary key (realm, endpoint, track),
  constraint tracks_track check (track in ('live', 'notices', 'replay'))
) with (fillfactor = 50);

-- Events whose delivery failed, each to be tried again at next_at.
create table parked (
  realm integer not null,
  endpoint integer not null,
  track text not null,
  event text not null,
  seq bigint not null,
  previous bigint,
  attempt integer not null,
  next_at timestamptz not null,
  primary key (realm, endpoint, track, event)
);
create index parked_next on parked (realm, endpoint, next_at);

-- Attempts of the last seven days, the last 1,000 of each endpoint.
create table deliveries (
  realm integer not null,
  endpoint integer not null,
  n bigint not null,
  event text not null,
  type text not null,
  replay boolean not null,
  at timestamptz not null,
  attempt integer not null,
  status smallint,
  duration_ms integer not null,
  error text,
  answer text,
  primary key (realm, endpoint, n)
);
create index deliveries_by_age on deliveries (at);

-- Balances whose crossing is an event. A row is never changed, except for its end: it counts for the entries
-- after from_seq up to to_seq, so that a replay finds the same events.
create table thresholds (
  realm integer not null,
  number integer not null,
  endpoint integer not null,
  point smallint not null,
  tokens bigint not null,
  from_seq bigint not null,
  to_seq bigint,
  primary key (realm, number),
  constraint thresholds_tokens check (tokens > 0)
);
create index thresholds_of_endpoint on thresholds (realm, endpoint);

-- Events that are not in the journal, numbered in the transaction that causes them. `mark` is a random part
-- of the event's id.
create table notice_heads (
  realm integer not null primary key,
  n bigint not null
);
create table notices (
  realm integer not null,
  n bigint not null,
  mark text not null,
  after_seq bigint not null,
  type text not null,
  account integer,
  data text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (realm, n)
);
create index notices_by_age on notices (at);

create policy bound on endpoint_heads using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on endpoints using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on tracks using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on parked using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on deliveries using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on thresholds using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on notice_heads using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on notices using (realm + 0 = any ((select bound_realms())::integer[]));

alter table endpoint_heads enable row level security;
alter table endpoints enable row level security;
alter table tracks enable row level security;
alter table parked enable row level security;
alter table deliveries enable row level security;
alter table thresholds enable row level security;
alter table notice_heads enable row level security;
alter table notices enable row level security;

-- Endpoints of all realms that have something to send and that no process serves: a question that no single
-- realm can answer. The one that was served longest ago comes first.
create function due_endpoints(at_time timestamptz, most integer) returns table (realm integer, number integer)
  language sql stable security definer set search_path = exchequer as $$
  select e.realm, e.number from exchequer.endpoints e
  where e.state <> 'disabled' and e.leased_until <= statement_timestamp()
    and coalesce(e.next_at, '-infinity') <= at_time
    and (exists (select from exchequer.tracks t where t.realm = e.realm and t.endpoint = e.number
        and t.seq < case t.track
          when 'live' then (select h.seq from exchequer.heads h where h.realm = t.realm)
          when 'notices' then (select h.n from exchequer.notice_heads h where h.realm = t.realm)
          else t.until end)
      or exists (select from exchequer.parked p where p.realm = e.realm and p.endpoint = e.number
        and (p.next_at <= at_time or e.state = 'waiting')))
  order by e.leased_until limit most
$$;
revoke all on function due_endpoints(timestamptz, integer) from public;

-- Deletes what has been kept long enough, in all realms: `most` rows of each table. Notices go when every
-- endpoint has sent them.
create function trim_deliveries(most integer) returns integer
  language plpgsql security definer set search_path = exchequer as $$
declare
  logged integer;
  noted integer;
begin
  delete from deliveries where ctid = any (array(
    select ctid from deliveries where at < now() - interval '7 days' order by at limit most));
  get diagnostics logged = row_count;
  delete from notices where ctid = any (array(
    select o.ctid from notices o
    where o.at < now() - interval '35 days' or (o.at < now() - interval '1 hour'
      and not exists (select from tracks t
        where t.realm = o.realm and t.track = 'notices' and t.seq < o.n)
      and not exists (select from parked p
        where p.realm = o.realm and p.track = 'notices' and p.seq = o.n))
    order by o.at limit most));
  get diagnostics noted = row_count;
  return greatest(logged, noted);
end $$;
revoke all on function trim_deliveries(integer) from public;

-- One process of all does it.
insert into leases (name, holder, until)
  values ('deliveries', '00000000-0000-0000-0000-000000000000', '-infinity');
