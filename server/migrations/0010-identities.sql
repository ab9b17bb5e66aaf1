-- oldest release that runs on this schema: 0.1.0

-- The names that other systems have for members: a shop's customer number, a game's UUID, a user of a bot.
-- docs/decisions/0043-identities.md has the reasons. Compared byte by byte. The server's release before this
-- one reads none of it: members that were created by an identity have numeric ids like all others.
create table identities (
  realm integer not null,
  provider text collate "C" not null,
  subject text collate "C" not null,
  account integer not null,
  name text,
  picture_url text,
  linked_at timestamptz not null default clock_timestamp(),
  primary key (realm, provider, subject),
  constraint identities_provider_form check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  constraint identities_subject_length check (length(subject) between 1 and 200)
);
create index identities_of_account on identities (realm, account);
create policy bound on identities using (realm + 0 = any ((select bound_realms())::integer[]));
alter table identities enable row level security;
