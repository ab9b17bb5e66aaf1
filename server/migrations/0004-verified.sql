-- oldest release that runs on this schema: 0.1.0

-- How far the journal of a realm was verified: the next run replays the entries after `seq`, and one of 30
-- slices of those before it. `slice` counts the slices of this round; its slices so far replayed the
-- entries up to `entry`, and compared the stored balances of the accounts up to `account`. With wrong_at,
-- something was wrong: the next run replays everything. Not the signed checkpoints, of which none is
-- stored.
create table verified (
  realm integer not null primary key,
  seq bigint not null,
  hash bytea not null,
  verified_at timestamptz not null default clock_timestamp(),
  slice smallint not null,
  entry bigint not null,
  account integer not null,
  wrong_at timestamptz,
  constraint verified_hash_length check (length(hash) = 32),
  constraint verified_slice check (slice between 0 and 29)
) with (fillfactor = 70);

-- The last run of each shard, for runs that share the realms; of the installation, so that realm is 0.
create table verified_shards (
  realm integer not null,
  shards integer not null,
  shard integer not null,
  verified_at timestamptz not null,
  primary key (realm, shards, shard)
);

create policy bound on verified using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on verified_shards using (realm + 0 = any ((select bound_realms())::integer[]));
alter table verified enable row level security;
alter table verified_shards enable row level security;
