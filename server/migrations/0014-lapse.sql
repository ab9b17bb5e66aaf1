-- oldest release that runs on this schema: 0.1.0

-- Points that lapse: docs/decisions/0046-points-that-lapse.md has the reasons. A lot is an amount of points
-- that lapse on one day; `20850:60,20881:40` are two, soonest first, their days counted from 1970-01-01 in
-- the realm's time zone. Null where no rule ever gave the points of the type a day; hashed since encoding 3.
alter table journal add column lots text;
alter table balances add column lots text;
-- A member keeps its points for 24 hours after it is unfrozen.
alter table members add column unfrozen_at timestamptz;

create or replace view bound_journal as
  select * from journal where realm + 0 = any ((select bound_realms())::integer[]);

-- Each change of a point type's rule, never changed. It applies to the entries from from_seq on. Undated
-- points count as issued on base_day; nothing lapses before not_before. rule is null where it was removed.
create table lapse_rules (
  realm integer not null,
  point smallint not null,
  number integer not null,
  from_seq bigint not null,
  base_day integer not null,
  not_before integer,
  time_zone text not null default 'UTC',
  rule text,
  at timestamptz not null default clock_timestamp(),
  primary key (realm, point, number)
);
create policy bound on lapse_rules using (realm + 0 = any ((select bound_realms())::integer[]));
alter table lapse_rules enable row level security;

create function refuse_lapse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exchequer.is_purging(old.realm) then
      return old;
    end if;
  end if;
  raise exception 'the rules by which points lapse are append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;
create trigger lapse_rules_append_only before update or delete on lapse_rules
  for each row execute function refuse_lapse_change();
create trigger lapse_rules_never_truncated before truncate on lapse_rules
  for each statement execute function refuse_lapse_change();

-- How far the balances of a point type were searched for points that are due: once a day, from midnight in
-- the time zone of its rule. after_account and after_point are the last balance of the day's last page; day
-- is the last day that was searched to the end. due_at is null without a rule.
create table lapse_sweeps (
  realm integer not null,
  point smallint not null,
  due_at timestamptz,
  day integer not null default 0,
  after_account integer not null default 0,
  after_point smallint not null default 0,
  primary key (realm, point)
);
create index lapse_sweeps_due on lapse_sweeps (due_at) where due_at is not null;
create policy bound on lapse_sweeps using (realm + 0 = any ((select bound_realms())::integer[]));
alter table lapse_sweeps enable row level security;

-- Of all realms: a question that no single realm can answer. It returns only their numbers.
create function due_lapses(most integer) returns table (realm integer, point smallint)
  language sql stable security definer set search_path = exchequer as $$
  select s.realm, s.point from exchequer.lapse_sweeps s
  where s.due_at <= statement_timestamp()
    and exists (select from exchequer.heads h where h.realm = s.realm)
  order by s.due_at limit most
$$;
revoke all on function due_lapses(integer) from public;

insert into leases (name, holder, until)
  values ('lapse', '00000000-0000-0000-0000-000000000000', '-infinity');

-- Points that lapsed, apart from those that were spent.
alter table daily add column lapsed numeric not null default 0;
alter table supply add column lapsed numeric not null default 0;
