-- Generated from the migrations by npm run gen: the current schema. Nothing runs this file.

create table active_days (
  realm integer not null,
  build integer not null,
  day integer not null,
  active bigint not null,
  latest bigint not null,
  constraint active_days_pkey PRIMARY KEY (realm, build, day)
) with (fillfactor=25);
alter table active_days enable row level security;
create policy bound on active_days using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table activity (
  realm integer not null,
  build integer not null,
  account integer not null,
  day integer not null,
  constraint activity_pkey PRIMARY KEY (realm, build, account)
) with (fillfactor=70);
alter table activity enable row level security;
create policy bound on activity using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table arrivals (
  realm integer not null,
  place integer not null,
  from_cell smallint not null,
  state text not null,
  changed_at timestamp with time zone not null default clock_timestamp(),
  constraint arrivals_pkey PRIMARY KEY (realm, place),
  constraint arrivals_state CHECK ((state = ANY (ARRAY['arriving'::text, 'ready'::text, 'landed'::text, 'cancelled'::text])))
);
alter table arrivals enable row level security;
create policy bound on arrivals using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table audit (
  realm integer not null,
  id uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default clock_timestamp(),
  actor text not null,
  action text not null,
  subject text not null,
  address text,
  request_id text,
  person integer,
  constraint audit_pkey PRIMARY KEY (realm, id)
);
CREATE INDEX audit_at ON exchequer.audit USING btree (realm, at, id);
CREATE INDEX audit_by_age ON exchequer.audit USING btree (at);
CREATE TRIGGER audit_append_only BEFORE DELETE OR UPDATE ON exchequer.audit FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_never_truncated BEFORE TRUNCATE ON exchequer.audit FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
alter table audit enable row level security;
create policy bound on audit using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

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
  constraint awards_pkey PRIMARY KEY (realm, seq),
  constraint awards_amount_positive CHECK ((amount > 0))
);
CREATE INDEX awards_due_next ON exchequer.awards USING btree (COALESCE(retry_us, grant_us)) WHERE ((ended_seq IS NULL) AND (grant_us IS NOT NULL));
CREATE INDEX awards_of_member ON exchequer.awards USING btree (realm, account, seq);
CREATE INDEX awards_pending ON exchequer.awards USING btree (realm, account, seq) WHERE (ended_seq IS NULL);
CREATE INDEX awards_pending_of_realm ON exchequer.awards USING btree (realm, seq) WHERE (ended_seq IS NULL);
alter table awards enable row level security;
create policy bound on awards using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table balances (
  realm integer not null,
  account integer not null,
  point smallint not null,
  balance bigint not null,
  seq bigint not null,
  at_us bigint not null,
  lots text,
  constraint balances_pkey PRIMARY KEY (realm, account, point),
  constraint balances_in_bounds CHECK (((balance >= 0) AND (balance <= '9007199254740991'::bigint)))
) with (fillfactor=70);
alter table balances enable row level security;
create policy bound on balances using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table cells (
  cell smallint not null,
  state text not null default 'open'::text,
  added_at timestamp with time zone not null default now(),
  constraint cells_pkey PRIMARY KEY (cell),
  constraint cells_cell CHECK (((cell >= 0) AND (cell <= 9999))),
  constraint cells_state CHECK ((state = ANY (ARRAY['open'::text, 'full'::text, 'closed'::text])))
);

