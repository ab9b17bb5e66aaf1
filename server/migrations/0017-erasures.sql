-- oldest release that runs on this schema: 0.1.0

-- Entries of batches whose member was erased. What was said of a batch is stored once, with its first entry,
-- and the other members still see it; a row here keeps it from being returned with the erased one's entry.
create table erasures (
  realm integer not null,
  seq bigint not null,
  primary key (realm, seq)
);
create policy bound on erasures using (realm + 0 = any ((select bound_realms())::integer[]));
alter table erasures enable row level security;
