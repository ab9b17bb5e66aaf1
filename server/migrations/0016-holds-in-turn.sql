-- oldest release that runs on this schema: 0.1.0

-- When a hold is to be tried again that could not expire, as its member's balance can't rise. Until then it
-- is in no other's way.
alter table holds add column retry_us bigint;
create index holds_due_next on holds (coalesce(retry_us, expires_us)) where ended_seq is null;
drop index holds_due;

-- Holds of all realms whose time has run out: the one question that no single realm can answer. It returns
-- their numbers alone; they are ended through the realm's own journal. Realms take turns, so that one with
-- many does not keep the others waiting. It looks at both ends of what is due, the oldest and the newest:
-- where thousands of one realm became due at once, those of another are at one of the ends. The time is the
-- statement's, as clock_timestamp() can't be the condition of an index.
create or replace function due_holds(most integer) returns table (realm integer, seq bigint)
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

-- Work that one process of all does. Whoever has it says so again before the time is over.
create table leases (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);
insert into leases (name, holder, until)
  values ('expiry', '00000000-0000-0000-0000-000000000000', '-infinity');

-- A row count that is not the one decided on is an optimistic write that lost, which happens every day: class
-- XX is for corruption, which operators are paged for.
create or replace function expect_rows(wrote bigint, due bigint) returns void language plpgsql as $$
begin
  if wrote <> due then
    raise exception 'wrote % rows where % were due', wrote, due using errcode = 'EX001';
  end if;
end $$;
