-- oldest release that runs on this schema: 0.1.0

-- The directory: which realms exist, and which key opens which. Found before any realm is known, so these two
-- tables alone are not led by a realm. Everything below them is.

create table realms (
  realm integer generated always as identity primary key,
  id text not null,
  next_key integer not null default 1,
  created_at timestamptz not null default now(),
  constraint realms_id_unique unique (id),
  constraint realms_id_form check (id ~ '^[A-Za-z0-9_-]{1,64}$')
);

create table keys (
  realm integer not null references realms,
  number integer not null,
  secret_id text not null,
  hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (realm, number),
  constraint keys_hash_unique unique (hash),
  constraint keys_hash_length check (length(hash) = 32)
);

-- The head of a realm's journal. Every write locks this row first: it is the realm's order.
-- Updated in place all day, hence the fill factor and no second index.
create table heads (
  realm integer primary key,
  seq bigint not null default 0,
  hash bytea not null,
  at_us bigint not null default 0,
  next_account integer not null default 1,
  config_version integer not null default 1,
  constraint heads_hash_length check (length(hash) = 32)
) with (fillfactor = 25);

create table settings (
  realm integer primary key,
  realm_id text not null,
  name text not null,
  unknown_members text not null default 'refuse',
  default_point smallint not null,
  constraint settings_unknown_members check (unknown_members in ('refuse', 'create'))
);

create table points (
  realm integer not null,
  number smallint not null,
  id text not null,
  name text not null,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  primary key (realm, number),
  constraint points_id_unique unique (realm, id),
  constraint points_id_form check (id ~ '^([0-9a-fA-F]{24}|[A-Za-z][A-Za-z0-9_-]{0,63})$')
);

-- Account numbers are the realm's own, from 1; the journal knows a member by this number alone.
create table members (
  realm integer not null,
  account integer not null,
  id bigint not null,
  username text,
  display_name text,
  joined_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (realm, account),
  constraint members_id_unique unique (realm, id),
  constraint members_id_positive check (id > 0),
  constraint members_account_positive check (account > 0)
);

-- No index but the key: an update that changes no indexed column stays in its page (HOT).
create table balances (
  realm integer not null,
  account integer not null,
  point smallint not null,
  balance bigint not null,
  seq bigint not null,
  at_us bigint not null,
  primary key (realm, account, point),
  constraint balances_in_bounds check (balance between 0 and 9007199254740991)
) with (fillfactor = 70);

-- One row is a debit and a credit at once. Account 0 is the realm's issuance and has no balance.
-- request is the first half of sha256(Idempotency-Key): bounded, whatever the key's length.
create table journal (
  realm integer not null,
  key integer not null,
  seq bigint not null,
  at_us bigint not null,
  amount bigint not null,
  from_balance bigint,
  to_balance bigint,
  from_account integer not null,
  to_account integer not null,
  point smallint not null,
  kind smallint not null,
  encoding smallint not null,
  hash bytea not null,
  request uuid,
  fingerprint uuid,
  details_hash bytea,
  primary key (realm, seq),
  constraint journal_amount_positive check (amount > 0),
  constraint journal_two_accounts check (from_account <> to_account),
  constraint journal_request_whole check ((request is null) = (fingerprint is null)),
  constraint journal_hash_length check (length(hash) = 32)
);
create unique index journal_request_once on journal (realm, request) where request is not null;
create index journal_from on journal (realm, from_account, seq) where from_account > 0;
create index journal_to on journal (realm, to_account, seq) where to_account > 0;

-- What people wrote about an entry. The entry's hash covers sha256(salt || details), so these rows can be
-- erased and the chain still verifies.
create table details (
  realm integer not null,
  seq bigint not null,
  salt bytea not null,
  reason text,
  reference text,
  metadata text,
  actor_id bigint,
  primary key (realm, seq)
);

-- Refusals that answered a request with an Idempotency-Key, kept for a day. Entries keep their own.
create table refusals (
  realm integer not null,
  request uuid not null,
  fingerprint uuid not null,
  point text not null,
  status smallint not null,
  body text not null,
  until timestamptz not null,
  primary key (realm, request)
);
create index refusals_until on refusals (realm, until);

-- match is the form that a wallet is compared in: lower case for EVM, as it is for every other chain.
create table wallets (
  realm integer not null,
  match text not null,
  account integer not null,
  address text not null,
  chain text not null,
  linked_at timestamptz not null default now(),
  verified_at timestamptz,
  primary key (realm, match)
);
create index wallets_account on wallets (realm, account);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the journal is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;
create trigger journal_append_only before update or delete on journal
  for each row execute function refuse_change();
create trigger journal_never_truncated before truncate on journal
  for each statement execute function refuse_change();

-- A pipelined write learns its row counts only after the COMMIT behind it. This makes a wrong count fail
-- before.
create function expect_rows(wrote bigint, due bigint) returns void language plpgsql as $$
begin
  if wrote <> due then
    raise exception 'wrote % rows where % were due', wrote, due using errcode = 'data_corrupted';
  end if;
end $$;