create table challenges (
  realm integer not null,
  nonce text not null,
  account integer not null,
  address text not null,
  chain text not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint challenges_pkey PRIMARY KEY (realm, nonce),
  constraint challenges_nonce_form CHECK ((nonce ~ '^[0-9a-f]{32}$'::text))
);
CREATE INDEX challenges_account ON exchequer.challenges USING btree (realm, account, issued_at);
CREATE INDEX challenges_expired ON exchequer.challenges USING btree (realm, expires_at);
alter table challenges enable row level security;
create policy bound on challenges using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table changes (
  xid xid8 not null default pg_current_xact_id(),
  from_seq bigint not null,
  to_seq bigint not null,
  at timestamp with time zone not null default now(),
  realm integer not null
);
CREATE UNIQUE INDEX changes_deleted ON exchequer.changes USING btree (realm) WHERE (realm = 0);
CREATE INDEX changes_in_order ON exchequer.changes USING btree (xid, realm);
alter table changes enable row level security;
create policy bound on changes using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table collections (
  realm integer not null,
  number smallint not null,
  id text not null,
  name text not null,
  chain text not null,
  standard text not null,
  address text,
  token_id numeric,
  block bigint,
  block_hash text,
  seen_at timestamp with time zone,
  failed_at timestamp with time zone,
  block_at timestamp with time zone,
  constraint collections_id_unique UNIQUE (realm, id),
  constraint collections_pkey PRIMARY KEY (realm, number),
  constraint collections_contract CHECK (((address IS NULL) = (standard = 'native'::text))),
  constraint collections_standard CHECK ((standard = ANY (ARRAY['native'::text, 'erc20'::text, 'erc721'::text, 'erc1155'::text]))),
  constraint collections_token CHECK (((token_id IS NOT NULL) = (standard = 'erc1155'::text)))
);
alter table collections enable row level security;
create policy bound on collections using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table daily (
  realm integer not null,
  build integer not null,
  day integer not null,
  point smallint not null,
  kind smallint not null,
  entries bigint not null,
  amount numeric not null,
  issued numeric not null default 0,
  spent numeric not null default 0,
  held numeric not null default 0,
  lapsed numeric not null default 0,
  constraint daily_pkey PRIMARY KEY (realm, build, day, point, kind)
) with (fillfactor=25);
alter table daily enable row level security;
create policy bound on daily using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table deliveries (
  realm integer not null,
  endpoint integer not null,
  n bigint not null,
  event text not null,
  type text not null,
  replay boolean not null,
  at timestamp with time zone not null,
  attempt integer not null,
  status smallint,
  duration_ms integer not null,
  error text,
  answer text,
  constraint deliveries_pkey PRIMARY KEY (realm, endpoint, n)
);
CREATE INDEX deliveries_by_age ON exchequer.deliveries USING btree (at);
alter table deliveries enable row level security;
create policy bound on deliveries using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table departed (
  realm integer not null,
  place integer not null,
  to_cell smallint not null,
  seq bigint not null,
  hash bytea not null,
  head jsonb not null,
  departed_at timestamp with time zone not null default clock_timestamp(),
  purge_began_at timestamp with time zone,
  purged_at timestamp with time zone,
  constraint departed_pkey PRIMARY KEY (realm),
  constraint departed_hash_length CHECK ((length(hash) = 32))
);
alter table departed enable row level security;
create policy bound on departed using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table departures (
  realm integer not null,
  account integer not null,
  constraint departures_pkey PRIMARY KEY (realm, account)
);
alter table departures enable row level security;
create policy bound on departures using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

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
CREATE INDEX details_actor ON exchequer.details USING btree (realm, actor_id, seq) WHERE (actor_id IS NOT NULL);
CREATE INDEX details_reference ON exchequer.details USING btree (realm, reference, seq) WHERE (reference IS NOT NULL);
CREATE TRIGGER details_while_moving BEFORE DELETE ON exchequer.details FOR EACH ROW EXECUTE FUNCTION refuse_while_moving();
alter table details enable row level security;
create policy bound on details using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table endpoint_heads (
  realm integer not null,
  endpoint integer not null default 0,
  threshold integer not null default 0,
  constraint endpoint_heads_pkey PRIMARY KEY (realm)
);
alter table endpoint_heads enable row level security;
create policy bound on endpoint_heads using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table endpoints (
  realm integer not null,
  number integer not null,
  url text not null,
  types text[],
  description text,
  ordered boolean not null,
  include_details boolean not null,
  parallel smallint not null,
  state text not null default 'active'::text,
  secret text not null,
  old_secret text,
  old_secret_until timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  attempt integer not null default 0,
  next_at timestamp with time zone,
  blocked_track text,
  blocked_event text,
  disabled_at timestamp with time zone,
  disabled_why text,
  logged bigint not null default 0,
  created_at timestamp with time zone not null default clock_timestamp(),
  lease uuid,
  leased_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint endpoints_pkey PRIMARY KEY (realm, number),
  constraint endpoints_parallel CHECK (((parallel >= 1) AND (parallel <= 64))),
  constraint endpoints_state CHECK ((state = ANY (ARRAY['active'::text, 'waiting'::text, 'disabled'::text])))
) with (fillfactor=50);
alter table endpoints enable row level security;
create policy bound on endpoints using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table erasures (
  realm integer not null,
  seq bigint not null,
  constraint erasures_pkey PRIMARY KEY (realm, seq)
);
alter table erasures enable row level security;
create policy bound on erasures using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table gains (
  realm integer not null,
  build integer not null,
  point smallint not null,
  day integer not null,
  account integer not null,
  gained numeric not null,
  seq bigint not null,
  constraint gains_pkey PRIMARY KEY (realm, build, point, day, account)
) with (fillfactor=70);
alter table gains enable row level security;
create policy bound on gains using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table heads (
  realm integer not null,
  seq bigint not null default 0,
  hash bytea not null,
  at_us bigint not null default 0,
  next_account integer not null default 1,
  config_version integer not null default 1,
  place integer not null default 1,
  constraint heads_pkey PRIMARY KEY (realm),
  constraint heads_account_numbers CHECK ((next_account <= 1073741824)) NOT VALID,
  constraint heads_hash_length CHECK ((length(hash) = 32))
) with (fillfactor=25);
alter table heads enable row level security;
create policy bound on heads using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table holdings (
  realm integer not null,
  match text not null,
  collection smallint not null,
  amount numeric not null,
  constraint holdings_pkey PRIMARY KEY (realm, match, collection),
  constraint holdings_amount_positive CHECK ((amount > (0)::numeric))
);
CREATE INDEX holdings_collection ON exchequer.holdings USING btree (realm, collection, match);
alter table holdings enable row level security;
create policy bound on holdings using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table holds (
  realm integer not null,
  seq bigint not null,
  account integer not null,
  point smallint not null,
  amount bigint not null,
  expires_us bigint not null,
  ended_seq bigint,
  retry_us bigint,
  constraint holds_pkey PRIMARY KEY (realm, seq),
  constraint holds_amount_positive CHECK ((amount > 0))
);
CREATE INDEX holds_due_next ON exchequer.holds USING btree (COALESCE(retry_us, expires_us)) WHERE (ended_seq IS NULL);
CREATE INDEX holds_open ON exchequer.holds USING btree (realm, account, seq) WHERE (ended_seq IS NULL);
CREATE INDEX holds_open_of_realm ON exchequer.holds USING btree (realm, seq) WHERE (ended_seq IS NULL);
alter table holds enable row level security;
create policy bound on holds using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table identities (
  realm integer not null,
  provider text not null,
  subject text not null,
  account integer not null,
  name text,
  picture_url text,
  linked_at timestamp with time zone not null default clock_timestamp(),
  merged integer,
  constraint identities_pkey PRIMARY KEY (realm, provider, subject),
  constraint identities_provider_form CHECK ((provider ~ '^[a-z][a-z0-9-]{0,31}$'::text)),
  constraint identities_subject_length CHECK (((length(subject) >= 1) AND (length(subject) <= 200)))
);
CREATE UNIQUE INDEX identities_merged ON exchequer.identities USING btree (realm, merged) WHERE (merged IS NOT NULL);
CREATE INDEX identities_of_account ON exchequer.identities USING btree (realm, account);
alter table identities enable row level security;
create policy bound on identities using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table invitations (
  number bigint not null generated always as identity,
  secret_id text not null,
  hash bytea not null,
  realm integer,
  person integer,
  role text,
  name text not null,
  email text,
  made_by text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  made_by_person integer,
  declined_at timestamp with time zone,
  constraint invitations_hash_unique UNIQUE (hash),
  constraint invitations_pkey PRIMARY KEY (number),
  constraint invitations_person_fkey FOREIGN KEY (person) REFERENCES people(person),
  constraint invitations_realm_fkey FOREIGN KEY (realm) REFERENCES realms(realm),
  constraint invitations_hash_length CHECK ((length(hash) = 32)),
  constraint invitations_role CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'viewer'::text])))
);
CREATE INDEX invitations_email ON exchequer.invitations USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX invitations_expires ON exchequer.invitations USING btree (expires_at);
CREATE INDEX invitations_of_maker ON exchequer.invitations USING btree (made_by_person) WHERE (made_by_person IS NOT NULL);
CREATE INDEX invitations_person ON exchequer.invitations USING btree (person) WHERE (person IS NOT NULL);
CREATE INDEX invitations_realm ON exchequer.invitations USING btree (realm, number);

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
  link bigint,
  lots text,
  constraint journal_pkey PRIMARY KEY (realm, seq),
  constraint journal_amount_positive CHECK ((amount > 0)),
  constraint journal_hash_length CHECK ((length(hash) = 32)),
  constraint journal_request_whole CHECK (((request IS NULL) = (fingerprint IS NULL))),
  constraint journal_two_accounts CHECK ((from_account <> to_account))
) partition by HASH (realm);
CREATE INDEX journal_from ON ONLY exchequer.journal USING btree (realm, from_account, seq) WHERE (from_account > 0);
CREATE INDEX journal_from_held ON ONLY exchequer.journal USING btree (realm, from_account, seq) WHERE (from_account < 0);
CREATE UNIQUE INDEX journal_request_once ON ONLY exchequer.journal USING btree (realm, request) WHERE (request IS NOT NULL);
CREATE UNIQUE INDEX journal_reversed_once ON ONLY exchequer.journal USING btree (realm, link) WHERE (kind = 3);
CREATE INDEX journal_to ON ONLY exchequer.journal USING btree (realm, to_account, seq) WHERE (to_account > 0);
CREATE TRIGGER journal_append_only BEFORE DELETE OR UPDATE ON exchequer.journal FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_bound AFTER INSERT ON exchequer.journal FOR EACH ROW WHEN ((new.realm <> ALL (insertable_realms()))) EXECUTE FUNCTION refuse_unbound();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
create table journal_00 partition of journal FOR VALUES WITH (modulus 16, remainder 0) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_01 partition of journal FOR VALUES WITH (modulus 16, remainder 1) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_02 partition of journal FOR VALUES WITH (modulus 16, remainder 2) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_03 partition of journal FOR VALUES WITH (modulus 16, remainder 3) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_04 partition of journal FOR VALUES WITH (modulus 16, remainder 4) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_05 partition of journal FOR VALUES WITH (modulus 16, remainder 5) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_06 partition of journal FOR VALUES WITH (modulus 16, remainder 6) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_07 partition of journal FOR VALUES WITH (modulus 16, remainder 7) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_08 partition of journal FOR VALUES WITH (modulus 16, remainder 8) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_09 partition of journal FOR VALUES WITH (modulus 16, remainder 9) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_10 partition of journal FOR VALUES WITH (modulus 16, remainder 10) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_11 partition of journal FOR VALUES WITH (modulus 16, remainder 11) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_12 partition of journal FOR VALUES WITH (modulus 16, remainder 12) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_13 partition of journal FOR VALUES WITH (modulus 16, remainder 13) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_14 partition of journal FOR VALUES WITH (modulus 16, remainder 14) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
create table journal_15 partition of journal FOR VALUES WITH (modulus 16, remainder 15) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_freeze_min_age=0);
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_00 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_01 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_02 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_03 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_04 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_05 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_06 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_07 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_08 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_09 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_10 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_11 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_12 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_13 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_14 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_never_truncated BEFORE TRUNCATE ON exchequer.journal_15 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table journal_00 enable row level security;
alter table journal_01 enable row level security;
alter table journal_02 enable row level security;
alter table journal_03 enable row level security;
alter table journal_04 enable row level security;
alter table journal_05 enable row level security;
alter table journal_06 enable row level security;
alter table journal_07 enable row level security;
alter table journal_08 enable row level security;
alter table journal_09 enable row level security;
alter table journal_10 enable row level security;
alter table journal_11 enable row level security;
alter table journal_12 enable row level security;
alter table journal_13 enable row level security;
alter table journal_14 enable row level security;
alter table journal_15 enable row level security;

