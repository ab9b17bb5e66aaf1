-- oldest release that runs on this schema: 0.1.0

-- A key's life. Without scopes a key may do what the interface as given shows. changed_at is when anything
-- that servers remember of it was changed last: they ask for it every moment, for all realms at once.
alter table keys
  add column scopes text[],
  add column expires_at timestamptz,
  add column last_used_at timestamptz,
  add column changed_at timestamptz not null default now();
create index keys_changed on keys (changed_at);

-- Those who may come in at the operator's door, beside whoever holds the token of the configuration.
create table operator_tokens (
  number integer generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  changed_at timestamptz not null default now(),
  constraint operator_tokens_hash_unique unique (hash),
  constraint operator_tokens_hash_length check (length(hash) = 32)
);
create index operator_tokens_changed on operator_tokens (changed_at);

-- Who did what, when and from where. Written in the transaction that does it. Realm 0 is the installation.
create table audit (
  realm integer not null,
  id uuid not null default gen_random_uuid(),
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  action text not null,
  subject text not null,
  address text,
  request_id text,
  primary key (realm, id)
);
create index audit_at on audit (realm, at, id);
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $$;
create trigger audit_append_only before update or delete on audit
  for each row execute function refuse_audit_change();
create trigger audit_never_truncated before truncate on audit
  for each statement execute function refuse_audit_change();
