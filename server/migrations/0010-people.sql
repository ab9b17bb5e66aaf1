-- oldest release that runs on this schema: 0.1.0

-- People, who sign in to the console. All of this is directory, like keys: a person is found before any realm
-- is known, and may have several. docs/decisions/0019-people-sign-in.md has the reasons.

-- By an OpenID provider (issuer and subject), or by links alone. Erased: neither, and no name.
create table people (
  person integer generated always as identity primary key,
  name text,
  email text,
  issuer text,
  subject text,
  operator boolean not null default false,
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  constraint people_identity_unique unique (issuer, subject),
  constraint people_identity_whole check ((issuer is null) = (subject is null))
);
create index people_operators on people (person) where operator;

-- What a person is in a realm. key is taken from the numbers of the realm's keys: it is what the journal
-- names, so no name is ever hashed. Kept when the role is taken away (null), as entries go on naming it; an
-- operator who comes in has one without a role.
create table roles (
  realm integer not null references realms,
  person integer not null references people,
  key integer not null,
  role text,
  added_at timestamptz not null default now(),
  primary key (realm, person),
  constraint roles_key_unique unique (realm, key),
  constraint roles_role check (role in ('owner', 'manager', 'viewer'))
);
create index roles_person on roles (person, realm) where role is not null;

create table sessions (
  session bigint generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  person integer not null references people,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  constraint sessions_hash_unique unique (hash),
  constraint sessions_hash_length check (length(hash) = 32)
);
create index sessions_person on sessions (person) where ended_at is null;
create index sessions_expires on sessions (expires_at);

-- Short-lived keys that a session has made; without a realm, an operator's token. changed_at is when anything
-- that servers remember of one was changed: they ask for it every moment.
create table session_keys (
  number bigint generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  session bigint not null references sessions on delete cascade,
  realm integer references realms,
  expires_at timestamptz not null,
  ended_at timestamptz,
  changed_at timestamptz,
  constraint session_keys_hash_unique unique (hash),
  constraint session_keys_hash_length check (length(hash) = 32)
);
create index session_keys_session on session_keys (session);
create index session_keys_changed on session_keys (changed_at) where changed_at is not null;
create index session_keys_expires on session_keys (expires_at);

-- One-time links: for somebody new in a realm, or among the operators (no realm), or for a person to come
-- back. One that is used is gone.
create table invitations (
  number bigint generated always as identity primary key,
  secret_id text not null,
  hash bytea not null,
  realm integer references realms,
  person integer references people,
  role text,
  name text not null,
  email text,
  made_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint invitations_hash_unique unique (hash),
  constraint invitations_hash_length check (length(hash) = 32),
  constraint invitations_role check (role in ('owner', 'manager', 'viewer'))
);
create index invitations_realm on invitations (realm, number);
create index invitations_email on invitations (lower(email)) where email is not null;
create index invitations_person on invitations (person) where person is not null;
create index invitations_expires on invitations (expires_at);

-- Who did it, where it was a person: the name is looked up when it is asked for, and can be forgotten.
alter table audit add column person integer;
