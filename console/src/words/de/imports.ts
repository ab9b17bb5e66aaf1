import type { Words } from '../en.ts'

export const imports: Words['imports'] = {
  title: 'Import',
  intro:
    'Importiere Mitglieder, Wallets und Anfangsguthaben. Die ganze Datei wird geprüft, bevor sich etwas ' +
    'ändert.',
  drop: 'CSV- oder NDJSON-Datei hier ablegen',
  dropHint:
    'CSV in UTF-8 mit Kommas, Semikolons oder Tabs, oder NDJSON mit einem Objekt pro Zeile. Bis zu 32 MB.',
  choose: 'Datei auswählen',
  tooLarge: 'Diese Datei ist größer als 32 MB. Importiere sie über die Kommandozeile: exchequer import DATEI',
  notUtf8:
    'Diese Datei ist nicht in UTF-8. Speichere sie im Tabellenprogramm als „CSV UTF-8“ und lege sie ' +
    'erneut ab.',
  noRows: 'Diese Datei enthält keine Zeilen. Ist es die richtige?',
  wholeRealm:
    'Das ist der Export eines ganzen Realms. Der Betreiber kann ihn importieren: exchequer db realm ' +
    'import DATEI',
  wrongFormat: 'Das ist weder CSV noch NDJSON. Speichere deine Tabelle als CSV und lege die Datei ab.',
  file: (name, size) => `${name}, ${size}`,
  rows: (count) => (count === '1' ? '1 Zeile' : `${count} Zeilen`),
  other: 'Andere Datei auswählen',
  columns: 'Spalten zuordnen',
  columnsHint:
    'Nach Namen zugeordnet. Korrigiere, was nicht stimmt; übersprungene Spalten werden nicht importiert.',
  ndjsonHint: 'NDJSON-Felder haben feste Namen: id, username, displayName, wallet, chain, balance.',
  header: 'Erste Zeile enthält Spaltennamen',
  column: (name) => `Spalte ${name}`,
  nameless: (nth) => `Spalte ${nth}`,
  sample: 'Erste Zeilen',
  targets: {
    '': 'Überspringen',
    id: 'Mitglieds-ID',
    username: 'Benutzername',
    displayName: 'Anzeigename',
    wallet: 'Wallets',
    chain: 'Chain des Wallets',
  },
  balance: (kind) => `Anfangsguthaben: ${kind}`,
  needsId: 'Wähle die Spalte mit den Mitglieds-IDs.',
  twice: (name) => `Zwei Spalten sind „${name}“ zugeordnet. Wähle eine.`,
  name: 'Name dieses Imports',
  nameHint:
    'Pro Importname bekommt jedes Mitglied nur einmal ein Anfangsguthaben. Behalte den Namen für eine ' +
    'korrigierte Datei bei; wähle für neue Daten einen neuen.',
  check: 'Datei prüfen',
  checking: (done, all) => `${done} von ${all} Zeilen geprüft`,
  result: 'Vorschau',
  clean: 'Bereit zum Import. Noch wurde nichts geändert.',
  faulty: (count) =>
    count === '1'
      ? 'Eine Zeile muss korrigiert werden. Es wurde nichts geändert.'
      : `${count} Zeilen müssen korrigiert werden. Es wurde nichts geändert.`,
  faultyMore: (count) => `Mehr als ${count} Zeilen müssen korrigiert werden. Es wurde nichts geändert.`,
  faultyHint: 'Korrigiere die Datei und lege sie erneut ab.',
  faultList: 'Zeilen mit Fehlern',
  line: 'Zeile',
  id: 'ID in der Datei',
  wrong: 'Fehler und Lösung',
  saveFaults: 'Liste herunterladen',
  mangledTitle: (count) =>
    count === '1'
      ? 'Ein Tabellenprogramm hat eine ID verfälscht'
      : `Ein Tabellenprogramm hat ${count} IDs verfälscht`,
  mangledHint:
    'Tabellenprogramme behalten nur 15 Ziffern einer Zahl. Die ursprünglichen IDs lassen sich nicht ' +
    'wiederherstellen: Öffne die Originaldatei mit der Spalte als Text und exportiere sie erneut.',
  allowRounded: 'Die IDs, die auf Nullen enden, sind korrekt',
  allowRoundedHint: 'Eine von zehntausend echten 19-stelligen IDs endet so.',
  mangled: {
    exponent:
      'Von einem Tabellenprogramm verfälscht: Die Ziffern sind verloren. Exportiere die Spalte als Text.',
    rounded:
      'Wirkt von einem Tabellenprogramm gerundet: Nach der 15. Ziffer folgen nur Nullen. Exportiere die ' +
      'Spalte als Text.',
  },
  faults: {
    twice: (line) => `Diese ID steht bereits in Zeile ${line}. Behalte nur eine der beiden.`,
    cells: (cells, columns) =>
      `Diese Zeile hat ${cells} Zellen, aber es gibt ${columns} Spalten. Steht ein Komma außerhalb von ` +
      'Anführungszeichen?',
    quote: 'Das hier geöffnete Anführungszeichen wird nie geschlossen.',
  },
  created: 'Neue Mitglieder',
  updated: 'Aktualisierte Mitglieder',
  linked: 'Verknüpfte Wallets',
  made: 'Anfangsguthaben',
  there: 'Bereits importiert',
  onTop: 'Zu vorhandenen Punkten addiert',
  onTopTitle: (count) =>
    count === '1'
      ? '1 Guthaben ist für ein Mitglied, das bereits Punkte hat'
      : `${count} Guthaben sind für Mitglieder, die bereits Punkte haben`,
  onTopHint:
    'Sie haben Punkte, eine Vormerkung oder ein Anfangsguthaben. Hast du diese Datei schon einmal ' +
    'importiert? Dann geh zurück und verwende denselben Namen.',
  addOnTop: 'Diese Guthaben zu den vorhandenen Punkten der Mitglieder addieren',
  total: (kind) => `Summe ${kind}`,
  start: 'Importieren',
  importing: (done, all) => `${done} von ${all} Zeilen importiert`,
  stay: 'Bleib auf dieser Seite, bis der Import fertig ist.',
  stopped:
    'Der Import wurde unterbrochen. Starte ihn erneut, um dort weiterzumachen; nichts wird doppelt ' +
    'importiert.',
  done: 'Import abgeschlossen',
  doneHint: (rows) => (rows === '1' ? '1 Zeile importiert.' : `${rows} Zeilen importiert.`),
  members: 'Mitglieder ansehen',
}
