import type { Words } from '../en.ts'

export const awards: Words['awards'] = {
  title: 'Sammelvergabe',
  intro: 'Füge eine Liste ein und sieh dir die Vorschau an. Es werden alle Zeilen ausgeführt oder keine.',
  list: 'Liste',
  listHint: 'Eine Zeile je Mitglied: ID oder Name, Punkte und optional ein Grund. Ein Minus zieht Punkte ab.',
  example: '1190194345295482952, 25, Quiz gewonnen\nann, 10\nbob, -5, ein Versehen',
  reason: 'Grund für Zeilen ohne einen',
  check: 'Vorschau',
  again: 'Liste bearbeiten',
  clear: 'Neue Liste',
  looking: (done, all) => `Mitglieder werden gesucht: ${done} von ${all}`,
  table: 'Vorschau der Änderungen',
  line: 'Zeile',
  member: 'Mitglied',
  tokens: 'Punkte',
  after: 'Guthaben danach',
  why: 'Grund',
  newMember: 'neues Mitglied',
  total: (added, taken) => `${added} vergeben, ${taken} abgezogen`,
  lines: (count) => (count === '1' ? '1 Zeile' : `${count} Zeilen`),
  wrongLines: (count) =>
    count === '1'
      ? 'Eine Zeile muss korrigiert werden. Nichts wurde geändert.'
      : `${count} Zeilen müssen korrigiert werden. Nichts wurde geändert.`,
  wouldDo: 'Noch ist nichts geändert. Es werden alle Zeilen ausgeführt oder keine.',
  confirm: (count) => (count === '1' ? '1 Änderung ausführen' : `${count} Änderungen ausführen`),
  done: 'Alle Änderungen ausgeführt',
  doneHint: (count) => (count === '1' ? '1 Eintrag erstellt.' : `${count} Einträge erstellt.`),
  seeEntry: 'Ersten Eintrag ansehen',
  entry: 'Eintrag',
  none: 'Die Liste ist leer. Füge für jedes Mitglied eine Zeile ein.',
  tooMany: (most) => `Eine Liste kann höchstens ${most} Zeilen haben. Teile sie auf.`,
  faults: {
    shape: 'Erwartet werden eine ID oder ein Name und die Punkte: ann, 10',
    amount: (text) => `„${text}“ ist keine gültige Punktzahl. Gib eine ganze Zahl außer 0 ein.`,
    grouped: (text) =>
      `Ist „${text}“ Teil einer größeren Zahl? Schreibe 1.000 als 1000. Ein Grund darf nicht nur aus Ziffern bestehen.`,
    mangled: (text) => `${text} ist eine lange ID, von einer Tabelle gekürzt. Kopiere die Spalte als Text.`,
    unknown: (text) => `Kein Mitglied heißt „${text}“. Prüfe die Schreibweise oder nimm die ID.`,
    unknownId: (text) => `Mitglied ${text} gibt es nicht. Nimm es zuerst auf oder prüfe die ID.`,
    ambiguous: (text, ids) => `Mehrere Mitglieder heißen „${text}“. Nimm eine dieser IDs: ${ids}.`,
    many: (text) => `Zu viele Namen beginnen mit „${text}“. Nimm die ID.`,
    longReason: 'Ein Grund darf höchstens 500 Zeichen haben.',
  },
}
