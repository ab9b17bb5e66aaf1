#!/bin/sh
# Backs up for ever, beside the PostgreSQL that PGBACKREST_PG1_PATH and PGBACKREST_PG1_SOCKET_PATH name: at
# its start, then each day what has changed, and on Sundays all, once. PGBACKREST_* say where, and how long
# they are kept; docs/operate/backup.md says how to restore. With BACKUP_ONCE set it ends after the first.
set -eu

# One that began today and ended well.
has_full() { pgbackrest info | grep -q "full backup: $(date +%Y%m%d)-"; }

backup() {
  # Only one that ended counts: what is behind, pgBackRest itself finds out.
  type=incr
  if [ "$(date +%u)" = 7 ] && ! has_full; then type=full; fi
  pgbackrest --type="$type" backup
}

# Both are harmless when they were done before, and wait for PostgreSQL to archive its first segment.
until pgbackrest stanza-create && pgbackrest check; do
  echo 'PostgreSQL is not ready to be backed up; again in 10 s' >&2
  sleep 10
done
while :; do
  if backup; then pause=86400; else pause=600; fi
  pgbackrest info
  [ -z "${BACKUP_ONCE:-}" ] || exit 0
  sleep "$pause"
done
