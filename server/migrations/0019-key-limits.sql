-- oldest release that runs on this schema: 0.1.0

-- The most points that a key may move in one change, and in one UTC day; null for no limit. A release before
-- this one does not look at them: docs/decisions/0052-key-limits.md
alter table keys add column max_per_change bigint, add column max_per_day bigint;

-- What a key with a limit per day has moved on the last day on which it moved any: the days since 1970-01-01,
-- in UTC. Read and written under the head lock, with the entries.
create table key_days (
  realm integer not null,
  key integer not null,
  day integer not null,
  moved bigint not null,
  primary key (realm, key)
);
create policy bound on key_days using (realm + 0 = any ((select bound_realms())::integer[]));
alter table key_days enable row level security;
