-- oldest release that runs on this schema: 0.1.0

-- Members by any part of a name: see 0015-find.sql. Members without a name, as bots create them, are not in
-- it. Every search reads the list of pending pieces, so it is kept short.
create index concurrently members_pieces on members
  using gin (name_pieces(realm, account, username, display_name)) with (gin_pending_list_limit = 256)
  where username is not null or display_name is not null;
-- A wallet by its start.
create index concurrently wallets_start on wallets (realm, match collate "C");
