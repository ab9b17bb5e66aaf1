-- What the server's role may do, granted anew after every migration. It owns nothing, and can neither
-- change nor delete a journal row. :server is the role in DATABASE_URL.
grant usage on schema exchequer to :server;
grant select on migrations to :server;
grant select, insert, update on realms, keys, heads, settings, points, members, balances, holds to :server;
-- A member can be removed and forgotten; its entries stay.
grant delete on members to :server;
-- The journal is read through bound_journal alone: see the second wall.
revoke select on journal from :server;
grant insert on journal to :server;
grant select on bound_journal to :server;
grant select, insert, delete on details to :server;
grant select, insert, update, delete on refusals, requests, wallets, rates to :server;
grant select, insert, update on operator_tokens to :server;
grant select, insert on audit, key_secrets to :server;
grant execute on function due_holds(integer) to :server;
grant execute on function trim_audit(integer, integer) to :server;
grant execute on function public_boards(integer) to :server;
grant select, update on leases to :server;
grant select on bound_members to :server;
grant select, insert, update on standings to :server;
grant select, insert, update, delete on gains, daily, supply, activity, active_days to :server;
grant select, insert on departures, erasures to :server;
grant select, insert, update on people, roles to :server;
grant select, insert, update, delete on sessions, session_keys to :server;
grant select, insert, delete, update (declined_at) on invitations to :server;
grant select, insert, update, delete on challenges, page_links to :server;
grant select, insert, delete on wallet_acts to :server;
grant select, insert, update, delete on collections, readings, holdings to :server;
grant execute on function due_readings(text[], integer) to :server;
grant select, insert, update, delete on snapshots, snapshot_members to :server;
grant select, insert, update, delete on endpoint_heads, endpoints, tracks, parked, deliveries to :server;
grant select, insert, update, delete on thresholds, notice_heads, notices to :server;
grant execute on function due_endpoints(timestamptz, integer) to :server;
grant execute on function trim_deliveries(integer) to :server;
grant select, insert on changes to :server;
grant execute on function feed_state(), changes_after(xid8, integer, integer) to :server;
grant execute on function trim_changes(interval, integer), end_feed() to :server;
grant execute on function expiring_keys(integer) to :server;
grant execute on function unsigned_realms(integer, integer) to :server;
grant select, insert, update, delete on verified, verified_shards to :server;
grant select on cells, this_cell, departed, arrivals to :server;
grant select, insert, update, delete on key_places to :server;
grant execute on function bind_for_write(text), bind_present(text), lock_erasure(integer) to :server;
grant execute on function own_heads(integer, integer) to :server;
grant execute on function drop_heads(integer[], integer[], smallint[]) to :server;
grant execute on function forget_unmade(integer) to :server;
-- An erasure asks whether the realm is moving.
grant select on moving, move_marks to :server;
grant select, insert, update on moves to :server;
grant select, insert, update, delete on identities to :server;
grant select, insert, update (moved) on merges to :server;
-- A merge that is undone restores the member.
grant delete on departures to :server;
grant select, insert, update on awards to :server;
grant select, insert, update on key_days to :server;
grant execute on function due_awards(integer) to :server;
grant execute on function largest_realms(integer) to :server;
grant select, insert on lapse_rules to :server;
grant select, insert, update on lapse_sweeps to :server;
grant execute on function due_lapses(integer) to :server;
