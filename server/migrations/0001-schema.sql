-- oldest release that runs on this schema: 0.1.0

-- The whole schema of the first release, from the directory of realms down to webhooks. Each table is
-- followed by its indexes, its policy, its triggers and the functions that use it. grants.sql has the
-- rights of the server's role. docs/journal.md explains entries and their hashes, ARCHITECTURE.md the rules
-- for tables.


-- Row-level security ----------------------------------------------------------------------------------

-- Within a transaction the server's role sees and writes only rows of the realms that the transaction has
-- bound (exchequer.realms), whatever a statement asks for. Unbound, it sees no row at all. Not forced, so
-- that the owner's dumps are complete. docs/decisions/0015-the-second-wall.md has the reasons.
--
-- Every table of a realm has the policy `bound`. It reads the setting in a sub-select, once for each
-- statement and not for each row. It compares realm + 0, so that it is never a condition of an index, which
-- would sort the bound realms again for every row that is looked up.
create function bound_realms() returns integer[] language sql stable parallel safe as $$
  -- Empty after a transaction that had bound some, null before the first.
  select nullif(current_setting('exchequer.realms', true), '')::integer[]
$$;


-- The directory: realms, keys and people --------------------------------------------------------------

-- These are found before any realm is known, so they alone are not led by a realm.

-- rate is the most requests per second, burst the most at once. Null is the limit that applies to all
-- realms; a rate of 0 is no limit. They are read together with the key, before a realm is bound.
create table realms (
  realm integer generated always as identity primary key,
  id text not null,
  next_key integer not null default 1,
  created_at timestamptz not null default now(),
  rate integer,
  burst integer,
  constraint realms_id_unique unique (id),
  constraint realms_id_form check (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint realms_rate_whole
    check (rate >= 0 and (rate is null) = (burst is null) and (rate = 0) = (burst = 0))
);

-- Without scopes a key may do what the five v4 endpoints do. changed_at is when anything that servers cache
-- of it was last changed. made_by says in words who created it; made_by_person is the person who created
-- it, or who issued the key that created it.
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
  scopes text[],
  expires_at timestamptz,
  last_used_at timestamptz,
  changed_at timestamptz not null default now(),
  rate integer,
  burst integer,
  made_by text,
  made_by_person integer,
  primary key (realm, number),
  constraint keys_hash_unique unique (hash),
  constraint keys_hash_length check (length(hash) = 32),
  constraint keys_rate_whole
    check (rate >= 0 and (rate is null) = (burst is null) and (rate = 0) = (burst = 0))
);
create index keys_revoked on keys (revoked_at) where revoked_at is not null;
-- Servers ask every moment which keys of all realms were changed. No server caches a key that was only
-- issued, so it is not in this index.
create index keys_news on keys (changed_at) where changed_at > created_at;
-- The live ones are listed whole, however many were revoked.
create index keys_live on keys (realm, number) where revoked_at is null;
create index keys_of_maker on keys (made_by_person, realm) where made_by_person is not null;

-- A check value for each secret of KEY_SECRETS, by its id: a process with another secret under the same id
-- detects it before it issues keys that no other process accepts.
create table key_secrets (
  id text primary key,
  value text not null
);

-- Tokens for the operator's API, besides the token of the configuration.
create table operator_tokens (
  number integer generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  changed_at timestamptz not null default now(),
  made_by text,
  made_by_person integer,
  constraint operator_tokens_hash_unique unique (hash),
  constraint operator_tokens_hash_length check (length(hash) = 32)
);
create index operator_tokens_news on operator_tokens (changed_at) where changed_at > created_at;
create index operator_tokens_live on operator_tokens (number) where revoked_at is null;
create index operator_tokens_of_maker on operator_tokens (made_by_person) where made_by_person is not null;

-- People sign in to the console: with an OpenID provider (issuer and subject), or with links alone. An
-- erased person has neither, and no name. docs/decisions/0019-people-sign-in.md has the reasons.
create table people (
  person integer generated always as identity primary key,
  name text,
  email text,
  issuer text,
  subject text,
  operator boolean not null default false,
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  constraint people_identity_unique unique (issuer, subject),
  constraint people_identity_whole check ((issuer is null) = (subject is null))
);
create index people_operators on people (person) where operator;

