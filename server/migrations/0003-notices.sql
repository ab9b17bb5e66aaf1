-- oldest release that runs on this schema: 0.1.0

-- Notices, the events that are not in the journal.

-- An erasure finds the notices of a member by its account, and those of removals by the member's id.
create index notices_of_account on notices (realm, account) where account is not null;
create index notices_of_removals on notices (realm, data) where type = 'member.removed';

-- The last entry of a checkpoint that was sent.
alter table notice_heads add column signed_seq bigint not null default 0;

-- The expiry that the last notice of a key was about: another one gets a notice again.
alter table keys add column expiry_noticed timestamptz;
create index keys_by_expiry on keys (expires_at) where expires_at is not null and revoked_at is null;

-- A replay sends notices again too, by a position of its own.
alter table tracks drop constraint tracks_track;
alter table tracks add constraint tracks_track
  check (track in ('live', 'notices', 'replay', 'notice_replay')) not valid;
alter table tracks validate constraint tracks_track;

-- Keys of all realms that expire within 7 days, if a webhook of their realm sends such notices. Not those
-- that were issued for 7 days or less, and none twice.
create function expiring_keys(most integer) returns table (realm integer, number integer)
  language sql stable security definer set search_path = exchequer as $$
  select k.realm, k.number from exchequer.keys k
  where k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + interval '7 days'
    and k.expires_at > k.created_at + interval '7 days'
    and k.expiry_noticed is distinct from k.expires_at
    and exists (select from exchequer.endpoints e where e.realm = k.realm and e.state <> 'disabled'
      and (e.types is null or 'key.expiring' = any (e.types)))
  order by k.expires_at limit most
$$;
revoke all on function expiring_keys(integer) from public;

-- Realms after a number that have entries since the last checkpoint that was sent, and a webhook that sends
-- checkpoints.
create function unsigned_realms(after_number integer, most integer)
  returns table (number integer, id text)
  language sql stable security definer set search_path = exchequer as $$
  select h.realm, s.realm_id
  from (select distinct e.realm from exchequer.endpoints e
    where e.realm > after_number and e.state <> 'disabled'
      and (e.types is null or 'checkpoint.signed' = any (e.types))) w
  join exchequer.heads h on h.realm = w.realm
  join exchequer.settings s on s.realm = w.realm
  where h.seq > coalesce((select n.signed_seq from exchequer.notice_heads n where n.realm = w.realm), 0)
  order by h.realm limit most
$$;
revoke all on function unsigned_realms(integer, integer) from public;

-- As before, and a replay keeps the notices that it has not sent yet.
create or replace function trim_deliveries(most integer) returns integer
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
        where t.realm = o.realm and t.track in ('notices', 'notice_replay') and t.seq < o.n
          and (t.until is null or o.n < t.until))
      and not exists (select from parked p
        where p.realm = o.realm and p.track in ('notices', 'notice_replay') and p.seq = o.n))
    order by o.at limit most));
  get diagnostics noted = row_count;
  return greatest(logged, noted);
end $$;
