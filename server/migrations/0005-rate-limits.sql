-- oldest release that runs on this schema: 0.1.0

-- So many requests a second, and so many at once. Null is what holds for all; a rate of 0 is no limit.
-- In the directory, as they are read together with the key, before a realm is bound to anything.
alter table realms add column rate integer, add column burst integer;
alter table realms add constraint realms_rate_whole
  check (rate >= 0 and (rate is null) = (burst is null) and (rate = 0) = (burst = 0)) not valid;
alter table keys add column rate integer, add column burst integer;
alter table keys add constraint keys_rate_whole
  check (rate >= 0 and (rate is null) = (burst is null) and (rate = 0) = (burst = 0)) not valid;

-- What each process has spent of a limit that is much used, told to the others twice a second; key 0 is the
-- realm's own limit. Unlogged: true for a moment only, so it costs no log, waits for no standby, and may be
-- lost.
create unlogged table rates (
  realm integer not null,
  key integer not null,
  process uuid not null,
  spent double precision not null,
  asked double precision not null,
  level double precision not null,
  at timestamptz not null,
  primary key (realm, key, process)
) with (fillfactor = 50);