-- A person's role in a realm. key is one of the realm's key numbers: the journal names a person by it, so
-- no name is ever hashed. The row stays when the role is taken away (null), as entries still name it. An
-- operator who enters a realm has a row without a role. seen_at is when the person was last in this realm:
-- an owner learns nothing of what people do in others.
create table roles (
  realm integer not null references realms,
  person integer not null references people,
  key integer not null,
  role text,
  added_at timestamptz not null default now(),
  seen_at timestamptz,
  primary key (realm, person),
  constraint roles_key_unique unique (realm, key),
  constraint roles_role check (role in ('owner', 'manager', 'viewer'))
);
create index roles_person on roles (person, realm) where role is not null;
create index roles_of_person on roles (person, realm);

create table sessions (
  session bigint generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  person integer not null references people,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint sessions_hash_unique unique (hash),
  constraint sessions_hash_length check (length(hash) = 32)
);
create index sessions_person on sessions (person) where ended_at is null;
create index sessions_expires on sessions (expires_at);

-- Session tokens; one without a realm is an operator's. changed_at is when anything that servers cache of
-- one was changed: they ask for it every moment.
create table session_keys (
  number bigint generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  session bigint not null references sessions on delete cascade,
  realm integer references realms,
  expires_at timestamptz not null,
  ended_at timestamptz,
  changed_at timestamptz,
  constraint session_keys_hash_unique unique (hash),
  constraint session_keys_hash_length check (length(hash) = 32)
);
create index session_keys_session on session_keys (session);
create index session_keys_changed on session_keys (changed_at) where changed_at is not null;
create index session_keys_expires on session_keys (expires_at);

-- One-time links: for a new person in a realm or among the operators (no realm), or for a person to sign in
-- again. A used one is deleted. declined_at is when the person with this address declined: the realm that
-- invited them still sees an open invitation, so that it does not learn whether the address signs in here.
create table invitations (
  number bigint generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  realm integer references realms,
  person integer references people,
  role text,
  name text not null,
  email text,
  made_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  made_by_person integer,
  declined_at timestamptz,
  constraint invitations_hash_unique unique (hash),
  constraint invitations_hash_length check (length(hash) = 32),
  constraint invitations_role check (role in ('owner', 'manager', 'viewer'))
);
create index invitations_realm on invitations (realm, number);
create index invitations_email on invitations (lower(email)) where email is not null;
create index invitations_person on invitations (person) where person is not null;
create index invitations_expires on invitations (expires_at);
create index invitations_of_maker on invitations (made_by_person) where made_by_person is not null;

-- Work that one process of all does. The process that has it renews it before `until`.
create table leases (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);
insert into leases (name, holder, until)
  select name, '00000000-0000-0000-0000-000000000000', '-infinity'
  from unnest(array['expiry', 'audit', 'deliveries']) name;

-- What each process has used of a busy rate limit, shared with the others twice a second; key 0 is the
-- realm's own limit. Unlogged: it is valid for a moment only, so it costs no WAL, waits for no standby, and
-- may be lost. Processes share it for all realms at once, so it has no policy.
create unlogged table rates (
  realm integer not null,
  key integer not null,
  process uuid not null,
  spent double precision not null,
  asked double precision not null,
  level double precision not null,
  at timestamptz not null,
  primary key (realm, key, process)
) with (fillfactor = 50);


-- A realm: its head, settings and point types ---------------------------------------------------------

-- The head of a realm's journal. Every write locks this row first, which orders the realm's writes. Updated
-- in place all day, hence the fill factor and no second index.
create table heads (
  realm integer primary key,
  seq bigint not null default 0,
  hash bytea not null,
  at_us bigint not null default 0,
  next_account integer not null default 1,
  config_version integer not null default 1,
  constraint heads_hash_length check (length(hash) = 32)
) with (fillfactor = 25);
create policy bound on heads using (realm + 0 = any ((select bound_realms())::integer[]));
alter table heads enable row level security;

-- A pipelined write gets its row counts only after the COMMIT behind it. This makes a wrong count fail
-- before. A wrong count is an optimistic write that lost, which happens every day, so it has a code of its
-- own: class XX means corruption, which pages operators.
create function expect_rows(wrote bigint, due bigint) returns void language plpgsql as $$
begin
  if wrote <> due then
    raise exception 'wrote % rows where % were due', wrote, due using errcode = 'EX001';
  end if;