create table key_days (
  realm integer not null,
  key integer not null,
  day integer not null,
  moved bigint not null,
  constraint key_days_pkey PRIMARY KEY (realm, key)
);
alter table key_days enable row level security;
create policy bound on key_days using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table key_places (
  hash bytea not null,
  realm integer not null,
  constraint key_places_pkey PRIMARY KEY (hash),
  constraint key_places_hash_length CHECK ((length(hash) = 32))
);
CREATE INDEX key_places_of_realm ON exchequer.key_places USING btree (realm);

create table key_secrets (
  id text not null,
  value text not null,
  constraint key_secrets_pkey PRIMARY KEY (id)
);

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
  rate integer,
  burst integer,
  made_by text,
  made_by_person integer,
  expiry_noticed timestamp with time zone,
  max_per_change bigint,
  max_per_day bigint,
  constraint keys_hash_unique UNIQUE (hash),
  constraint keys_pkey PRIMARY KEY (realm, number),
  constraint keys_realm_fkey FOREIGN KEY (realm) REFERENCES realms(realm),
  constraint keys_hash_length CHECK ((length(hash) = 32)),
  constraint keys_rate_whole CHECK (((rate >= 0) AND ((rate IS NULL) = (burst IS NULL)) AND ((rate = 0) = (burst = 0))))
);
CREATE INDEX keys_by_expiry ON exchequer.keys USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (revoked_at IS NULL));
CREATE INDEX keys_live ON exchequer.keys USING btree (realm, number) WHERE (revoked_at IS NULL);
CREATE INDEX keys_news ON exchequer.keys USING btree (changed_at) WHERE (changed_at > created_at);
CREATE INDEX keys_of_maker ON exchequer.keys USING btree (made_by_person, realm) WHERE (made_by_person IS NOT NULL);
CREATE INDEX keys_revoked ON exchequer.keys USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

create table lapse_rules (
  realm integer not null,
  point smallint not null,
  number integer not null,
  from_seq bigint not null,
  base_day integer not null,
  not_before integer,
  time_zone text not null default 'UTC'::text,
  rule text,
  at timestamp with time zone not null default clock_timestamp(),
  constraint lapse_rules_pkey PRIMARY KEY (realm, point, number)
);
CREATE TRIGGER lapse_rules_append_only BEFORE DELETE OR UPDATE ON exchequer.lapse_rules FOR EACH ROW EXECUTE FUNCTION refuse_lapse_change();
CREATE TRIGGER lapse_rules_never_truncated BEFORE TRUNCATE ON exchequer.lapse_rules FOR EACH STATEMENT EXECUTE FUNCTION refuse_lapse_change();
alter table lapse_rules enable row level security;
create policy bound on lapse_rules using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table lapse_sweeps (
  realm integer not null,
  point smallint not null,
  due_at timestamp with time zone,
  day integer not null default 0,
  after_account integer not null default 0,
  after_point smallint not null default 0,
  constraint lapse_sweeps_pkey PRIMARY KEY (realm, point)
);
CREATE INDEX lapse_sweeps_due ON exchequer.lapse_sweeps USING btree (due_at) WHERE (due_at IS NOT NULL);
alter table lapse_sweeps enable row level security;
create policy bound on lapse_sweeps using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table leases (
  name text not null,
  holder uuid not null,
  until timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (name)
);

