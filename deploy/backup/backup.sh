#!/bin/sh
# Backs up in a loop, next to the PostgreSQL that PGBACKREST_PG1_PATH and PGBACKREST_PG1_SOCKET_PATH name: at
# its start, then incrementally each day, and in full once on Sundays. PGBACKREST_* say where, and how long
# they are kept; docs/operate/backup.md says how to restore. With BACKUP_ONCE set it ends after one backup.
set -eu

# A backup that began today and succeeded.
has_full() { pgbackrest info | grep -q "full backup: $(date +%Y%m%d)-"; }

backup() {
  # Only a completed backup counts; pgBackRest itself detects what is missing.
  type=incr
  if [ "$(date +%u)" = 7 ] && ! has_full; then type=full; fi
  pgbackrest --type="$type" backup || return
  report || true
}

# For the textfile collector of node_exporter, whose folder TEXTFILE_FOLDER names. It must not read half a
# file.
report() {
  [ -n "${TEXTFILE_FOLDER:-}" ] || return 0
  echo "exchequer_backup_last_success_timestamp_seconds $(date +%s)" >"$TEXTFILE_FOLDER/exchequer_backup.tmp"
  mv "$TEXTFILE_FOLDER/exchequer_backup.tmp" "$TEXTFILE_FOLDER/exchequer_backup.prom"
}

# Both commands can be repeated safely, and wait for PostgreSQL to archive its first segment.
until pgbackrest stanza-create && pgbackrest check; do
  echo 'PostgreSQL is not ready to be backed up; retrying in 10 s' >&2
  sleep 10
done
while :; do
  if backup; then pause=86400; else pause=600; fi
  pgbackrest info
  [ -z "${BACKUP_ONCE:-}" ] || exit 0
  sleep "$pause"
done
