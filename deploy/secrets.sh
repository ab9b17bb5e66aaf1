#!/bin/sh
# Makes what compose.yaml hands to its services as files, in the folder "secrets", once:
#   sh deploy/secrets.sh
# Whoever runs the containers can't be known here, so each may read the files; the folder is yours alone.
set -eu
umask 077
mkdir secrets || { echo 'secrets is there already: it is made once' >&2; exit 1; }
cd secrets
random() { openssl rand -hex 32; }
for name in superuser_password owner_password server_password operator_token; do random >"$name"; done
echo "k1:$(random)" >key_secrets
echo "postgres://exchequer_server:$(cat server_password)@postgres:5432/exchequer" >database_url
echo "postgres://exchequer_owner:$(cat owner_password)@postgres:5432/exchequer" >database_owner_url
chmod 444 -- *
echo 'Keep a copy of secrets/key_secrets apart from your backups: without it no key opens anything.'
