#!/bin/sh
# The two roles and the database, for a PostgreSQL that starts for the first time.
set -eu
psql --set ON_ERROR_STOP=1 --set owner="$OWNER_PASSWORD" --set server="$SERVER_PASSWORD" \
  --username "${POSTGRES_USER:-postgres}" <<'SQL'
create role exchequer_owner login password :'owner';
create role exchequer_server login password :'server';
create database exchequer owner exchequer_owner;
SQL
