-- oldest release that runs on this schema: 0.1.0

-- What linked wallets hold, as it was read from chains. All of it can be read anew.

-- What a realm cares about, and the block that all amounts of it were read at. seen_at is from before the
-- wallets were listed. `number` is its own within the realm, so that rows of holdings stay narrow.
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
  primary key (realm, number),
  constraint collections_id_unique unique (realm, id),
  constraint collections_standard check (standard in ('native', 'erc20', 'erc721', 'erc1155')),
  constraint collections_contract check ((address is null) = (standard = 'native')),
  constraint collections_token check ((token_id is not null) = (standard = 'erc1155'))
);

-- When a realm's chain is to be read. Who reads has the lease.
create table readings (
  realm integer not null,
  chain text not null,
  due_at timestamptz not null default clock_timestamp(),
  leased_until timestamptz not null default '-infinity',
  primary key (realm, chain)
);
create index readings_due on readings (due_at);

-- No row: none, if the wallet was linked before it was read.
create table holdings (
  realm integer not null,
  match text not null,
  collection smallint not null,
  amount numeric not null,
  primary key (realm, match, collection),
  constraint holdings_amount_positive check (amount > 0)
);
create index holdings_collection on holdings (realm, collection, match);

-- What a wallet held goes with its link.
create function forget_holdings() returns trigger language plpgsql as $$
begin
  delete from exchequer.holdings h using gone
    where h.realm = gone.realm and h.match = gone.match;
  return null;
end $$;
create trigger wallets_holdings after delete on wallets referencing old table as gone
  for each statement execute function forget_holdings();

-- Chains of all realms that are due to be read: a question that no single realm can answer.
create function due_readings(of_chains text[], most integer) returns table (realm integer, chain text)
  language sql stable security definer set search_path = exchequer as $$
  select r.realm, r.chain from exchequer.readings r
  where r.due_at <= clock_timestamp() and r.leased_until <= clock_timestamp() and r.chain = any (of_chains)
  order by r.due_at limit most
$$;
revoke all on function due_readings(text[], integer) from public;

create policy bound on collections using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on readings using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on holdings using (realm + 0 = any ((select bound_realms())::integer[]));

alter table collections enable row level security;
alter table readings enable row level security;
alter table holdings enable row level security;
