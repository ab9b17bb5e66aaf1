-- oldest release that runs on this schema: 0.1.0

-- Set while a realm can only be read. Part of its configuration, so a change of it gives the head a new
-- configuration version, and every process decides by it at once.
alter table settings add column suspended_at timestamptz, add column suspended_reason text;
