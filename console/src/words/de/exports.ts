import type { Words } from '../en.ts'

export const exports: Words['exports'] = {
  title: 'Export',
  intro: 'Jede Datei zeigt einen einheitlichen Stand. Der Export unterbricht den Betrieb nicht.',
  files: {
    'members.csv': {
      name: 'Mitglieder',
      what: 'IDs, Namen und Wallets in den Spalten, die ein Import erwartet.',
    },
    'balances.csv': {
      name: 'Guthaben',
      what: 'Verfügbare und vorgemerkte Punkte jedes Mitglieds, nach Punktart.',
    },
    'entries.csv': { name: 'Einträge', what: 'Alle Journaleinträge mit ihren Details.' },
    'realm.ndjson': {
      name: 'Der ganze Realm',
      what: 'Alles außer den Schlüsseln, als NDJSON: für Archiv, Prüfung oder Serverumzug.',
    },
  },
  spreadsheet: 'Sicher im Tabellenprogramm: IDs behalten alle Ziffern, und Namen werden nie zu Formeln.',
  download: (name) => `${name} herunterladen`,
  save: 'Herunterladen',
  stop: 'Stoppen',
  needsOwner: 'Nur Inhaber können den ganzen Realm exportieren.',
  running: (lines, size) => `${lines} Zeilen, bisher ${size}`,
  done: (lines, size) => `${lines} Zeilen, ${size} gespeichert`,
  asOf: (seq) => `Stand: Eintrag ${seq}`,
  cut: 'Die Verbindung ist abgebrochen. Es wurde nichts gespeichert; lade die Datei erneut herunter.',
}
