-- oldest release that runs on this schema: 0.1.0

-- Servers ask every moment which keys were revoked of late, for all realms at once.
create index keys_revoked on keys (revoked_at) where revoked_at is not null;
