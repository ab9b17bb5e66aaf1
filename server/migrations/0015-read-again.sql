-- oldest release that runs on this schema: 0.1.0

-- A lease has a number: whoever lost it writes nothing more. And when a reading began, so that new wallets
-- do not have a chain read again and again.
alter table readings
  add column lease integer not null default 0,
  add column begun_at timestamptz not null default '-infinity';

-- When the block was made that a collection was read at: a node that stands still tells an old one.
alter table collections add column block_at timestamptz;

-- In a tree a wallet has one leaf. A contract pays a wallet once.
create unique index snapshot_members_address on snapshot_members (realm, snapshot, address)
  where address is not null;
