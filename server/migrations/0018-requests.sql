-- oldest release that runs on this schema: 0.1.0

-- Requests that came with an Idempotency-Key and change no points: for a day they are done once. Those that
-- change points are in the journal. status is null while a request runs; realm is 0 for operator routes.
create table requests (
  realm integer not null,
  request uuid not null,
  fingerprint uuid not null,
  -- The member whose path it was, so that the answer goes when the member is erased.
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

-- A check value for each secret of KEY_SECRETS, by its id: a process with another secret under the same id
-- finds out before it issues keys that no other process accepts.
create table key_secrets (
  id text primary key,
  value text not null
);
