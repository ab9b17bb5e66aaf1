-- oldest release that runs on this schema: 0.1.0

-- The ids of all realms that show their board to anyone: a name that is not among them costs the database
-- nothing. Public by their owners' wish, and no more than the ids.
create index settings_public on settings (realm) where public_board;
create function public_boards(most integer) returns table (id text)
  language sql stable security definer set search_path = exchequer as $$
  select r.id from (select s.realm from exchequer.settings s where s.public_board
    order by s.realm limit most) b
  cross join lateral (select x.id from exchequer.realms x where x.realm = b.realm limit 1) r
$$;
revoke all on function public_boards(integer) from public;
