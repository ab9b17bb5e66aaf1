-- oldest release that runs on this schema: 0.1.0

-- The oldest rows of all realms, for retention.
create index audit_by_age on audit (at);

-- Append-only, but for rows that trim_audit deletes. It sets exchequer.trims_audit for itself alone.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if current_setting('exchequer.trims_audit', true) = 'on' and old.at < now() - interval '90 days' then
      return old;
    end if;
  end if;
  raise exception 'the audit log is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;

-- Deletes the oldest rows of all realms that are older than so many days, `most` at once, and returns how
-- many. The server's role can't delete from audit, so no error in the server can remove a row of the last 90
-- days.
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

-- One process of all does it.
insert into leases (name, holder, until)
  values ('audit', '00000000-0000-0000-0000-000000000000', '-infinity');
