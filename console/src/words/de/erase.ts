import type { Words } from '../en.ts'

export const erase: Words['erase'] = {
  action: 'Mitglied löschen',
  title: (name) => `${name} löschen?`,
  deleted: 'Wird gelöscht',
  deletes: [
    'ID, Namen, Notiz und Metadaten',
    'Wallets und Namen bei anderen Diensten',
    'Grund, Referenz und Metadaten der Einträge',
  ],
  kept: 'Bleibt erhalten',
  keeps: [
    'Beträge und Guthaben im Journal, ohne Namen',
    'Das Audit-Protokoll mit der ID, bis seine Zeilen ablaufen',
    'Backups, exportierte Dateien und Daten, die Bots und Webhooks erhalten haben',
  ],
  pointsLeft: (name, points) =>
    `${name} hat noch Punkte: ${points}. Ziehe sie zuerst ab, übertrage sie, gib sie frei oder ziehe die ` +
    'Zusage zurück.',
  typeId: 'Zur Bestätigung die Mitglieds-ID eingeben',
  typeIdHint: (id) => `Die ID ist ${id}. Eine Löschung lässt sich nicht rückgängig machen.`,
  confirm: 'Löschen',
  done: (name) => `${name} ist gelöscht`,
  details: (count) =>
    count === '1'
      ? 'Details von 1 Eintrag wurden gelöscht.'
      : `Details von ${count} Einträgen wurden gelöscht.`,
}
