-- oldest release that runs on this schema: 0.1.0

-- Cells: many databases, each with its own realms, and a directory that says which realm is where. With one
-- database it is all of this at once: its own directory, and cell 0. docs/decisions/0039-cells.md


-- In the directory -----------------------------------------------------------------------------------

-- open: new realms are placed here. full: none. closed: none, and realms move away.
create table cells (
  cell smallint primary key,
  state text not null default 'open',
  added_at timestamptz not null default now(),
  constraint cells_state check (state in ('open', 'full', 'closed')),
  constraint cells_cell check (cell between 0 and 9999)
);
insert into cells (cell) values (0);

-- Where a realm is. place counts its moves, so that of two heads the one with the higher place is right.
-- name is a copy of the realm's name, to search for it in all cells. next_key, rate and burst are those of
-- the realm only in the cell where it is.
alter table realms
  add column cell smallint not null default 0,
  add column to_cell smallint,
  add column place integer not null default 1,
  add column placed_at timestamptz not null default clock_timestamp(),
  add column name text;
-- Routers ask every moment which realms were placed since.
create index realms_placed on realms (placed_at, realm);
create index realms_of_cell on realms (cell, realm);

-- Which realm a key is for, in all cells: a cell that does not know a key answers 403 for one of another
-- realm, and 401 for one that does not exist.
create table key_places (
  hash bytea primary key,
  realm integer not null,
  constraint key_places_hash_length check (length(hash) = 32)
);
create index key_places_of_realm on key_places (realm);

-- The moves of realms. step is the last one that was done; seq and hash are the head that was handed over.
-- copied_to is the last entry that was copied before the replication began.
create table moves (
  realm integer not null references realms,
  place integer not null,
  from_cell smallint not null,
  to_cell smallint not null,
  step text not null default 'begun',
  copied_to bigint not null default 0,
  seq bigint,
  hash bytea,
  began_at timestamptz not null default clock_timestamp(),
  stepped_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  why text,
  primary key (realm, place, began_at),
  constraint moves_step check (step in ('begun', 'copied', 'published', 'subscribed', 'ready', 'paused',
    'passed', 'drained', 'landed', 'flipped', 'done', 'cancelled'))
);
-- One at a time for each realm.
create unique index moves_open on moves (realm) where ended_at is null;


-- In each cell ---------------------------------------------------------------------------------------

-- The number of this database's cell: one row.
create table this_cell (
  cell smallint not null
);
insert into this_cell values (0);

alter table heads add column place integer not null default 1;

-- Realms that were here. head has what the cell that it moved to needs besides the rows: next_key, rate and
-- burst of realms, the next account number. Rows of a realm that is here no more are deleted with
-- purge_began_at, and are gone with purged_at; then it may come back.
create table departed (
  realm integer primary key,
  place integer not null,
  to_cell smallint not null,
  seq bigint not null,
  hash bytea not null,
  head jsonb not null,
  departed_at timestamptz not null default clock_timestamp(),
  purge_began_at timestamptz,
  purged_at timestamptz,
  constraint departed_hash_length check (length(hash) = 32)
);
create policy bound on departed using (realm + 0 = any ((select bound_realms())::integer[]));
alter table departed enable row level security;

-- Realms that arrive. This one row decides: landed or cancelled, never both. Rows of the realm are written
-- while it is arriving; ready is when all of them follow the other cell's.
create table arrivals (
  realm integer not null,
  place integer not null,
  from_cell smallint not null,
  state text not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (realm, place),
  constraint arrivals_state check (state in ('arriving', 'ready', 'landed', 'cancelled'))
);
create policy bound on arrivals using (realm + 0 = any ((select bound_realms())::integer[]));
alter table arrivals enable row level security;

-- A row here is replicated behind everything that was written before it.
create table move_marks (
  realm integer not null,
  mark uuid not null,
  marked_at timestamptz not null default clock_timestamp(),
  primary key (realm, mark)
);
create policy bound on move_marks using (realm + 0 = any ((select bound_realms())::integer[]));
alter table move_marks enable row level security;


-- The fence ------------------------------------------------------------------------------------------

-- Binds realms for a write that the head does not fence: everything but entries. A realm that is not here
-- has no head, and is refused with EX002. The lock is shared among writers; a move takes it alone, so it
-- waits until each write that saw the head has ended, and the next one sees that it is gone.
create function bind_for_write(realms text) returns void language plpgsql as $$
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
end $$;
