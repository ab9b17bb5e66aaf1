-- oldest release that runs on this schema: 0.1.0

-- Proof of wallets: what was asked to be signed, links to the page where a member signs, and who linked what
-- when. docs/web3.md tells the whole of it.

-- A text that was handed out to be signed. Whoever presents it takes the row away: it is used once.
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

-- A link to the page, by the hash of its secret part.
create table page_links (
  realm integer not null,
  hash bytea not null,
  account integer not null,
  return_url text,
  expires_at timestamptz not null,
  challenges integer not null default 0,
  used_at timestamptz,
  primary key (realm, hash),
  constraint page_links_hash_length check (length(hash) = 32)
);
create index page_links_account on page_links (realm, account);
create index page_links_expired on page_links (realm, expires_at);

-- Who linked what when. Goes with its member.
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

create policy bound on challenges using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on page_links using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on wallet_acts using (realm + 0 = any ((select bound_realms())::integer[]));

alter table challenges enable row level security;
alter table page_links enable row level security;
alter table wallet_acts enable row level security;
