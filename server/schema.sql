-- Generated from the migrations by npm run gen: how the schema stands. Not run by anything.

create table audit (
  realm integer not null,
  id uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  action text not null,
  subject text not null,
  address text,
  request_id text,
  constraint audit_pkey PRIMARY KEY (realm, id)
);
CREATE INDEX audit_at ON exchequer.audit USING btree (realm, at, id);
CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE ON exchequer.audit FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_never_truncated BEFORE TRUNCATE ON exchequer.audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

create table balances (
  realm integer not null,
  account integer not null,
  point smallint not null,
  balance bigint not null,
  seq bigint not null,
  at_us bigint not null,
  constraint balances_pkey PRIMARY KEY (realm, account, point),
  constraint balances_in_bounds CHECK (((balance >= 0) AND (balance <= '9007199254740991'::bigint)))
) with (fillfactor=70);

create table details (
  realm integer not null,
  seq bigint not null,
  salt bytea not null,
  reason text,
  reference text,
  metadata text,
  actor_id bigint,
  constraint details_pkey PRIMARY KEY (realm, seq)
);

create table heads (
  realm integer not null,
  seq bigint not null default 0,
  hash bytea not null,
  at_us bigint not null default 0,
  next_account integer not null default 1,
  config_version integer not null default 1,
  constraint heads_pkey PRIMARY KEY (realm),
  constraint heads_hash_length CHECK ((length(hash) = 32))
) with (fillfactor=25);

create table journal (
  realm integer not null,
  key integer not null,
  seq bigint not null,
  at_us bigint not null,
  amount bigint not null,
  from_balance bigint,
  to_balance bigint,
  from_account integer not null,
  to_account integer not null,
  point smallint not null,
  kind smallint not null,
  encoding smallint not null,
  hash bytea not null,
  request uuid,
  fingerprint uuid,
  details_hash bytea,
  constraint journal_pkey PRIMARY KEY (realm, seq),
  constraint journal_amount_positive CHECK ((amount > 0)),
  constraint journal_hash_length CHECK ((length(hash) = 32)),
  constraint journal_request_whole CHECK (((request IS NULL) = (fingerprint IS NULL))),
  constraint journal_two_accounts CHECK ((from_account <> to_account))
);
CREATE INDEX journal_from ON exchequer.journal USING btree (realm, from_account, seq) WHERE (from_account > 0);
CREATE UNIQUE INDEX journal_request_once ON exchequer.journal USING btree (realm, request) WHERE (request IS NOT NULL);
CREATE INDEX journal_to ON exchequer.journal USING btree (realm, to_account, seq) WHERE (to_account > 0);
CREATE TRIGGER journal_append_only BEFORE DELETE OR UPDATE ON exchequer.journal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table keys (
  realm integer not null,
  number integer not null,
  secret_id text not null,
  hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  scopes text[],
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  changed_at timestamp with time zone not null default now(),
  constraint keys_hash_unique UNIQUE (hash),
  constraint keys_pkey PRIMARY KEY (realm, number),
  constraint keys_realm_fkey FOREIGN KEY (realm) REFERENCES realms(realm),
  constraint keys_hash_length CHECK ((length(hash) = 32))
);
CREATE INDEX keys_changed ON exchequer.keys USING btree (changed_at);
CREATE INDEX keys_revoked ON exchequer.keys USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

create table members (
  realm integer not null,
  account integer not null,
  id bigint not null,
  username text,
  display_name text,
  joined_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint members_id_unique UNIQUE (realm, id),
  constraint members_pkey PRIMARY KEY (realm, account),
  constraint members_account_positive CHECK ((account > 0)),
  constraint members_id_positive CHECK ((id > 0))
);

create table migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  oldest_release text not null,
  ran_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table operator_tokens (
  number integer not null generated always as identity,
  secret_id text not null,
  hash bytea not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  changed_at timestamp with time zone not null default now(),
  constraint operator_tokens_hash_unique UNIQUE (hash),
  constraint operator_tokens_pkey PRIMARY KEY (number),
  constraint operator_tokens_hash_length CHECK ((length(hash) = 32))
);
CREATE INDEX operator_tokens_changed ON exchequer.operator_tokens USING btree (changed_at);

create table points (
  realm integer not null,
  number smallint not null,
  id text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  archived_at timestamp with time zone,
  constraint points_id_unique UNIQUE (realm, id),
  constraint points_pkey PRIMARY KEY (realm, number),
  constraint points_id_form CHECK ((id ~ '^([0-9a-fA-F]{24}|[A-Za-z][A-Za-z0-9_-]{0,63})$'::text))
);

create table realms (
  realm integer not null generated always as identity,
  id text not null,
  next_key integer not null default 1,
  created_at timestamp with time zone not null default now(),
  constraint realms_id_unique UNIQUE (id),
  constraint realms_pkey PRIMARY KEY (realm),
  constraint realms_id_form CHECK ((id ~ '^[A-Za-z0-9_-]{1,64}$'::text))
);

create table refusals (
  realm integer not null,
  request uuid not null,
  fingerprint uuid not null,
  point text not null,
  status smallint not null,
  body text not null,
  until timestamp with time zone not null,
  constraint refusals_pkey PRIMARY KEY (realm, request)
);
CREATE INDEX refusals_until ON exchequer.refusals USING btree (realm, until);

create table settings (
  realm integer not null,
  realm_id text not null,
  name text not null,
  unknown_members text not null default 'refuse'::text,
  default_point smallint not null,
  constraint settings_pkey PRIMARY KEY (realm),
  constraint settings_unknown_members CHECK ((unknown_members = ANY (ARRAY['refuse'::text, 'create'::text])))
);

create table wallets (
  realm integer not null,
  match text not null,
  account integer not null,
  address text not null,
  chain text not null,
  linked_at timestamp with time zone not null default now(),
  verified_at timestamp with time zone,
  constraint wallets_pkey PRIMARY KEY (realm, match)
);
CREATE INDEX wallets_account ON exchequer.wallets USING btree (realm, account);

CREATE OR REPLACE FUNCTION exchequer.expect_rows(wrote bigint, due bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if wrote <> due then
    raise exception 'wrote % rows where % were due', wrote, due using errcode = 'data_corrupted';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the journal is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $function$
;