create table members (
  realm integer not null,
  account integer not null,
  id bigint not null,
  username text,
  display_name text,
  joined_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  metadata text,
  note text,
  frozen_at timestamp with time zone,
  hidden boolean not null default false,
  unfrozen_at timestamp with time zone,
  constraint members_id_unique UNIQUE (realm, id),
  constraint members_pkey PRIMARY KEY (realm, account),
  constraint members_account_positive CHECK ((account > 0)),
  constraint members_id_positive CHECK ((id > 0))
);
CREATE INDEX members_display_name ON exchequer.members USING btree (realm, lower(display_name) COLLATE "C", account) WHERE (display_name IS NOT NULL);
CREATE INDEX members_hidden ON exchequer.members USING btree (realm, account) WHERE hidden;
CREATE INDEX members_pieces ON exchequer.members USING gin (name_pieces(realm, account, username, display_name)) WITH (gin_pending_list_limit='256') WHERE ((username IS NOT NULL) OR (display_name IS NOT NULL));
CREATE INDEX members_username ON exchequer.members USING btree (realm, lower(username) COLLATE "C", account) WHERE (username IS NOT NULL);
CREATE TRIGGER members_departures AFTER DELETE ON exchequer.members REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION keep_departures();
alter table members enable row level security;
create policy bound on members using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table merges (
  realm integer not null,
  number integer not null,
  from_account integer not null,
  to_account integer not null,
  after_seq bigint not null,
  entries smallint not null,
  at timestamp with time zone not null default clock_timestamp(),
  key integer not null,
  undoes integer,
  moved jsonb not null,
  constraint merges_pkey PRIMARY KEY (realm, number),
  constraint merges_two_accounts CHECK ((from_account <> to_account))
);
CREATE INDEX merges_of_account ON exchequer.merges USING btree (realm, from_account);
CREATE UNIQUE INDEX merges_undoes ON exchequer.merges USING btree (realm, undoes) WHERE (undoes IS NOT NULL);
alter table merges enable row level security;
create policy bound on merges using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  oldest_release text not null,
  ran_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table move_marks (
  realm integer not null,
  mark uuid not null,
  marked_at timestamp with time zone not null default clock_timestamp(),
  constraint move_marks_pkey PRIMARY KEY (realm, mark)
);
alter table move_marks enable row level security;
create policy bound on move_marks using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table moves (
  realm integer not null,
  place integer not null,
  from_cell smallint not null,
  to_cell smallint not null,
  step text not null default 'begun'::text,
  copied_to bigint not null default 0,
  seq bigint,
  hash bytea,
  began_at timestamp with time zone not null default clock_timestamp(),
  stepped_at timestamp with time zone not null default clock_timestamp(),
  ended_at timestamp with time zone,
  why text,
  constraint moves_pkey PRIMARY KEY (realm, place, began_at),
  constraint moves_realm_fkey FOREIGN KEY (realm) REFERENCES realms(realm),
  constraint moves_step CHECK ((step = ANY (ARRAY['begun'::text, 'copied'::text, 'published'::text, 'subscribed'::text, 'ready'::text, 'paused'::text, 'passed'::text, 'drained'::text, 'landed'::text, 'flipped'::text, 'done'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX moves_open ON exchequer.moves USING btree (realm) WHERE (ended_at IS NULL);

create table moving (
  realm integer not null,
  place integer not null,
  copied_to bigint not null,
  constraint moving_pkey PRIMARY KEY (realm)
);
alter table moving enable row level security;
create policy bound on moving using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table notice_heads (
  realm integer not null,
  n bigint not null,
  signed_seq bigint not null default 0,
  constraint notice_heads_pkey PRIMARY KEY (realm)
);
alter table notice_heads enable row level security;
create policy bound on notice_heads using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table notices (
  realm integer not null,
  n bigint not null,
  mark text not null,
  after_seq bigint not null,
  type text not null,
  account integer,
  data text not null,
  at timestamp with time zone not null default clock_timestamp(),
  constraint notices_pkey PRIMARY KEY (realm, n)
);
CREATE INDEX notices_by_age ON exchequer.notices USING btree (at);
CREATE INDEX notices_of_account ON exchequer.notices USING btree (realm, account) WHERE (account IS NOT NULL);
CREATE INDEX notices_of_removals ON exchequer.notices USING btree (realm, data) WHERE (type = 'member.removed'::text);
alter table notices enable row level security;
create policy bound on notices using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

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
  made_by text,
  made_by_person integer,
  constraint operator_tokens_hash_unique UNIQUE (hash),
  constraint operator_tokens_pkey PRIMARY KEY (number),
  constraint operator_tokens_hash_length CHECK ((length(hash) = 32))
);
CREATE INDEX operator_tokens_live ON exchequer.operator_tokens USING btree (number) WHERE (revoked_at IS NULL);
CREATE INDEX operator_tokens_news ON exchequer.operator_tokens USING btree (changed_at) WHERE (changed_at > created_at);
CREATE INDEX operator_tokens_of_maker ON exchequer.operator_tokens USING btree (made_by_person) WHERE (made_by_person IS NOT NULL);

create table page_links (
  realm integer not null,
  hash bytea not null,
  account integer not null,
  return_url text,
  expires_at timestamp with time zone not null,
  challenges integer not null default 0,
  used_at timestamp with time zone,
  made_by_person integer,
  constraint page_links_pkey PRIMARY KEY (realm, hash),
  constraint page_links_hash_length CHECK ((length(hash) = 32))
);
CREATE INDEX page_links_account ON exchequer.page_links USING btree (realm, account);
CREATE INDEX page_links_expired ON exchequer.page_links USING btree (realm, expires_at);
CREATE INDEX page_links_of_maker ON exchequer.page_links USING btree (realm, made_by_person) WHERE (made_by_person IS NOT NULL);
alter table page_links enable row level security;
create policy bound on page_links using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table parked (
  realm integer not null,
  endpoint integer not null,
  track text not null,
  event text not null,
  seq bigint not null,
  previous bigint,
  attempt integer not null,
  next_at timestamp with time zone not null,
  constraint parked_pkey PRIMARY KEY (realm, endpoint, track, event)
);
CREATE INDEX parked_next ON exchequer.parked USING btree (realm, endpoint, next_at);
alter table parked enable row level security;
create policy bound on parked using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table people (
  person integer not null generated always as identity,
  name text,
  email text,
  issuer text,
  subject text,
  operator boolean not null default false,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone,
  constraint people_identity_unique UNIQUE (issuer, subject),
  constraint people_pkey PRIMARY KEY (person),
  constraint people_identity_whole CHECK (((issuer IS NULL) = (subject IS NULL)))
);
CREATE INDEX people_operators ON exchequer.people USING btree (person) WHERE operator;

create table points (
  realm integer not null,
  number smallint not null,
  id text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  archived_at timestamp with time zone,
  emoji text,
  max_balance bigint,
  max_per_transfer bigint,
  max_per_day bigint,
  transferable boolean not null default true,
  constraint points_id_unique UNIQUE (realm, id),
  constraint points_pkey PRIMARY KEY (realm, number),
  constraint points_id_form CHECK ((id ~ '^([0-9a-fA-F]{24}|[A-Za-z][A-Za-z0-9_-]{0,63})$'::text)),
  constraint points_max_balance CHECK (((max_balance >= 1) AND (max_balance <= '9007199254740991'::bigint))),
  constraint points_max_per_day CHECK (((max_per_day >= 1) AND (max_per_day <= '9007199254740991'::bigint))),
  constraint points_max_per_transfer CHECK (((max_per_transfer >= 1) AND (max_per_transfer <= '9007199254740991'::bigint)))
);
alter table points enable row level security;
create policy bound on points using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create unlogged table rates (
  realm integer not null,
  key integer not null,
  process uuid not null,
  spent double precision not null,
  asked double precision not null,
  level double precision not null,
  at timestamp with time zone not null,
  constraint rates_pkey PRIMARY KEY (realm, key, process)
) with (fillfactor=50);

create table readings (
  realm integer not null,
  chain text not null,
  due_at timestamp with time zone not null default clock_timestamp(),
  leased_until timestamp with time zone not null default '-infinity'::timestamp with time zone,
  lease integer not null default 0,
  begun_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint readings_pkey PRIMARY KEY (realm, chain)
);
CREATE INDEX readings_due ON exchequer.readings USING btree (due_at);
alter table readings enable row level security;
create policy bound on readings using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table realms (
  realm integer not null generated always as identity,
  id text not null,
  next_key integer not null default 1,
  created_at timestamp with time zone not null default now(),
  rate integer,
  burst integer,
  purge_began_at timestamp with time zone,
  purged_at timestamp with time zone,
  purged_head text,
  cell smallint not null default 0,
  to_cell smallint,
  place integer not null default 1,
  placed_at timestamp with time zone not null default clock_timestamp(),
  name text,
  next_person integer not null default 1073741824,
  constraint realms_id_unique UNIQUE (id),
  constraint realms_pkey PRIMARY KEY (realm),
  constraint realms_id_form CHECK ((id ~ '^[A-Za-z0-9_-]{1,64}$'::text)),
  constraint realms_rate_whole CHECK (((rate >= 0) AND ((rate IS NULL) = (burst IS NULL)) AND ((rate = 0) = (burst = 0))))
);
CREATE INDEX realms_of_cell ON exchequer.realms USING btree (cell, realm);
CREATE INDEX realms_placed ON exchequer.realms USING btree (placed_at, realm);
CREATE INDEX realms_unmade ON exchequer.realms USING btree (cell, placed_at) WHERE (to_cell = cell);

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
alter table refusals enable row level security;
create policy bound on refusals using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table requests (
  realm integer not null,
  request uuid not null,
  fingerprint uuid not null,
  member bigint,
  status smallint,
  body text,
  until timestamp with time zone not null,
  constraint requests_pkey PRIMARY KEY (realm, request)
);
CREATE INDEX requests_member ON exchequer.requests USING btree (realm, member) WHERE (member IS NOT NULL);
CREATE INDEX requests_until ON exchequer.requests USING btree (realm, until);
alter table requests enable row level security;
create policy bound on requests using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table roles (
  realm integer not null,
  person integer not null,
  key integer not null,
  role text,
  added_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone,
  constraint roles_key_unique UNIQUE (realm, key),
  constraint roles_pkey PRIMARY KEY (realm, person),
  constraint roles_person_fkey FOREIGN KEY (person) REFERENCES people(person),
  constraint roles_realm_fkey FOREIGN KEY (realm) REFERENCES realms(realm),
  constraint roles_role CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'viewer'::text])))
);
CREATE INDEX roles_of_person ON exchequer.roles USING btree (person, realm);
CREATE INDEX roles_person ON exchequer.roles USING btree (person, realm) WHERE (role IS NOT NULL);

