import type { Words } from '../en.ts'

export const exports: Words['exports'] = {
  title: 'Export',
  intro: 'Jede Datei ist eine konsistente Momentaufnahme. Der Export unterbricht nichts.',
  files: {
    'members.csv': {
      name: 'Mitglieder',
      what: 'IDs, Namen und Wallets, in den Spalten für einen Import.',
    },
    'balances.csv': {
      name: 'Guthaben',
      what: 'Was jedes Mitglied ausgeben kann und was vorgemerkt ist, je Punktart.',
    },
    'entries.csv': { name: 'Einträge', what: 'Jeder Eintrag des Journals mit seinen Details.' },
    'realm.ndjson': {
      name: 'Der ganze Realm',
      what: 'Alles außer Schlüsseln, als NDJSON: zum Archivieren, Prüfen oder Umziehen.',
    },
  },
  spreadsheet:
    'Gefahrlos in einer Tabelle zu öffnen: IDs behalten alle Ziffern, und kein Name wird zur Formel.',
  download: (name) => `${name} herunterladen`,
  save: 'Herunterladen',
  stop: 'Anhalten',
  needsOwner: 'Nur Inhaber können den ganzen Realm exportieren.',
  running: (lines, size) => `${lines} Zeilen, ${size} bisher`,
  done: (lines, size) => `${lines} Zeilen, ${size} gespeichert`,
  asOf: (seq) => `Stand: Eintrag ${seq}`,
  cut: 'Die Verbindung brach vor dem Ende ab. Nichts wurde gespeichert; lade die Datei erneut herunter.',
}