end $$;

-- public_board: anyone may read the realm's leaderboard, without a key.
create table settings (
  realm integer primary key,
  realm_id text not null,
  name text not null,
  unknown_members text not null default 'refuse',
  default_point smallint not null,
  logo text,
  colours text,
  time_zone text not null default 'UTC',
  public_board boolean not null default false,
  constraint settings_unknown_members check (unknown_members in ('refuse', 'create'))
);
create index settings_public on settings (realm) where public_board;
create policy bound on settings using (realm + 0 = any ((select bound_realms())::integer[]));
alter table settings enable row level security;

-- The ids of all realms with a public board: a request for any other id costs the database nothing.
create function public_boards(most integer) returns table (id text)
  language sql stable security definer set search_path = exchequer as $$
  select r.id from (select s.realm from exchequer.settings s where s.public_board
    order by s.realm limit most) b
  cross join lateral (select x.id from exchequer.realms x where x.realm = b.realm limit 1) r
$$;
revoke all on function public_boards(integer) from public;

create table points (
  realm integer not null,
  number smallint not null,
  id text not null,
  name text not null,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  emoji text,
  max_balance bigint,
  max_per_transfer bigint,
  max_per_day bigint,
  transferable boolean not null default true,
  primary key (realm, number),
  constraint points_id_unique unique (realm, id),
  constraint points_id_form check (id ~ '^([0-9a-fA-F]{24}|[A-Za-z][A-Za-z0-9_-]{0,63})$'),
  constraint points_max_balance check (max_balance between 1 and 9007199254740991),
  constraint points_max_per_transfer check (max_per_transfer between 1 and 9007199254740991),
  constraint points_max_per_day check (max_per_day between 1 and 9007199254740991)
);
create policy bound on points using (realm + 0 = any ((select bound_realms())::integer[]));
alter table points enable row level security;


-- Members and balances --------------------------------------------------------------------------------

-- Account numbers are the realm's own, from 1; the journal names a member by this number alone. A member
-- with frozen_at spends nothing. hidden: not on leaderboards.
create table members (
  realm integer not null,
  account integer not null,
  id bigint not null,
  username text,
  display_name text,
  joined_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  metadata text,
  note text,
  frozen_at timestamptz,
  hidden boolean not null default false,
  primary key (realm, account),
  constraint members_id_unique unique (realm, id),
  constraint members_id_positive check (id > 0),
  constraint members_account_positive check (account > 0)
);
-- For names by their prefix. Members that bots created have none, and cost nothing here.
create index members_username on members (realm, lower(username) collate "C", account)
  where username is not null;
create index members_display_name on members (realm, lower(display_name) collate "C", account)
  where display_name is not null;
create index members_hidden on members (realm, account) where hidden;
create policy bound on members using (realm + 0 = any ((select bound_realms())::integer[]));
alter table members enable row level security;

-- Members by the prefix of a name. Where a policy applies, PostgreSQL uses only functions that leak nothing
-- as a condition of an index; lower() is not marked as such, and each search would read the whole realm.
-- This view has the same condition as the policy, and is looked up by index. Only for reading.
create view bound_members as
  select realm, account, id, username, display_name from members
  where realm + 0 = any ((select bound_realms())::integer[]);

-- Accounts of removed members: they are no longer counted, and are on no leaderboard.
create table departures (
  realm integer not null,
  account integer not null,
  primary key (realm, account)
);
create policy bound on departures using (realm + 0 = any ((select bound_realms())::integer[]));
alter table departures enable row level security;

create function keep_departures() returns trigger language plpgsql as $$
begin
  insert into exchequer.departures (realm, account) select realm, account from gone on conflict do nothing;
  return null;
end $$;
create trigger members_departures after delete on members referencing old table as gone
  for each statement execute function keep_departures();

-- No index but the key: an update that changes no indexed column stays in its page (HOT). A member's held
-- points are on the account with the negated number.
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
create policy bound on balances using (realm + 0 = any ((select bound_realms())::integer[]));
alter table balances enable row level security;


-- The journal -----------------------------------------------------------------------------------------

