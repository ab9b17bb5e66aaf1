-- oldest release that runs on this schema: 0.1.0

-- When the person with this address declined. The realm that invited them still sees an open invitation, so
-- that it does not learn whether the address signs in here.
alter table invitations add column declined_at timestamptz;
