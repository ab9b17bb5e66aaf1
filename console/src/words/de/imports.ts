import type { Words } from '../en.ts'

export const imports: Words['imports'] = {
  title: 'Import',
  intro: 'Importiere Mitglieder, Wallets und Anfangsguthaben. Die ganze Datei wird vorher geprüft.',
  drop: 'Lege eine CSV- oder NDJSON-Datei hier ab',
  dropHint:
    'CSV in UTF-8 mit Kommas, Semikolons oder Tabs, oder NDJSON mit einem Objekt je Zeile. Höchstens 32 MB.',
  choose: 'Datei wählen',
  tooLarge: 'Diese Datei ist größer als 32 MB. Importiere sie über die Kommandozeile: exchequer import DATEI',
  notUtf8:
    'Diese Datei ist nicht UTF-8. Speichere sie in der Tabelle als „CSV UTF-8“ und lege sie erneut ab.',
  noRows: 'Diese Datei enthält keine Zeilen. Ist es die richtige?',
  wholeRealm:
    'Das ist der Export eines ganzen Realms. Der Betreiber kann ihn importieren: exchequer db realm import DATEI',
  wrongFormat: 'Das ist weder CSV noch NDJSON. Speichere deine Tabelle als CSV und lege die Datei ab.',
  file: (name, size) => `${name}, ${size}`,
  rows: (count) => (count === '1' ? '1 Zeile' : `${count} Zeilen`),
  other: 'Andere Datei',
  columns: 'Spalten zuordnen',
  columnsHint:
    'Nach Namen zugeordnet. Korrigiere, was falsch ist; ausgelassene Spalten werden nicht importiert.',
  ndjsonHint: 'NDJSON-Felder haben feste Namen: id, username, displayName, wallet, chain, balance.',
  header: 'Erste Zeile enthält Spaltennamen',
  column: (name) => `Spalte ${name}`,
  nameless: (nth) => `Spalte ${nth}`,
  sample: 'Erste Zeilen',
  targets: {
    '': 'Auslassen',
    id: 'ID des Mitglieds',
    username: 'Benutzername',
    displayName: 'Anzeigename',
    wallet: 'Wallets',
    chain: 'Chain der Wallets',
  },
  balance: (kind) => `Anfangsguthaben: ${kind}`,
  needsId: 'Wähle die Spalte mit den IDs der Mitglieder.',
  twice: (name) => `Zwei Spalten sind „${name}“ zugeordnet. Wähle eine.`,
  name: 'Name dieses Imports',
  nameHint:
    'Jedes Mitglied bekommt je Importname einmal ein Anfangsguthaben. Behalte den Namen für eine korrigierte Datei; wähle einen neuen für neue Daten.',
  check: 'Datei prüfen',
  checking: (done, all) => `${done} von ${all} Zeilen geprüft`,
  result: 'Vorschau',
  clean: 'Bereit zum Import. Noch ist nichts geändert.',
  faulty: (count) =>
    count === '1'
      ? 'Eine Zeile muss korrigiert werden. Nichts wurde geändert.'
      : `${count} Zeilen müssen korrigiert werden. Nichts wurde geändert.`,
  faultyMore: (count) => `Mehr als ${count} Zeilen müssen korrigiert werden. Nichts wurde geändert.`,
  faultyHint: 'Korrigiere sie in der Datei und lege sie erneut ab.',
  faultList: 'Zeilen mit Fehlern',
  line: 'Zeile',
  id: 'ID in der Datei',
  wrong: 'Fehler und Abhilfe',
  saveFaults: 'Liste herunterladen',
  mangledTitle: (count) =>
    count === '1' ? 'Eine Tabelle hat eine ID verstümmelt' : `Eine Tabelle hat ${count} IDs verstümmelt`,
  mangledHint:
    'Tabellen behalten nur 15 Ziffern einer Zahl. Die ursprünglichen IDs lassen sich nicht wiederherstellen: Öffne das Original mit der Spalte als Text und exportiere es erneut.',
  allowRounded: 'Die IDs, die auf Nullen enden, sind korrekt',
  allowRoundedHint: 'Eine von zehntausend echten IDs mit 19 Ziffern endet so.',
  mangled: {
    exponent: 'Von einer Tabelle verstümmelt: Die Ziffern sind verloren. Exportiere die Spalte als Text.',
    rounded: 'Sieht gerundet aus: Nach der 15. Ziffer folgen nur Nullen. Exportiere die Spalte als Text.',
  },
  faults: {
    twice: (line) => `Diese ID steht schon in Zeile ${line}. Behalte eine davon.`,
    cells: (cells, columns) =>
      `Diese Zeile hat ${cells} Zellen, aber es gibt ${columns} Spalten. Fehlen Anführungszeichen um ein Komma?`,
    quote: 'Hier beginnt ein Anführungszeichen, das nie endet.',
  },
  created: 'Neue Mitglieder',
  updated: 'Geänderte Mitglieder',
  linked: 'Verknüpfte Wallets',
  made: 'Anfangsguthaben',
  there: 'Schon importiert',
  onTop: 'Zu vorhandenen Punkten addiert',
  onTopTitle: (count) =>
    count === '1'
      ? '1 Guthaben ist für ein Mitglied, das schon Punkte hat'
      : `${count} Guthaben sind für Mitglieder, die schon Punkte haben`,
  onTopHint:
    'Sie haben Punkte, vorgemerkte Punkte oder ein Anfangsguthaben. Hast du diese Datei schon importiert? Dann geh zurück und nimm den Namen von damals.',
  addOnTop: 'Diese Guthaben zu dem addieren, was die Mitglieder schon haben',
  total: (kind) => `Summe ${kind}`,
  start: 'Importieren',
  importing: (done, all) => `${done} von ${all} Zeilen importiert`,
  stay: 'Bleibe auf dieser Seite, bis der Import fertig ist.',
  stopped:
    'Der Import wurde unterbrochen. Importiere erneut, um fortzufahren; nichts wird doppelt importiert.',
  done: 'Import abgeschlossen',
  doneHint: (rows) => (rows === '1' ? '1 Zeile importiert.' : `${rows} Zeilen importiert.`),
  members: 'Mitglieder ansehen',
}
