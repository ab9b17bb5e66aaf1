-- oldest release that runs on this schema: 0.1.0

-- The fence: nothing of a realm is written in a cell that does not have its head.
-- docs/decisions/0040-the-fence.md

-- As bind_for_write, for work on many realms at once: binds those that are here, and returns them. Locks are
-- taken in order of the realms, and each realm is looked up once its lock is held.
create function bind_present(realms text) returns integer[] language plpgsql as $$
declare
  asked integer[] := array(select distinct unnest(realms::integer[]) order by 1);
  here integer[];
  of_realm integer;
begin
  foreach of_realm in array asked loop
    continue when of_realm = 0;
    perform pg_advisory_xact_lock_shared(1163415379, of_realm);
  end loop;
  -- In a statement of its own: it sees what was committed before the last lock was given.
  perform set_config('exchequer.realms', realms, true);
  here := array(select a.realm from unnest(asked) a (realm)
    left join lateral (select h.realm from exchequer.heads h where h.realm = a.realm limit 1) f on true
    where a.realm = 0 or f.realm is not null);
  perform set_config('exchequer.realms', here::text, true);
  return here;
end $$;

-- A member is erased in the whole journal, also in entries that a move has copied already: so no erasure runs
-- while a move copies. The erasure has this lock shared, the move alone, each until its transaction ends.
create function lock_erasure(of_realm integer) returns boolean language sql as $$
  select pg_try_advisory_xact_lock_shared(1163415380, of_realm)
$$;


-- Work of all realms: only that of realms that are here -----------------------------------------------

-- Each of these is as before, with the realm's head. Rows of a realm arrive before its head does, and stay
-- for a while after it has gone.

create or replace function due_holds(most integer) returns table (realm integer, seq bigint)
  language sql stable security definer set search_path = exchequer as $$
  with due as (
    (select h.realm, h.seq, coalesce(h.retry_us, h.expires_us) as due_us from exchequer.holds h
      where h.ended_seq is null and coalesce(h.retry_us, h.expires_us)
        <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
        and exists (select from exchequer.heads x where x.realm = h.realm)
      order by coalesce(h.retry_us, h.expires_us) limit 2000)
    union
    (select h.realm, h.seq, coalesce(h.retry_us, h.expires_us) from exchequer.holds h
      where h.ended_seq is null and coalesce(h.retry_us, h.expires_us)
        <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
        and exists (select from exchequer.heads x where x.realm = h.realm)
      order by coalesce(h.retry_us, h.expires_us) desc limit 2000))
  select t.realm, t.seq from (
    select d.*, row_number() over (partition by d.realm order by d.due_us, d.seq) as turn from due d) t
  order by t.turn, t.due_us, t.realm limit most
$$;

create or replace function due_readings(of_chains text[], most integer)
  returns table (realm integer, chain text)
  language sql stable security definer set search_path = exchequer as $$
  select r.realm, r.chain from exchequer.readings r
  where r.due_at <= clock_timestamp() and r.leased_until <= clock_timestamp() and r.chain = any (of_chains)
    and exists (select from exchequer.heads x where x.realm = r.realm)
  order by r.due_at limit most
$$;

create or replace function due_endpoints(at_time timestamptz, most integer)
  returns table (realm integer, number integer)
  language sql stable security definer set search_path = exchequer as $$
  select e.realm, e.number from exchequer.endpoints e
  where e.state <> 'disabled' and e.leased_until <= statement_timestamp()
    and coalesce(e.next_at, '-infinity') <= at_time
    and exists (select from exchequer.heads x where x.realm = e.realm)
    and (exists (select from exchequer.tracks t where t.realm = e.realm and t.endpoint = e.number
        and t.seq < case t.track
          when 'live' then (select h.seq from exchequer.heads h where h.realm = t.realm)
          when 'notices' then (select h.n from exchequer.notice_heads h where h.realm = t.realm)
          else t.until end)
      or exists (select from exchequer.parked p where p.realm = e.realm and p.endpoint = e.number
        and (p.next_at <= at_time or e.state = 'waiting')))
  order by e.leased_until limit most
$$;

create or replace function expiring_keys(most integer) returns table (realm integer, number integer)
  language sql stable security definer set search_path = exchequer as $$
  select k.realm, k.number from exchequer.keys k
  where k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + interval '7 days'
    and k.expires_at > k.created_at + interval '7 days'
    and k.expiry_noticed is distinct from k.expires_at
    and exists (select from exchequer.endpoints e where e.realm = k.realm and e.state <> 'disabled'
      and (e.types is null or 'key.expiring' = any (e.types)))
    and exists (select from exchequer.heads x where x.realm = k.realm)
  order by k.expires_at limit most
$$;

-- Their boards are served where the realm is.
create or replace function public_boards(most integer) returns table (id text)
  language sql stable security definer set search_path = exchequer as $$
  select r.id from (select s.realm from exchequer.settings s where s.public_board
      and exists (select from exchequer.heads x where x.realm = s.realm)
    order by s.realm limit most) b
  cross join lateral (select x.id from exchequer.realms x where x.realm = b.realm limit 1) r
$$;
