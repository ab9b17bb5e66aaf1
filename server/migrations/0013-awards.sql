-- oldest release that runs on this schema: 0.1.0

-- Points that are promised to a member: seq is the entry that promised them, ended_seq the one that granted
-- or cancelled them. grant_us is when they are granted without a request; null for never. retry_us is when
-- an award is tried again that could not be granted when it was due, and postponed_by the code of the
-- error.
-- docs/decisions/0045-pending-awards.md
create table awards (
  realm integer not null,
  seq bigint not null,
  account integer not null,
  point smallint not null,
  amount bigint not null,
  grant_us bigint,
  ended_seq bigint,
  retry_us bigint,
  postponed_by text,
  primary key (realm, seq),
  constraint awards_amount_positive check (amount > 0)
);
-- All of a member, also those that have ended: the journal has no index on the accounts of pending points
-- that receive them.
create index awards_of_member on awards (realm, account, seq);
create index awards_pending on awards (realm, account, seq) where ended_seq is null;
create index awards_pending_of_realm on awards (realm, seq) where ended_seq is null;
create index awards_due_next on awards (coalesce(retry_us, grant_us))
  where ended_seq is null and grant_us is not null;
create policy bound on awards using (realm + 0 = any ((select bound_realms())::integer[]));
alter table awards enable row level security;

-- Accounts end below 2^30: the pending points of account a are on account -2^30 - a. Not validated: no realm
-- has a billion members.
alter table heads add constraint heads_account_numbers check (next_account <= 1073741824) not valid;

-- Awards that are due: as due_holds. Realms take turns, and one with many does not keep the others waiting.
create function due_awards(most integer) returns table (realm integer, seq bigint)
  language sql stable security definer set search_path = exchequer as $$
  with due as (
    (select a.realm, a.seq, coalesce(a.retry_us, a.grant_us) as due_us from exchequer.awards a
      where a.ended_seq is null and a.grant_us is not null and coalesce(a.retry_us, a.grant_us)
        <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
        and exists (select from exchequer.heads x where x.realm = a.realm)
      order by coalesce(a.retry_us, a.grant_us) limit 2000)
    union
    (select a.realm, a.seq, coalesce(a.retry_us, a.grant_us) from exchequer.awards a
      where a.ended_seq is null and a.grant_us is not null and coalesce(a.retry_us, a.grant_us)
        <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
        and exists (select from exchequer.heads x where x.realm = a.realm)
      order by coalesce(a.retry_us, a.grant_us) desc limit 2000))
  select t.realm, t.seq from (
    select d.*, row_number() over (partition by d.realm order by d.due_us, d.seq) as turn from due d) t
  order by t.turn, t.due_us, t.realm limit most
$$;
revoke all on function due_awards(integer) from public;
