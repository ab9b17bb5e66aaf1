-- oldest release that runs on this schema: 0.1.0

-- Snapshots: what members had of a kind of points at an entry, by proved wallet, as a Merkle tree. Of a
-- claimable one the points were taken, by the entries from first_seq to seq. docs/claim.md tells the whole
-- of it.
create table snapshots (
  realm integer not null,
  id text not null,
  point smallint not null,
  chain text not null,
  seq bigint not null,
  hash bytea not null,
  first_seq bigint,
  taken_at timestamptz not null default clock_timestamp(),
  -- Who is in the tree, and who stands apart: without a proved wallet, or frozen.
  members integer not null,
  tokens numeric not null,
  unproved integer not null,
  unproved_tokens numeric not null,
  frozen integer not null,
  frozen_tokens numeric not null,
  -- Its nodes, 32 bytes each, the root first; null until it is built.
  tree bytea,
  primary key (realm, id),
  constraint snapshots_id_form check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint snapshots_hash_length check (length(hash) = 32)
);
-- Not compressed, which hashes can't be: so that a part of it is read by itself.
alter table snapshots alter column tree set storage external;

create table snapshot_members (
  realm integer not null,
  snapshot text not null,
  account integer not null,
  amount bigint not null,
  frozen boolean not null,
  -- Null for a member without a proved wallet, and for one that is erased.
  address text,
  -- Of one that is erased, what the tree needs of it.
  leaf bytea,
  -- Which node of the tree it is; null until that is built.
  place integer,
  primary key (realm, snapshot, account)
);
create index snapshot_members_account on snapshot_members (realm, account);

create policy bound on snapshots using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on snapshot_members using (realm + 0 = any ((select bound_realms())::integer[]));
alter table snapshots enable row level security;
alter table snapshot_members enable row level security;

-- What was claimed of each kind of points: nothing before this.
alter table supply add column claimed numeric not null default 0;
