import type { Words } from '../en.ts'

export const exports: Words['exports'] = {
  title: 'Export',
  intro: 'Dateien haben den Stand eines Eintrags im Journal, während alles weiterläuft.',
  files: {
    'members.csv': {
      name: 'Mitglieder',
      what: 'IDs, Namen und Wallets, in den Spalten, die ein Import annimmt.',
    },
    'balances.csv': {
      name: 'Guthaben',
      what: 'Was jedes Mitglied ausgeben kann und was vorgemerkt ist, je Punktart.',
    },
    'entries.csv': {
      name: 'Einträge',
      what: 'Jeder Eintrag des Journals, mit dem, was dazu gesagt wurde.',
    },
    'realm.ndjson': {
      name: 'Der ganze Realm',
      what: 'Alles außer Schlüsseln, als NDJSON: zum Aufbewahren, Prüfen oder Umziehen.',
    },
  },
  spreadsheet: 'CSV öffnet sich in einer Tabelle: IDs behalten alle Ziffern, und kein Name wird zur Formel.',
  download: (name) => `${name} herunterladen`,
  save: 'Herunterladen',
  stop: 'Anhalten',
  needsOwner: 'Nur Inhaber können den ganzen Realm herausnehmen.',
  running: (lines, size) => `${lines} Zeilen, ${size} bisher`,
  done: (lines, size) => `${lines} Zeilen, ${size} gespeichert`,
  asOf: (seq) => `Stand: Eintrag ${seq}`,
  cut: 'Die Verbindung brach ab, bevor die Datei ganz war. Nichts wurde gespeichert: lade sie noch einmal.',
}
