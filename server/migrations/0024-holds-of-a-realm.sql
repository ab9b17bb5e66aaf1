-- oldest release that runs on this schema: 0.1.0

-- The open holds of a realm, the newest first, page by page.
create index holds_open_of_realm on holds (realm, seq) where ended_seq is null;
