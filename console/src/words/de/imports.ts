import type { Words } from '../en.ts'

export const imports: Words['imports'] = {
  title: 'Import',
  intro: 'Bringe Mitglieder, Wallets und Anfangsguthaben aus einer Datei herein. Sie wird erst ganz geprüft.',
  drop: 'Lege eine CSV- oder NDJSON-Datei hier ab',
  dropHint:
    'CSV in UTF-8 mit Kommas, Semikolons oder Tabs; NDJSON mit einem Objekt je Zeile. Höchstens 32 MB.',
  choose: 'Datei wählen',
  tooLarge: 'Diese Datei ist größer als 32 MB. Nimm dafür die Kommandozeile: exchequer import DATEI',
  notUtf8:
    'Diese Datei ist nicht UTF-8. Speichere sie in der Tabelle als „CSV UTF-8“ und lege sie erneut ab.',
  noRows: 'In dieser Datei ist keine Zeile. Ist es die richtige?',
  wholeRealm:
    'Das ist der Export eines ganzen Realms. Der Betreiber bringt ihn herein: exchequer db realm import DATEI',
  wrongFormat: 'Das ist weder CSV noch NDJSON. Speichere deine Tabelle als CSV und lege die Datei ab.',
  file: (name, size) => `${name}, ${size}`,
  rows: (count) => (count === '1' ? '1 Zeile' : `${count} Zeilen`),
  other: 'Andere Datei',
  columns: 'Was die Spalten sind',
  columnsHint: 'An den Namen erraten. Ändere, was falsch ist; was du auslässt, wird nicht hereingebracht.',
  ndjsonHint: 'NDJSON benennt seine Felder selbst: id, username, displayName, wallet, chain, balance.',
  header: 'Die erste Zeile benennt die Spalten',
  column: (name) => `Spalte ${name}`,
  nameless: (nth) => `Spalte ${nth}`,
  sample: 'Erste Zeilen',
  targets: {
    '': 'Ausgelassen',
    id: 'ID des Mitglieds',
    username: 'Benutzername',
    displayName: 'Anzeigename',
    wallet: 'Wallets',
    chain: 'Chain der Wallets',
  },
  balance: (kind) => `Anfangsguthaben: ${kind}`,
  needsId: 'Sag, in welcher Spalte die IDs der Mitglieder stehen.',
  twice: (name) => `Zwei Spalten sind „${name}“. Wähle eine.`,
  name: 'Name dieses Imports',
  nameHint:
    'Unter einem Namen bekommt jedes Mitglied einmal ein Anfangsguthaben. Behalte ihn für eine berichtigte Datei; nimm einen neuen für etwas Neues.',
  check: 'Datei prüfen',
  checking: (done, all) => `${done} von ${all} Zeilen geprüft`,
  result: 'Was er täte',
  clean: 'Die Datei ist richtig. Noch ist nichts geändert.',
  faulty: (count) =>
    count === '1'
      ? 'Eine Zeile ist zu berichtigen. Nichts wurde geändert.'
      : `${count} Zeilen sind zu berichtigen. Nichts wurde geändert.`,
  faultyMore: (count) => `Mehr als ${count} Zeilen sind zu berichtigen. Nichts wurde geändert.`,
  mend: 'Berichtige sie in der Datei und lege sie erneut ab.',
  faultList: 'Zeilen mit einem Fehler',
  line: 'Zeile',
  id: 'ID in der Datei',
  wrong: 'Was falsch ist und was zu tun ist',
  saveFaults: 'Diese Liste speichern',
  mangledTitle: (count) =>
    count === '1' ? 'Eine Tabelle hat eine ID verstümmelt' : `Eine Tabelle hat ${count} IDs verstümmelt`,
  mangledHint:
    'Sie behält 15 Ziffern einer Zahl. Die wahren IDs sind nicht zu erraten: Öffne das Original noch einmal mit der Spalte als Text und exportiere es neu.',
  allowRounded: 'Die IDs, die auf Nullen enden, sind richtig so',
  allowRoundedHint: 'Eine von zehntausend wahren IDs mit 19 Ziffern endet so.',
  mangled: {
    exponent: 'Von einer Tabelle verstümmelt: Die Ziffern sind verloren. Exportiere die Spalte als Text.',
    rounded: 'Sieht gerundet aus: Hinter der 15. Ziffer stehen nur Nullen. Exportiere die Spalte als Text.',
  },
  faults: {
    twice: (line) => `Diese ID steht schon auf Zeile ${line}. Behalte eine davon.`,
    cells: (cells, columns) =>
      `Diese Zeile hat ${cells} Zellen, aber es gibt ${columns} Spalten. Fehlen Anführungszeichen um ein Komma?`,
    quote: 'Hier beginnt ein Anführungszeichen, das nie endet.',
  },
  created: 'Neue Mitglieder',
  updated: 'Geänderte Mitglieder',
  linked: 'Verknüpfte Wallets',
  made: 'Anfangsguthaben',
  there: 'Schon da',
  onTop: 'Zusätzlich',
  onTopTitle: (count) =>
    count === '1'
      ? '1 Guthaben ist für ein Mitglied, das schon Punkte hat'
      : `${count} Guthaben sind für Mitglieder, die schon Punkte haben`,
  onTopHint:
    'Sie haben Punkte, vorgemerkte Punkte oder ein Anfangsguthaben. Hast du diese Datei schon importiert? Dann geh zurück und nimm den Namen von damals.',
  addOnTop: 'Diese Guthaben zu dem addieren, was die Mitglieder schon haben',
  total: (kind) => `Summe ${kind}`,
  start: 'Importieren',
  importing: (done, all) => `${done} von ${all} Zeilen hereingebracht`,
  stay: 'Bleibe auf dieser Seite, bis es fertig ist.',
  stopped:
    'Unterwegs angehalten. Importiere noch einmal: Es geht weiter, wo es war, und nichts wird doppelt gemacht.',
  done: 'Der Import ist fertig',
  doneHint: (rows) =>
    rows === '1' ? '1 Zeile wurde hereingebracht.' : `${rows} Zeilen wurden hereingebracht.`,
  members: 'Die Mitglieder sehen',
}
