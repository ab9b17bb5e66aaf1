-- What the server's role may do, granted anew after every migration. It owns nothing, and can neither
-- change nor delete a journal row. :server is the role in DATABASE_URL.
grant usage on schema exchequer to :server;
grant select on migrations to :server;
grant select, insert, update on realms, keys, heads, settings, points, members, balances to :server;
grant select, insert on journal to :server;
grant select, insert, delete on details to :server;
grant select, insert, update, delete on refusals, wallets to :server;
grant select, insert, update on operator_tokens to :server;
grant select, insert on audit to :server;
