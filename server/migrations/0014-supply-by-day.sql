-- oldest release that runs on this schema: 0.1.0

-- What was issued and spent on each day, and by how much what is held changed.
alter table daily
  add column issued numeric not null default 0,
  add column spent numeric not null default 0,
  add column held numeric not null default 0;

-- What a build tells. What was folded before this is of form 1, and is folded anew when it is next asked for.
alter table standings add column form smallint not null default 1;
