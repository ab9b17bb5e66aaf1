#!/bin/sh
# Creates the secrets that compose.yaml passes to its services as files, in the folder "secrets":
#   sh deploy/secrets.sh
# The user of the containers is not known here, so the files are world-readable; only you can open the folder.
set -eu
umask 077
mkdir secrets || { echo 'the folder secrets already exists; nothing was changed' >&2; exit 1; }
cd secrets
random() { openssl rand -hex 32; }
for name in superuser_password owner_password server_password operator_token; do random >"$name"; done
echo "k1:$(random)" >key_secrets
# Without TLS: PostgreSQL is in the network of compose.yaml. For one on another machine:
# docs/operate/settings.md#tls-to-postgresql
echo "postgres://exchequer_server:$(cat server_password)@postgres:5432/exchequer" >database_url
echo "postgres://exchequer_owner:$(cat owner_password)@postgres:5432/exchequer" >database_owner_url
chmod 444 -- *
echo 'Keep a copy of secrets/key_secrets apart from your backups: without it no API key works.'
