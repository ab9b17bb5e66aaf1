-- oldest release that runs on this schema: 0.1.0

-- Members by the beginning of a name. Where a policy applies, PostgreSQL looks into an index by functions
-- alone that it knows to tell nothing; lower() is none of them, and each search would read the whole realm. A
-- view with the same wall in its condition is looked up by index. To read alone.
create view bound_members as
  select realm, account, id, username, display_name from members
  where realm + 0 = any ((select bound_realms())::integer[]);
