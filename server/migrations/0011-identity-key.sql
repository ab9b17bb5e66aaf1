-- oldest release that runs on this schema: 0.1.0

-- The key of the hashes in place of e-mail addresses, one for each realm: docs/decisions/0043-identities.md.
-- 32 bytes from 366 random bits. The server's release before this one creates realms with it too; a realm
-- that is older has none until its first address.
alter table settings add column identity_key bytea,
  add constraint settings_identity_key check (length(identity_key) = 32);
alter table settings alter column identity_key
  set default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    || uuid_send(gen_random_uuid()));
