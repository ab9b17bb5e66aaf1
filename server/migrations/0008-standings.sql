-- oldest release that runs on this schema: 0.1.0

-- Standings: what the journal tells by day and by member, folded off the write path. All of it can be made
-- anew from the journal, and is equal then. docs/decisions/0017-standings.md has the reasons.

-- How far a realm's journal is folded, and in which time zone its days are. Whoever folds holds this row. A
-- fold from entry 1 is a new build; rows of older ones are swept away in small pieces.
create table standings (
  realm integer primary key,
  seq bigint not null default 0,
  time_zone text not null,
  build integer not null default 1,
  swept integer not null default 1
) with (fillfactor = 25);

-- Days are numbered from 1970-01-01, in the realm's time zone. Sums have no bound: a balance has one, but
-- what goes in and out of it in a day has none. seq is the last entry of the page that last changed the row.
create table gains (
  realm integer not null,
  build integer not null,
  point smallint not null,
  day integer not null,
  account integer not null,
  gained numeric not null,
  seq bigint not null,
  primary key (realm, build, point, day, account)
) with (fillfactor = 70);

create table daily (
  realm integer not null,
  build integer not null,
  day integer not null,
  point smallint not null,
  kind smallint not null,
  entries bigint not null,
  amount numeric not null,
  primary key (realm, build, day, point, kind)
) with (fillfactor = 25);

create table supply (
  realm integer not null,
  build integer not null,
  point smallint not null,
  issued numeric not null,
  spent numeric not null,
  held numeric not null,
  primary key (realm, build, point)
) with (fillfactor = 25);

-- The day that each member was last active.
create table activity (
  realm integer not null,
  build integer not null,
  account integer not null,
  day integer not null,
  primary key (realm, build, account)
) with (fillfactor = 70);

-- Members active on each day, and those that it was the last one of: so whoever was active in the last so
-- many days is a sum of as many rows.
create table active_days (
  realm integer not null,
  build integer not null,
  day integer not null,
  active bigint not null,
  latest bigint not null,
  primary key (realm, build, day)
) with (fillfactor = 25);

-- Accounts of members that were removed: they are counted no more, and stand on no board.
create table departures (
  realm integer not null,
  account integer not null,
  primary key (realm, account)
);
create function keep_departures() returns trigger language plpgsql as $$
begin
  insert into exchequer.departures (realm, account) select realm, account from gone on conflict do nothing;
  return null;
end $$;
create trigger members_departures after delete on members referencing old table as gone
  for each statement execute function keep_departures();

create index members_hidden on members (realm, account) where hidden;

create policy bound on standings using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on gains using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on daily using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on supply using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on activity using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on active_days using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on departures using (realm + 0 = any ((select bound_realms())::integer[]));

alter table standings enable row level security;
alter table gains enable row level security;
alter table daily enable row level security;
alter table supply enable row level security;
alter table activity enable row level security;
alter table active_days enable row level security;
alter table departures enable row level security;