-- One row is a debit and a credit at once. Account 0 is the realm's issuance and has no balance. request is
-- the first half of sha256(Idempotency-Key): 16 bytes, whatever the key's length. link is another entry
-- that this one is about: the one that a reversal undoes, the hold that a capture or a release ends, the
-- first entry of a batch; hashed since encoding 2.
--
-- 16 partitions by realm: an index is built, a table vacuumed and frozen in sixteenths. Every unique index
-- begins with the realm, so it holds for the whole journal.
-- docs/decisions/0038-partitions-and-online-migrations.md
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
  link bigint,
  primary key (realm, seq),
  constraint journal_amount_positive check (amount > 0),
  constraint journal_two_accounts check (from_account <> to_account),
  constraint journal_request_whole check ((request is null) = (fingerprint is null)),
  constraint journal_hash_length check (length(hash) = 32)
) partition by hash (realm);
create unique index journal_request_once on journal (realm, request) where request is not null;
create unique index journal_reversed_once on journal (realm, link) where kind = 3;
create index journal_from on journal (realm, from_account, seq) where from_account > 0;
create index journal_to on journal (realm, to_account, seq) where to_account > 0;
create index journal_from_held on journal (realm, from_account, seq) where from_account < 0;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the journal is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;
create trigger journal_append_only before update or delete on journal
  for each row execute function refuse_change();
create trigger journal_never_truncated before truncate on journal
  for each statement execute function refuse_change();

-- The journal is written by COPY, which PostgreSQL rejects where row-level security applies. So the
-- server's role may not read it except through this view, and a trigger checks each row that it adds.
create view bound_journal as
  select * from journal where realm + 0 = any ((select bound_realms())::integer[]);

-- The realms that this role may add entries of; null for a role without row-level security, which is the
-- owner. Declared immutable though it reads a setting: PostgreSQL prepares a trigger's condition once for
-- each statement and partition, and computes there what is immutable. Used in no other place.
create function insertable_realms() returns integer[] language plpgsql immutable as $$
begin
  if not row_security_active('exchequer.heads'::regclass) then return null; end if;
  return coalesce(exchequer.bound_realms(), '{}');
end $$;
create function refuse_unbound() returns trigger language plpgsql as $$
begin
  raise exception 'an entry of a realm that is not bound' using errcode = 'insufficient_privilege';
end $$;
-- For each row and without a transition table, with which COPY would write a partitioned table row by row.
-- The function is called only for a row that it rejects.
create trigger journal_bound after insert on journal
  for each row when (new.realm <> all (insertable_realms())) execute function refuse_unbound();

-- The partitions. Row triggers and indexes are the journal's own; PostgreSQL does not add its statement
-- triggers to them. Row-level security without a policy: the server's role reaches a partition through the
-- journal only. Rows never change, so they are frozen at the first vacuum, which comes early.
do $$
declare
  leaf text;
  index record;
