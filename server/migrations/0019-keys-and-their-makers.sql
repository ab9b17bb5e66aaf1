-- oldest release that runs on this schema: 0.1.0

-- Servers ask every moment which keys were changed. A key that was only issued is remembered nowhere, so it
-- is not asked for: the index has the changed ones alone.
drop index keys_changed;
create index keys_news on keys (changed_at) where changed_at > created_at;
drop index operator_tokens_changed;
create index operator_tokens_news on operator_tokens (changed_at) where changed_at > created_at;

-- The live ones are listed whole, however many were revoked.
create index keys_live on keys (realm, number) where revoked_at is null;
create index operator_tokens_live on operator_tokens (number) where revoked_at is null;

-- Who made it, in words; and the person behind it: who made it signed in, or issued the key that made it.
-- What a person leaves behind is found by that.
alter table keys add column made_by text, add column made_by_person integer;
create index keys_of_maker on keys (made_by_person, realm) where made_by_person is not null;
alter table operator_tokens add column made_by text, add column made_by_person integer;
create index operator_tokens_of_maker on operator_tokens (made_by_person) where made_by_person is not null;
alter table invitations add column made_by_person integer;
create index invitations_of_maker on invitations (made_by_person) where made_by_person is not null;
alter table page_links add column made_by_person integer;
create index page_links_of_maker on page_links (realm, made_by_person) where made_by_person is not null;
create index roles_of_person on roles (person, realm);

-- When a person last came into this realm: an owner learns nothing of what people do in others.
alter table roles add column seen_at timestamptz;
