-- oldest release that runs on this schema: 0.1.0

-- Members that were merged: docs/decisions/0044-merges.md. A row is a merge, or the undoing of one, written
-- under the head lock together with its entries; rows are never deleted before the realm is. `moved` has
-- what went with the member, by key; an erasure empties it.
create table merges (
  realm integer not null,
  number integer not null,
  from_account integer not null,
  to_account integer not null,
  -- The journal's last entry then: its own last entry, if it has any.
  after_seq bigint not null,
  entries smallint not null,
  at timestamptz not null default clock_timestamp(),
  key integer not null,
  -- The merge that this one undoes.
  undoes integer,
  moved jsonb not null,
  primary key (realm, number),
  constraint merges_two_accounts check (from_account <> to_account)
);
create unique index merges_undoes on merges (realm, undoes) where undoes is not null;
create index merges_of_account on merges (realm, from_account);
create policy bound on merges using (realm + 0 = any ((select bound_realms())::integer[]));
alter table merges enable row level security;

-- For an old id of a member, `id:<digits>`: the account that had it. So one look-up finds the member that
-- an account was merged into, however often that one was merged itself.
alter table identities add column merged integer;
create unique index identities_merged on identities (realm, merged) where merged is not null;

-- The merge that a wallet came by; null for the member's own, which rank first.
alter table wallets add column merged integer;

-- The last merge that is folded.
alter table standings add column merged integer not null default 0;
