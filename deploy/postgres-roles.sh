#!/bin/sh
# Creates the two roles and the database when PostgreSQL starts for the first time. Passwords are in
# OWNER_PASSWORD and SERVER_PASSWORD, or in the files that OWNER_PASSWORD_FILE and SERVER_PASSWORD_FILE name.
set -eu
owner=${OWNER_PASSWORD:-$(cat "$OWNER_PASSWORD_FILE")}
server=${SERVER_PASSWORD:-$(cat "$SERVER_PASSWORD_FILE")}
psql --set ON_ERROR_STOP=1 --set owner="$owner" --set server="$server" \
  --username "${POSTGRES_USER:-postgres}" <<'SQL'
create role exchequer_owner login password :'owner';
create role exchequer_server login password :'server';
create database exchequer owner exchequer_owner;
SQL
