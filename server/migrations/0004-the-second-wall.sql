-- oldest release that runs on this schema: 0.1.0

-- The second wall: within a transaction the server's role sees and writes the rows of those realms alone that
-- the transaction has bound (exchequer.realms), whatever a statement asks for. Unbound, it has no row at all.
-- Not forced: the owner's dumps stay whole. docs/decisions/0015-the-second-wall.md has the reasons.

create function bound_realms() returns integer[] language sql stable parallel safe as $$
  -- Empty behind a transaction that had bound some, null before the first.
  select nullif(current_setting('exchequer.realms', true), '')::integer[]
$$;

-- A sub-select, so that the setting is read once for each statement, not for each row; and realm + 0, so that
-- it never becomes a condition of an index, which would sort the realms anew for every row looked up.
create policy bound on heads using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on settings using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on points using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on members using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on balances using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on details using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on refusals using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on wallets using (realm + 0 = any ((select bound_realms())::integer[]));
create policy bound on audit using (realm + 0 = any ((select bound_realms())::integer[]));

alter table heads enable row level security;
alter table settings enable row level security;
alter table points enable row level security;
alter table members enable row level security;
alter table balances enable row level security;
alter table details enable row level security;
alter table refusals enable row level security;
alter table wallets enable row level security;
alter table audit enable row level security;

-- The journal is written by COPY, which PostgreSQL refuses where row-level security applies. So the server's
-- role may not read it but through this view, and what it adds is looked through behind each statement.
create view bound_journal as
  select * from journal where realm + 0 = any ((select bound_realms())::integer[]);

create function refuse_unbound() returns trigger language plpgsql as $$
begin
  -- For whom the other tables have no wall, the owner, this one has none either.
  if row_security_active('exchequer.heads'::regclass) and exists (
    select from added where (realm = any ((select exchequer.bound_realms())::integer[])) is not true)
  then
    raise exception 'an entry of a realm that is not bound' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger journal_bound after insert on journal referencing new table as added
  for each statement execute function refuse_unbound();