begin
  for n in 0..15 loop
    leaf := 'journal_' || to_char(n, 'FM00');
    execute format('create table %I partition of journal for values with (modulus 16, remainder %s)
      with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_freeze_min_age = 0)', leaf, n);
    execute format('alter table %I enable row level security', leaf);
    execute format('create trigger journal_never_truncated before truncate on %I
      for each statement execute function refuse_change()', leaf);
  end loop;
  -- journal_03_request_once is the part of journal_request_once in journal_03.
  for index in
    select i.inhrelid::regclass as was, replace(w.relname, 'journal_', l.relname || '_') as name
    from pg_inherits i join pg_class w on w.oid = i.inhparent join pg_index x on x.indexrelid = i.inhrelid
    join pg_class l on l.oid = x.indrelid
    where w.relnamespace = 'exchequer'::regnamespace and w.relkind = 'I' and not x.indisprimary
  loop
    execute format('alter index %s rename to %I', index.was, index.name);
  end loop;
end $$;

-- The last entry at or before a moment, 0 if there is none: time never goes back within a realm, so it is
-- found by binary search. One statement and not one for each step, as each would choose its partition again.
create function seq_at(of_realm integer, moment_us bigint) returns bigint language plpgsql stable as $$
begin
  return (
    with recursive search (low, high) as (
      select 0::bigint, coalesce((select h.seq from exchequer.heads h where h.realm = of_realm), 0)
      union all
      select case when j.at_us <= moment_us then s.middle else s.low end,
        case when j.at_us <= moment_us then s.high else s.middle - 1 end
      from (select low, high, (low + high + 1) / 2 as middle from search where low < high) s
      left join lateral (select at_us from exchequer.bound_journal
        where realm = of_realm and seq = s.middle limit 1) j on true)
    select low from search where low >= high limit 1);
end $$;

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
create index details_reference on details (realm, reference, seq) where reference is not null;
create index details_actor on details (realm, actor_id, seq) where actor_id is not null;
create policy bound on details using (realm + 0 = any ((select bound_realms())::integer[]));
alter table details enable row level security;

-- Entries of batches whose member was erased. The details of a batch are stored once, with its first entry,
-- and the other members still see them; a row here keeps them from being returned with the erased one's
-- entry.
create table erasures (
  realm integer not null,
  seq bigint not null,
  primary key (realm, seq)
);
create policy bound on erasures using (realm + 0 = any ((select bound_realms())::integer[]));
alter table erasures enable row level security;

-- Points that are reserved: seq is the entry that reserved them, ended_seq the first that released or
-- captured them. retry_us is when a hold is tried again that could not expire because its member's balance
-- can't rise.
create table holds (
  realm integer not null,
  seq bigint not null,
  account integer not null,
  point smallint not null,
  amount bigint not null,
  expires_us bigint not null,
  ended_seq bigint,
  retry_us bigint,
  primary key (realm, seq),
  constraint holds_amount_positive check (amount > 0)
);
create index holds_open on holds (realm, account, seq) where ended_seq is null;
create index holds_open_of_realm on holds (realm, seq) where ended_seq is null;
create index holds_due_next on holds (coalesce(retry_us, expires_us)) where ended_seq is null;
create policy bound on holds using (realm + 0 = any ((select bound_realms())::integer[]));
alter table holds enable row level security;

-- Holds of all realms that have expired: a question that no single realm can answer. It returns only their
-- numbers; they are ended through the realm's own journal. Realms take turns, so that one with many does
-- not keep the others waiting. It looks at both ends of what is due, the oldest and the newest: where
-- thousands of one realm became due at once, those of another are at one of the ends. The time is the
-- statement's, as clock_timestamp() can't be the condition of an index.
create function due_holds(most integer) returns table (realm integer, seq bigint)
  language sql stable security definer set search_path = exchequer as $$
  with due as (
    (select h.realm, h.seq, coalesce(h.retry_us, h.expires_us) as due_us from exchequer.holds h
      where h.ended_seq is null and coalesce(h.retry_us, h.expires_us)
        <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
      order by coalesce(h.retry_us, h.expires_us) limit 2000)
    union
    (select h.realm, h.seq, coalesce(h.retry_us, h.expires_us) from exchequer.holds h
      where h.ended_seq is null and coalesce(h.retry_us, h.expires_us)
        <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
      order by coalesce(h.retry_us, h.expires_us) desc limit 2000))
  select t.realm, t.seq from (
    select d.*, row_number() over (partition by d.realm order by d.due_us, d.seq) as turn from due d) t
  order by t.turn, t.due_us, t.realm limit most
$$;
revoke all on function due_holds(integer) from public;

-- Refusals of requests with an Idempotency-Key, kept for a day. Entries keep their own.
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
create policy bound on refusals using (realm + 0 = any ((select bound_realms())::integer[]));
alter table refusals enable row level security;

-- Requests with an Idempotency-Key that change no points: for a day they are executed once. Those that
-- change points are in the journal. status is null while a request runs; realm is 0 for operator routes.
create table requests (
  realm integer not null,
  request uuid not null,
  fingerprint uuid not null,
  -- The member in the request's path, so that the response is deleted when the member is erased.
  member bigint,
  status smallint,
  body text,
  until timestamptz not null,
  primary key (realm, request)
);
create index requests_until on requests (realm, until);
create index requests_member on requests (realm, member) where member is not null;
create policy bound on requests using (realm + 0 = any ((select bound_realms())::integer[]));
alter table requests enable row level security;


-- Wallets, their proofs, and the tokens that they hold ------------------------------------------------

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
create policy bound on wallets using (realm + 0 = any ((select bound_realms())::integer[]));
alter table wallets enable row level security;

-- Texts that were issued to be signed. Presenting one deletes its row, so it is used once. docs/web3.md
create table challenges (
  realm integer not null,
  nonce text not null,
  account integer not null,
  address text not null,
  chain text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (realm, nonce),
  constraint challenges_nonce_form check (nonce ~ '^[0-9a-f]{32}$')
);
create index challenges_account on challenges (realm, account, issued_at);
create index challenges_expired on challenges (realm, expires_at);
create policy bound on challenges using (realm + 0 = any ((select bound_realms())::integer[]));
alter table challenges enable row level security;

-- Links to the page where a member signs, by the hash of their secret part.
create table page_links (
  realm integer not null,
  hash bytea not null,
  account integer not null,
  return_url text,
  expires_at timestamptz not null,
  challenges integer not null default 0,
  used_at timestamptz,
  made_by_person integer,
  primary key (realm, hash),
  constraint page_links_hash_length check (length(hash) = 32)
);
create index page_links_account on page_links (realm, account);
create index page_links_expired on page_links (realm, expires_at);
create index page_links_of_maker on page_links (realm, made_by_person) where made_by_person is not null;
create policy bound on page_links using (realm + 0 = any ((select bound_realms())::integer[]));
alter table page_links enable row level security;

-- Who linked which wallet and when. Deleted with its member.
create table wallet_acts (
  realm integer not null,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  account integer not null,
  act text not null,
  address text not null,
  chain text not null,
  actor text not null,
  primary key (realm, id),
  constraint wallet_acts_act check (act in ('linked', 'proved', 'taken', 'unlinked'))
);
create index wallet_acts_account on wallet_acts (realm, account, at, id);
create policy bound on wallet_acts using (realm + 0 = any ((select bound_realms())::integer[]));
alter table wallet_acts enable row level security;

-- The collections that a realm reads, and the block at which all amounts of each were read. seen_at is from
-- before the wallets were listed. number is the collection's own within the realm, so that rows of holdings
-- are narrow. block_at is when the block was produced: a node that is stuck returns an old one.
create table collections (
  realm integer not null,
  number smallint not null,
  id text not null,
  name text not null,
  chain text not null,
  standard text not null,
  address text,
  token_id numeric,
  block bigint,
  block_hash text,
  seen_at timestamptz,
  failed_at timestamptz,
  block_at timestamptz,
  primary key (realm, number),
  constraint collections_id_unique unique (realm, id),
  constraint collections_standard check (standard in ('native', 'erc20', 'erc721', 'erc1155')),
  constraint collections_contract check ((address is null) = (standard = 'native')),
  constraint collections_token check ((token_id is not null) = (standard = 'erc1155'))
);
create policy bound on collections using (realm + 0 = any ((select bound_realms())::integer[]));
alter table collections enable row level security;

-- When a realm's chain is to be read. lease is a number: a process that has lost its lease writes nothing
-- more. begun_at is when a reading began, so that new wallets do not have a chain read again and again.
create table readings (
  realm integer not null,
  chain text not null,
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz not null default '-infinity',
  lease integer not null default 0,
  begun_at timestamptz not null default '-infinity',
  primary key (realm, chain)
);
create index readings_due on readings (due_at);
create policy bound on readings using (realm + 0 = any ((select bound_realms())::integer[]));
alter table readings enable row level security;

-- Chains of all realms that are due to be read: a question that no single realm can answer.
create function due_readings(of_chains text[], most integer) returns table (realm integer, chain text)
  language sql stable security definer set search_path = exchequer as $$
  select r.realm, r.chain from exchequer.readings r
  where r.due_at <= clock_timestamp() and r.leased_until <= clock_timestamp() and r.chain = any (of_chains)
  order by r.due_at limit most
$$;
revoke all on function due_readings(text[], integer) from public;

-- Token balances of wallets. No row means none, if the wallet was linked before the collection was read.
-- All of it can be read again.
create table holdings (
  realm integer not null,
  match text not null,
  collection smallint not null,
  amount numeric not null,
  primary key (realm, match, collection),
  constraint holdings_amount_positive check (amount > 0)
);
create index holdings_collection on holdings (realm, collection, match);
create policy bound on holdings using (realm + 0 = any ((select bound_realms())::integer[]));
alter table holdings enable row level security;

-- A wallet's holdings are deleted with its link.
create function forget_holdings() returns trigger language plpgsql as $$
begin
  delete from exchequer.holdings h using gone
    where h.realm = gone.realm and h.match = gone.match;
  return null;
end $$;
create trigger wallets_holdings after delete on wallets referencing old table as gone
  for each statement execute function forget_holdings();

-- Merkle snapshots: members' balances of a point type at an entry, by verified wallet. The points of a
-- claimable one were deducted by the entries from first_seq to seq. docs/claim.md
create table snapshots (
  realm integer not null,
  id text not null,
  point smallint not null,
  chain text not null,
  seq bigint not null,
  hash bytea not null,
  first_seq bigint,
  taken_at timestamptz not null default clock_timestamp(),
  -- Members in the tree, and those that are not: without a verified wallet, or frozen.
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
-- Hashes can't be compressed; stored without it, a part of the tree is read by itself.
alter table snapshots alter column tree set storage external;
create policy bound on snapshots using (realm + 0 = any ((select bound_realms())::integer[]));
alter table snapshots enable row level security;

create table snapshot_members (
  realm integer not null,
  snapshot text not null,
  account integer not null,
  amount bigint not null,
  frozen boolean not null,
  -- Null for a member without a verified wallet, and for an erased one.
  address text,
  -- What the tree needs of an erased member.
  leaf bytea,
  -- The number of its node in the tree; null until that is built.
  place integer,
  primary key (realm, snapshot, account)
);
create index snapshot_members_account on snapshot_members (realm, account);
-- A wallet has one leaf in a tree: a contract pays a wallet once.
create unique index snapshot_members_address on snapshot_members (realm, snapshot, address)
  where address is not null;
create policy bound on snapshot_members using (realm + 0 = any ((select bound_realms())::integer[]));
alter table snapshot_members enable row level security;


-- Leaderboards and statistics -------------------------------------------------------------------------

-- Projected from the journal, by day and by member, off the write path. All of it can be built again from
-- the journal, and is then equal. docs/decisions/0017-standings.md has the reasons.

-- How far a realm's journal is projected, and in which time zone its days are. The process that projects
-- locks this row. A projection from entry 1 is a new build; rows of older builds are deleted in small
-- pieces. form is the version of what a build contains: one of an older form is built again when it is next
-- read.
create table standings (
  realm integer primary key,
  seq bigint not null default 0,
  time_zone text not null,
  build integer not null default 1,
  swept integer not null default 1,
  form smallint not null default 1
) with (fillfactor = 25);
create policy bound on standings using (realm + 0 = any ((select bound_realms())::integer[]));
alter table standings enable row level security;

-- Days are numbered from 1970-01-01, in the realm's time zone. Sums are unbounded: a balance has a limit,
-- but what is added to and deducted from it in a day has none. seq is the last entry of the page that last
-- changed the row.
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
create policy bound on gains using (realm + 0 = any ((select bound_realms())::integer[]));
alter table gains enable row level security;

-- What was issued and spent on each day, and by how much the held points changed.
create table daily (
  realm integer not null,
  build integer not null,
  day integer not null,
  point smallint not null,
  kind smallint not null,
  entries bigint not null,
  amount numeric not null,
  issued numeric not null default 0,
  spent numeric not null default 0,
  held numeric not null default 0,
  primary key (realm, build, day, point, kind)
) with (fillfactor = 25);
create policy bound on daily using (realm + 0 = any ((select bound_realms())::integer[]));
alter table daily enable row level security;

create table supply (
  realm integer not null,
  build integer not null,
  point smallint not null,
  issued numeric not null,
  spent numeric not null,
  held numeric not null,
  claimed numeric not null default 0,
  primary key (realm, build, point)
) with (fillfactor = 25);
create policy bound on supply using (realm + 0 = any ((select bound_realms())::integer[]));
alter table supply enable row level security;

-- The day on which each member was last active.
create table activity (
  realm integer not null,
  build integer not null,
  account integer not null,
  day integer not null,
  primary key (realm, build, account)
) with (fillfactor = 70);
create policy bound on activity using (realm + 0 = any ((select bound_realms())::integer[]));
alter table activity enable row level security;

-- Members active on each day, and those for whom it was the last one: so the members that were active in
-- the last N days are a sum of N rows.
create table active_days (
  realm integer not null,
  build integer not null,
  day integer not null,
  active bigint not null,
  latest bigint not null,
  primary key (realm, build, day)
) with (fillfactor = 25);
create policy bound on active_days using (realm + 0 = any ((select bound_realms())::integer[]));
alter table active_days enable row level security;


-- The audit log ---------------------------------------------------------------------------------------

-- Who did what, when and from where. Written in the transaction that does it. Realm 0 is the installation.
-- person is the person who did it: the name is looked up when it is read, and can be erased.
create table audit (
  realm integer not null,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  subject text not null,
  address text,
  request_id text,
  person integer,
  primary key (realm, id)
);
create index audit_at on audit (realm, at, id);
-- The oldest rows of all realms, for retention.
create index audit_by_age on audit (at);
create policy bound on audit using (realm + 0 = any ((select bound_realms())::integer[]));
alter table audit enable row level security;

-- Append-only, except for rows that trim_audit deletes. It sets exchequer.trims_audit for itself alone.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('exchequer.trims_audit', true) = 'on' and old.at < now() - interval '90 days' then
      return old;
    end if;
  end if;
  raise exception 'the audit log is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;
create trigger audit_append_only before update or delete on audit
  for each row execute function refuse_audit_change();
create trigger audit_never_truncated before truncate on audit
  for each statement execute function refuse_audit_change();

-- Deletes the oldest rows of all realms that are older than so many days, `most` at once, and returns how
-- many. The server's role can't delete from audit, so no error in the server can remove a row of the last
-- 90 days.
create function trim_audit(keep_days integer, most integer) returns integer
  language plpgsql security definer set search_path = exchequer as $$
declare
  trimmed integer;
begin
  if keep_days < 90 then
    raise exception 'the audit log is kept for 90 days or more, not %', keep_days
      using errcode = 'invalid_parameter_value';
  end if;
  perform set_config('exchequer.trims_audit', 'on', true);
  delete from audit where ctid = any (array(
    select ctid from audit where at < now() - make_interval(days => keep_days) order by at limit most));
  get diagnostics trimmed = row_count;
  perform set_config('exchequer.trims_audit', '', true);
  return trimmed;
end $$;
revoke execute on function trim_audit(integer, integer) from public;


-- Webhooks --------------------------------------------------------------------------------------------

-- The journal is the queue: an endpoint has a position in it, and no row for each event.

-- The last numbers given in a realm. None is given twice: a threshold's number is part of event ids.
create table endpoint_heads (
  realm integer not null primary key,
  endpoint integer not null default 0,
  threshold integer not null default 0
);
create policy bound on endpoint_heads using (realm + 0 = any ((select bound_realms())::integer[]));
alter table endpoint_heads enable row level security;

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
create policy bound on endpoints using (realm + 0 = any ((select bound_realms())::integer[]));
alter table endpoints enable row level security;

-- How far an endpoint is: `live` in the journal, `notices` in the notices, `replay` in the journal while a
-- replay runs. All events up to `seq` are sent or parked, and `step` events of the entry after it.
-- `previous` is the last event of the endpoint's selection; a replay ends before `until`.
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
create policy bound on tracks using (realm + 0 = any ((select bound_realms())::integer[]));
alter table tracks enable row level security;

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
create policy bound on parked using (realm + 0 = any ((select bound_realms())::integer[]));
alter table parked enable row level security;

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
create policy bound on deliveries using (realm + 0 = any ((select bound_realms())::integer[]));
alter table deliveries enable row level security;

-- Balances whose crossing is an event. A row is never changed, except for its end: it counts for the
-- entries after from_seq up to to_seq, so that a replay finds the same events.
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
create policy bound on thresholds using (realm + 0 = any ((select bound_realms())::integer[]));
alter table thresholds enable row level security;

-- Events that are not in the journal, numbered in the transaction that causes them. `mark` is a random part
-- of the event's id.
create table notice_heads (
  realm integer not null primary key,
  n bigint not null
);
create policy bound on notice_heads using (realm + 0 = any ((select bound_realms())::integer[]));
alter table notice_heads enable row level security;

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
create policy bound on notices using (realm + 0 = any ((select bound_realms())::integer[]));
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