create table session_keys (
  number bigint not null generated always as identity,
  secret_id text not null,
  hash bytea not null,
  session bigint not null,
  realm integer,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  changed_at timestamp with time zone,
  constraint session_keys_hash_unique UNIQUE (hash),
  constraint session_keys_pkey PRIMARY KEY (number),
  constraint session_keys_realm_fkey FOREIGN KEY (realm) REFERENCES realms(realm),
  constraint session_keys_session_fkey FOREIGN KEY (session) REFERENCES sessions(session) ON DELETE CASCADE,
  constraint session_keys_hash_length CHECK ((length(hash) = 32))
);
CREATE INDEX session_keys_changed ON exchequer.session_keys USING btree (changed_at) WHERE (changed_at IS NOT NULL);
CREATE INDEX session_keys_expires ON exchequer.session_keys USING btree (expires_at);
CREATE INDEX session_keys_session ON exchequer.session_keys USING btree (session);

create table sessions (
  session bigint not null generated always as identity,
  secret_id text not null,
  hash bytea not null,
  person integer not null,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint sessions_hash_unique UNIQUE (hash),
  constraint sessions_pkey PRIMARY KEY (session),
  constraint sessions_person_fkey FOREIGN KEY (person) REFERENCES people(person),
  constraint sessions_hash_length CHECK ((length(hash) = 32))
);
CREATE INDEX sessions_expires ON exchequer.sessions USING btree (expires_at);
CREATE INDEX sessions_person ON exchequer.sessions USING btree (person) WHERE (ended_at IS NULL);

