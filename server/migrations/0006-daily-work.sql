-- oldest release that runs on this schema: 0.1.0

-- What people keep of a member. frozen_at: nothing is spent until it is thawed. hidden: not on leaderboards.
alter table members
  add column metadata text,
  add column note text,
  add column frozen_at timestamptz,
  add column hidden boolean not null default false;
-- For names by their beginning. Members that bots made have none, and cost nothing here.
create index members_username on members (realm, lower(username) collate "C", account)
  where username is not null;
create index members_display_name on members (realm, lower(display_name) collate "C", account)
  where display_name is not null;

alter table settings
  add column logo text,
  add column colours text,
  add column time_zone text not null default 'UTC';

alter table points
  add column emoji text,
  add column max_balance bigint,
  add column max_per_transfer bigint,
  add column max_per_day bigint,
  add column transferable boolean not null default true,
  add constraint points_max_balance check (max_balance between 1 and 9007199254740991),
  add constraint points_max_per_transfer check (max_per_transfer between 1 and 9007199254740991),
  add constraint points_max_per_day check (max_per_day between 1 and 9007199254740991);

-- Another entry that this one is about: what a reversal undoes, the hold that a capture or a release ends,
-- the first entry of a batch. Hashed since encoding 2.
alter table journal add column link bigint;
create unique index journal_reversed_once on journal (realm, link) where kind = 3;
-- A member's held points are on the account with its number below zero.
create index journal_from_held on journal (realm, from_account, seq) where from_account < 0;
create or replace view bound_journal as
  select * from journal where realm + 0 = any ((select bound_realms())::integer[]);

create index details_reference on details (realm, reference, seq) where reference is not null;
create index details_actor on details (realm, actor_id, seq) where actor_id is not null;

-- Points that are reserved: seq is the entry that reserved them, ended_seq the first that gave them up.
create table holds (
  realm integer not null,
  seq bigint not null,
  account integer not null,
  point smallint not null,
  amount bigint not null,
  expires_us bigint not null,
  ended_seq bigint,
  primary key (realm, seq),
  constraint holds_amount_positive check (amount > 0)
);
create index holds_open on holds (realm, account, seq) where ended_seq is null;
create index holds_due on holds (expires_us) where ended_seq is null;
create policy bound on holds using (realm + 0 = any ((select bound_realms())::integer[]));
alter table holds enable row level security;

-- Holds of all realms whose time has run out: the one question that no single realm can answer. It tells
-- their numbers alone; they are ended through the realm's own journal.
create function due_holds(most integer) returns table (realm integer, seq bigint)
  language sql stable security definer set search_path = exchequer as $$
  select h.realm, h.seq from exchequer.holds h
  where h.ended_seq is null and h.expires_us <= extract(epoch from clock_timestamp()) * 1000000
  order by h.expires_us limit most
$$;
revoke all on function due_holds(integer) from public;

-- The last entry at or before a moment, 0 when there is none: time never goes back within a realm, so that it
-- is found by halves.
create function seq_at(of_realm integer, moment_us bigint) returns bigint language plpgsql stable as $$
declare
  low bigint := 0;
  high bigint := coalesce((select h.seq from exchequer.heads h where h.realm = of_realm), 0);
  middle bigint;
begin
  while low < high loop
    middle := (low + high + 1) / 2;
    if (select j.at_us from exchequer.bound_journal j
      where j.realm = of_realm and j.seq = middle) <= moment_us
    then low := middle;
    else high := middle - 1;
    end if;
  end loop;
  return low;
end $$;
