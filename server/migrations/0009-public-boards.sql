-- oldest release that runs on this schema: 0.1.0

-- Whether anyone may read the realm's leaderboard, without a key.
alter table settings add column public_board boolean not null default false;