create table settings (
  realm integer not null,
  realm_id text not null,
  name text not null,
  unknown_members text not null default 'refuse'::text,
  default_point smallint not null,
  logo text,
  colours text,
  time_zone text not null default 'UTC'::text,
  public_board boolean not null default false,
  suspended_at timestamp with time zone,
  suspended_reason text,
  identity_key bytea default sha256(((uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || uuid_send(gen_random_uuid()))),
  constraint settings_pkey PRIMARY KEY (realm),
  constraint settings_identity_key CHECK ((length(identity_key) = 32)),
  constraint settings_unknown_members CHECK ((unknown_members = ANY (ARRAY['refuse'::text, 'create'::text])))
);
CREATE INDEX settings_public ON exchequer.settings USING btree (realm) WHERE public_board;
alter table settings enable row level security;
create policy bound on settings using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table snapshot_members (
  realm integer not null,
  snapshot text not null,
  account integer not null,
  amount bigint not null,
  frozen boolean not null,
  address text,
  leaf bytea,
  place integer,
  constraint snapshot_members_pkey PRIMARY KEY (realm, snapshot, account)
);
CREATE INDEX snapshot_members_account ON exchequer.snapshot_members USING btree (realm, account);
CREATE UNIQUE INDEX snapshot_members_address ON exchequer.snapshot_members USING btree (realm, snapshot, address) WHERE (address IS NOT NULL);
alter table snapshot_members enable row level security;
create policy bound on snapshot_members using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table snapshots (
  realm integer not null,
  id text not null,
  point smallint not null,
  chain text not null,
  seq bigint not null,
  hash bytea not null,
  first_seq bigint,
  taken_at timestamp with time zone not null default clock_timestamp(),
  members integer not null,
  tokens numeric not null,
  unproved integer not null,
  unproved_tokens numeric not null,
  frozen integer not null,
  frozen_tokens numeric not null,
  tree bytea,
  constraint snapshots_pkey PRIMARY KEY (realm, id),
  constraint snapshots_hash_length CHECK ((length(hash) = 32)),
  constraint snapshots_id_form CHECK ((id ~ '^[A-Za-z0-9_-]{1,64}$'::text))
);
alter table snapshots enable row level security;
create policy bound on snapshots using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table standings (
  realm integer not null,
  seq bigint not null default 0,
  time_zone text not null,
  build integer not null default 1,
  swept integer not null default 1,
  form smallint not null default 1,
  merged integer not null default 0,
  constraint standings_pkey PRIMARY KEY (realm)
) with (fillfactor=25);
alter table standings enable row level security;
create policy bound on standings using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table supply (
  realm integer not null,
  build integer not null,
  point smallint not null,
  issued numeric not null,
  spent numeric not null,
  held numeric not null,
  claimed numeric not null default 0,
  lapsed numeric not null default 0,
  constraint supply_pkey PRIMARY KEY (realm, build, point)
) with (fillfactor=25);
alter table supply enable row level security;
create policy bound on supply using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table this_cell (
  cell smallint not null
);

create table thresholds (
  realm integer not null,
  number integer not null,
  endpoint integer not null,
  point smallint not null,
  tokens bigint not null,
  from_seq bigint not null,
  to_seq bigint,
  constraint thresholds_pkey PRIMARY KEY (realm, number),
  constraint thresholds_tokens CHECK ((tokens > 0))
);
CREATE INDEX thresholds_of_endpoint ON exchequer.thresholds USING btree (realm, endpoint);
alter table thresholds enable row level security;
create policy bound on thresholds using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table tracks (
  realm integer not null,
  endpoint integer not null,
  track text not null,
  seq bigint not null,
  step smallint not null default 0,
  previous bigint,
  from_seq bigint not null,
  until bigint,
  constraint tracks_pkey PRIMARY KEY (realm, endpoint, track),
  constraint tracks_track CHECK ((track = ANY (ARRAY['live'::text, 'notices'::text, 'replay'::text, 'notice_replay'::text])))
) with (fillfactor=50);
alter table tracks enable row level security;
create policy bound on tracks using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table verified (
  realm integer not null,
  seq bigint not null,
  hash bytea not null,
  verified_at timestamp with time zone not null default clock_timestamp(),
  slice smallint not null,
  entry bigint not null,
  account integer not null,
  wrong_at timestamp with time zone,
  constraint verified_pkey PRIMARY KEY (realm),
  constraint verified_hash_length CHECK ((length(hash) = 32)),
  constraint verified_slice CHECK (((slice >= 0) AND (slice <= 29)))
) with (fillfactor=70);
alter table verified enable row level security;
create policy bound on verified using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table verified_shards (
  realm integer not null,
  shards integer not null,
  shard integer not null,
  verified_at timestamp with time zone not null,
  constraint verified_shards_pkey PRIMARY KEY (realm, shards, shard)
);
alter table verified_shards enable row level security;
create policy bound on verified_shards using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table wallet_acts (
  realm integer not null,
  id uuid not null default gen_random_uuid(),
  at timestamp with time zone not null default clock_timestamp(),
  account integer not null,
  act text not null,
  address text not null,
  chain text not null,
  actor text not null,
  constraint wallet_acts_pkey PRIMARY KEY (realm, id),
  constraint wallet_acts_act CHECK ((act = ANY (ARRAY['linked'::text, 'proved'::text, 'taken'::text, 'unlinked'::text])))
);
CREATE INDEX wallet_acts_account ON exchequer.wallet_acts USING btree (realm, account, at, id);
alter table wallet_acts enable row level security;
create policy bound on wallet_acts using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create table wallets (
  realm integer not null,
  match text not null,
  account integer not null,
  address text not null,
  chain text not null,
  linked_at timestamp with time zone not null default now(),
  verified_at timestamp with time zone,
  merged integer,
  constraint wallets_pkey PRIMARY KEY (realm, match)
);
CREATE INDEX wallets_account ON exchequer.wallets USING btree (realm, account);
CREATE INDEX wallets_start ON exchequer.wallets USING btree (realm, match COLLATE "C");
CREATE TRIGGER wallets_holdings AFTER DELETE ON exchequer.wallets REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_holdings();
alter table wallets enable row level security;
create policy bound on wallets using (((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[])));

create view bound_journal as
 SELECT realm,
    key,
    seq,
    at_us,
    amount,
    from_balance,
    to_balance,
    from_account,
    to_account,
    point,
    kind,
    encoding,
    hash,
    request,
    fingerprint,
    details_hash,
    link,
    lots
   FROM journal
  WHERE ((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[]));

create view bound_members as
 SELECT realm,
    account,
    id,
    username,
    display_name
   FROM members
  WHERE ((realm + 0) = ANY (( SELECT bound_realms() AS bound_realms)::integer[]));

CREATE OR REPLACE FUNCTION exchequer.bind_for_write(realms text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  asked integer[] := realms::integer[];
  of_realm integer;
begin
  perform set_config('exchequer.realms', realms, true);
  foreach of_realm in array asked loop
    -- Realm 0 is the installation itself, which is nowhere else.
    continue when of_realm = 0;
    perform pg_advisory_xact_lock_shared(1163415379, of_realm);
    if not exists (select from exchequer.heads h where h.realm = of_realm) then
      raise exception 'realm % is not in this cell', of_realm using errcode = 'EX002';
    end if;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.bind_present(realms text)
 RETURNS integer[]
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.bound_realms()
 RETURNS integer[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  -- Empty after a transaction that had bound some, null before the first.
  select nullif(current_setting('exchequer.realms', true), '')::integer[]
$function$
;

CREATE OR REPLACE FUNCTION exchequer.changes_after(after_xid xid8, after_realm integer, most integer)
 RETURNS TABLE(xid xid8, realm integer, realm_id text, from_seq bigint, to_seq bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
  select c.xid, c.realm, r.id, c.from_seq, c.to_seq
  from exchequer.changes c join exchequer.realms r on r.realm = c.realm
  where (c.xid, c.realm) > (after_xid, after_realm) and c.xid < pg_snapshot_xmin(pg_current_snapshot())
  order by c.xid, c.realm limit most
$function$
;

CREATE OR REPLACE FUNCTION exchequer.drop_heads(of_realms integer[], of_places integer[], to_cells smallint[])
 RETURNS TABLE(realm integer, seq bigint, hash bytea)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'exchequer', 'pg_catalog'
AS $function$
  with gone as (
    delete from heads h using unnest(of_realms, of_places, to_cells) as g (realm, place, to_cell)
    where h.realm = g.realm and h.place = g.place
    returning h.realm, h.place, g.to_cell, h.seq, h.hash, to_jsonb(h) as head),
  recorded as (
    insert into departed (realm, place, to_cell, seq, hash, head)
    select g.realm, g.place, g.to_cell, g.seq, g.hash, g.head from gone g
    on conflict (realm) do update set place = excluded.place, to_cell = excluded.to_cell,
      seq = excluded.seq, hash = excluded.hash, head = excluded.head, departed_at = clock_timestamp(),
      purge_began_at = null, purged_at = null)
  select g.realm, g.seq, g.hash from gone g
$function$
;

CREATE OR REPLACE FUNCTION exchequer.due_awards(most integer)
 RETURNS TABLE(realm integer, seq bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION exchequer.due_endpoints(at_time timestamp with time zone, most integer)
 RETURNS TABLE(realm integer, number integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION exchequer.due_holds(most integer)
 RETURNS TABLE(realm integer, seq bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION exchequer.due_lapses(most integer)
 RETURNS TABLE(realm integer, point smallint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
  select s.realm, s.point from exchequer.lapse_sweeps s
  where s.due_at <= statement_timestamp()
    and exists (select from exchequer.heads h where h.realm = s.realm)
  order by s.due_at limit most
$function$
;

CREATE OR REPLACE FUNCTION exchequer.due_readings(of_chains text[], most integer)
 RETURNS TABLE(realm integer, chain text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
  select r.realm, r.chain from exchequer.readings r
  where r.due_at <= clock_timestamp() and r.leased_until <= clock_timestamp() and r.chain = any (of_chains)
    and exists (select from exchequer.heads x where x.realm = r.realm)
  order by r.due_at limit most
$function$
;

CREATE OR REPLACE FUNCTION exchequer.end_feed()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
  update exchequer.changes set xid = pg_current_xact_id(), from_seq = 2147483647 where realm = 0
$function$
;

CREATE OR REPLACE FUNCTION exchequer.expect_rows(wrote bigint, due bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if wrote <> due then
    raise exception 'wrote % rows where % were due', wrote, due using errcode = 'EX001';
  end if;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.expiring_keys(most integer)
 RETURNS TABLE(realm integer, number integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
  select k.realm, k.number from exchequer.keys k
  where k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + interval '7 days'
    and k.expires_at > k.created_at + interval '7 days'
    and k.expiry_noticed is distinct from k.expires_at
    and exists (select from exchequer.endpoints e where e.realm = k.realm and e.state <> 'disabled'
      and (e.types is null or 'key.expiring' = any (e.types)))
    and exists (select from exchequer.heads x where x.realm = k.realm)
  order by k.expires_at limit most
$function$
;

CREATE OR REPLACE FUNCTION exchequer.feed_state()
 RETURNS TABLE(system_id text, timeline text, horizon xid8, deleted_xid xid8, deleted_realm integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
begin
  system_id := '';
  timeline := '';
  begin
    select c.system_identifier::text into system_id from pg_control_system() c;
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when others then
  end;
  horizon := pg_snapshot_xmin(pg_current_snapshot());
  select d.xid, d.from_seq::integer into deleted_xid, deleted_realm
    from exchequer.changes d where d.realm = 0;
  return next;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.folded(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select translate(case when octet_length(name) = length(name) then lower(name)
    else replace(replace(replace(lower(translate(regexp_replace(normalize(name, nfkd),
        '[\u0300-\u036f]', '', 'g'),
      'øØłŁđĐıİÆŒẞАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЄҐЂЉЊЋЏЅЈΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
      'oollddiiæœßабвгдежзиклмнопрстуфхцчшщъыьэюяієґђљњћџѕјαβγδεζηθικλμνξοπρστυφχψωσ')),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end,
    '_-.', '   ')
$function$
;

CREATE OR REPLACE FUNCTION exchequer.forget_holdings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from exchequer.holdings h using gone
    where h.realm = gone.realm and h.match = gone.match;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.forget_unmade(of_realm integer)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'exchequer', 'pg_catalog'
AS $function$
  with gone as (
    delete from realms r where r.realm = of_realm and r.to_cell = r.cell and r.place = 1
      and r.placed_at < clock_timestamp() - interval '1 hour' returning 1)
  select exists (select from gone)
$function$
;

CREATE OR REPLACE FUNCTION exchequer.insertable_realms()
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if not row_security_active('exchequer.heads'::regclass) then return null; end if;
  return coalesce(exchequer.bound_realms(), '{}');
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.is_purging(of_realm integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(current_setting('exchequer.purges', true), '') = of_realm::text and (
    exists (select from exchequer.realms r
      where r.realm = of_realm and r.purge_began_at is not null and r.purged_at is null)
    or not exists (select from exchequer.heads h where h.realm = of_realm) and (
      exists (select from exchequer.departed d
        where d.realm = of_realm and d.purge_began_at is not null and d.purged_at is null)
      or exists (select from exchequer.arrivals a where a.realm = of_realm and a.state = 'cancelled'
        and not exists (select from exchequer.arrivals n where n.realm = of_realm and n.place > a.place))))
$function$
;

CREATE OR REPLACE FUNCTION exchequer.keep_departures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into exchequer.departures (realm, account) select realm, account from gone on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.largest_realms(most integer)
 RETURNS TABLE(realm_id text, seq bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
 SET enable_seqscan TO 'on'
AS $function$
  select s.realm_id, h.seq from (
    select x.realm, x.seq from exchequer.heads x where x.seq > 0 order by x.seq desc limit most) h
  cross join lateral (select t.realm_id from exchequer.settings t where t.realm = h.realm limit 1) s
  order by h.seq desc
$function$
;

CREATE OR REPLACE FUNCTION exchequer.lock_erasure(of_realm integer)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  select pg_try_advisory_xact_lock_shared(1163415380, of_realm)
$function$
;

CREATE OR REPLACE FUNCTION exchequer.members_with(asked integer, wanted text, after integer, most integer)
 RETURNS TABLE(id bigint, account integer)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET enable_indexonlyscan TO 'off'
 SET enable_bitmapscan TO 'on'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  folded_text constant text := btrim(exchequer.folded(wanted));
  part constant text := case when length(folded_text) = 2 then ' ' || folded_text else folded_text end;
  newest integer;
  span integer := after >> 13;
  matches record;
  compared integer := 0;
  rest integer := most;
begin
  select h.next_account - 1 into newest from exchequer.heads h where h.realm = asked;
  if length(part) < 3 or newest is null then return; end if;
  for ranges in 1..128 loop
    exit when span > newest >> 13;
    select count(*)::integer as compared, array_agg(f.id order by f.account) filter (where f.has) as ids,
        array_agg(f.account order by f.account) filter (where f.has) as accounts
      into matches
      from (select m.id, m.account, coalesce(strpos(' ' || exchequer.folded(m.username), part), 0)
            + coalesce(strpos(' ' || exchequer.folded(m.display_name), part), 0) > 0
            and starts_with(lower(m.username), lower(wanted)) is not true
            and starts_with(lower(m.display_name), lower(wanted)) is not true as has
          from exchequer.bound_members m
          where exchequer.name_pieces(m.realm, m.account, m.username, m.display_name)
              @> exchequer.pieces(asked, span, part)
            and (m.username is not null or m.display_name is not null)
            and m.realm + 0 = asked and m.account + 0 > after) f;
    return query select * from unnest(matches.ids, matches.accounts) limit rest;
    if coalesce(cardinality(matches.ids), 0) >= rest then
      return query select null::bigint, matches.accounts[rest];
      return;
    end if;
    rest := rest - coalesce(cardinality(matches.ids), 0);
    compared := compared + matches.compared;
    span := span + 1;
    exit when compared > 16384;
  end loop;
  if span <= newest >> 13 then return query select null::bigint, (span << 13) - 1; end if;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.name_pieces(realm integer, account integer, username text, display_name text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select exchequer.pieces(realm, account >> 13, coalesce(' ' || exchequer.folded(username), '')
    || coalesce(' ' || exchequer.folded(display_name), ''))
$function$
;

CREATE OR REPLACE FUNCTION exchequer.own_heads(after_realm integer, most integer)
 RETURNS TABLE(realm integer, place integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer', 'pg_catalog'
AS $function$
  select h.realm, h.place from heads h where h.realm > after_realm order by h.realm limit most
$function$
;

CREATE OR REPLACE FUNCTION exchequer.pieces(realm integer, span integer, of_text text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select array_agg(distinct (hashint8extended((realm::bigint << 18) | span, 0) << 32)
    | (hashtextextended(substr(of_text, at, 3) collate "C", 0) & 4294967295))
  from generate_series(1, length(of_text) - 2) at
$function$
;

CREATE OR REPLACE FUNCTION exchequer.public_boards(most integer)
 RETURNS TABLE(id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
  select r.id from (select s.realm from exchequer.settings s where s.public_board
      and exists (select from exchequer.heads x where x.realm = s.realm)
    order by s.realm limit most) b
  cross join lateral (select x.id from exchequer.realms x where x.realm = b.realm limit 1) r
$function$
;

CREATE OR REPLACE FUNCTION exchequer.purge_count(of_realm integer, of_table text, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'exchequer'
AS $function$
declare
  found integer;
begin
  execute format('select count(*) from (select from %I where realm = $1 limit $2) f', of_table)
    into found using of_realm, most;
  return found;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.purge_piece(of_realm integer, of_table text, most integer, first_key bigint, OUT deleted integer, OUT last_key bigint)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'exchequer'
AS $function$
declare
  key text;
begin
  perform set_config('exchequer.purges', of_realm::text, true);
  if not is_purging(of_realm) then
    raise exception 'realm % is not being purged', of_realm using errcode = 'insufficient_privilege';
  end if;
  select a.attname into key from pg_index i
    join pg_attribute r on r.attrelid = i.indrelid and r.attnum = i.indkey[0] and r.attname = 'realm'
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[1]
    where i.indrelid = format('%I', of_table)::regclass and i.indisprimary
      and a.atttypid in ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype);
  if key is null then
    execute format('delete from %1$I where realm = $1 and ctid = any (array(
      select ctid from %1$I where realm = $1 limit $2))', of_table) using of_realm, most;
    get diagnostics deleted = row_count;
  else
    execute format('with piece as materialized (
        select ctid as place, %2$I::bigint as key from %1$I where realm = $1 and %2$I >= $3
        order by realm, %2$I limit $2),
      gone as (
        delete from %1$I where realm = $1 and ctid = any (array(select place from piece)) returning 1)
      select (select count(*) from gone)::integer, (select max(key) from piece)', of_table, key)
      into deleted, last_key using of_realm, most, coalesce(first_key, -9223372036854775808);
  end if;
  perform set_config('exchequer.purges', '', true);
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.purge_tables()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
 SET search_path TO 'exchequer', 'pg_catalog'
AS $function$
  select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'exchequer'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and a.attname = 'realm' and not a.attisdropped
    and c.relname not in ('realms', 'moves', 'departed', 'arrivals')
  order by 1
$function$
;

CREATE OR REPLACE FUNCTION exchequer.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if current_setting('exchequer.trims_audit', true) = 'on' and old.at < now() - interval '90 days' then
      return old;
    end if;
    if exchequer.is_purging(old.realm) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if exchequer.is_purging(old.realm) then
      return old;
    end if;
  end if;
  raise exception 'the journal is append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.refuse_lapse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if exchequer.is_purging(old.realm) then
      return old;
    end if;
  end if;
  raise exception 'the rules by which points lapse are append-only: % refused', lower(tg_op)
    using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.refuse_unbound()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an entry of a realm that is not bound' using errcode = 'insufficient_privilege';
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.refuse_while_moving()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from exchequer.moving m where m.realm = old.realm and m.copied_to >= old.seq)
    and not exchequer.is_purging(old.realm) then
    raise exception 'realm % is moving to another cell; try again later', old.realm
      using errcode = 'lock_not_available';
  end if;
  return old;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.seq_at(of_realm integer, moment_us bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return (
    with recursive search (low, high) as (
      select 0::bigint, coalesce((select h.seq from exchequer.heads h where h.realm = of_realm), 0)
      union all
      select case when j.at_us <= moment_us then s.middle else s.low end,
        case when j.at_us <= moment_us then s.high else s.middle - 1 end
      from (select low, high, (low + high + 1) / 2 as middle from search where low < high) s
      left join lateral (select at_us from exchequer.bound_journal
        where realm = of_realm and seq = s.middle limit 1) j on true)
    select low from search where low >= high limit 1);
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.trim_audit(keep_days integer, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.trim_changes(keep interval, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
declare
  trimmed integer;
  last_xid xid8;
  last_realm integer;
begin
  delete from changes where ctid = any (array(
    select c.ctid from changes c where c.xid >= pg_snapshot_xmax(pg_current_snapshot()) and c.realm > 0
    order by c.xid limit most));
  update changes set xid = pg_current_xact_id(), from_seq = 0
    where realm = 0 and xid >= pg_snapshot_xmax(pg_current_snapshot());
  with old as (
    select o.place from (
      select c.ctid as place, c.at from changes c
      where c.realm > 0 and c.xid < pg_snapshot_xmin(pg_current_snapshot())
      order by c.xid, c.realm limit most) o
    where o.at < now() - keep),
  gone as (delete from changes c where c.ctid = any (array(select place from old)) returning c.xid, c.realm)
  select count(*) over (), g.xid, g.realm into trimmed, last_xid, last_realm
    from gone g order by g.xid desc, g.realm desc limit 1;
  if trimmed is null then
    return 0;
  end if;
  update changes set xid = last_xid, from_seq = last_realm
    where realm = 0 and (xid, from_seq) < (last_xid, last_realm);
  return trimmed;
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.trim_deliveries(most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION exchequer.unsigned_realms(after_number integer, most integer)
 RETURNS TABLE(number integer, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'exchequer'
AS $function$
  select h.realm, s.realm_id
  from (select distinct e.realm from exchequer.endpoints e
    where e.realm > after_number and e.state <> 'disabled'
      and (e.types is null or 'checkpoint.signed' = any (e.types))) w
  join exchequer.heads h on h.realm = w.realm
  join exchequer.settings s on s.realm = w.realm
  where h.seq > coalesce((select n.signed_seq from exchequer.notice_heads n where n.realm = w.realm), 0)
  order by h.realm limit most
$function$
;
