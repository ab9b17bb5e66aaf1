import type { Words } from '../en.ts'

export const awards: Words['awards'] = {
  title: 'Sammelvergabe',
  intro: 'Füge eine Liste ein und prüfe die Vorschau. Entweder werden alle Zeilen übernommen oder keine.',
  list: 'Liste',
  listHint:
    'Eine Zeile pro Mitglied: ID oder Name, optional Punkte und ein Grund. Ein Minus zieht Punkte ab.',
  example: '1190194345295482952, 25, Quiz gewonnen\nann, 10\nbob, -5, Versehen',
  points: 'Punkte für Zeilen ohne Punkte',
  reason: 'Grund für Zeilen ohne eigenen Grund',
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
      ? 'Eine Zeile muss korrigiert werden. Es wurde nichts geändert.'
      : `${count} Zeilen müssen korrigiert werden. Es wurde nichts geändert.`,
  wouldDo: 'Noch wurde nichts geändert. Entweder werden alle Zeilen übernommen oder keine.',
  confirm: (count) => (count === '1' ? '1 Änderung übernehmen' : `${count} Änderungen übernehmen`),
  done: 'Alle Änderungen übernommen',
  doneHint: (count) => (count === '1' ? '1 Eintrag erstellt.' : `${count} Einträge erstellt.`),
  seeEntry: 'Ersten Eintrag ansehen',
  entry: 'Eintrag',
  none: 'Die Liste ist leer. Füge für jedes Mitglied eine Zeile ein.',
  tooMany: (most) => `Eine Liste kann höchstens ${most} Zeilen haben. Teile sie in mehrere auf.`,
  faults: {
    shape:
      'Erwartet werden eine ID oder ein Name, dann die Punkte: ann, 10. Oder gib die Punkte für Zeilen ohne ' +
      'Punkte an.',
    amount: (text) => `„${text}“ ist keine gültige Punktzahl. Gib eine ganze Zahl außer 0 ein.`,
    grouped: (text) =>
      `Ist „${text}“ Teil einer größeren Zahl? Schreibe 1.000 als 1000. Ein Grund darf nicht nur aus ` +
      'Ziffern bestehen.',
    mangled: (text) =>
      `${text} ist eine lange ID, die ein Tabellenprogramm gekürzt hat. Kopiere die Spalte als Text.`,
    unknown: (text) => `Kein Mitglied heißt „${text}“. Prüfe die Schreibweise oder verwende die ID.`,
    unknownId: (text) => `Mitglied ${text} gibt es nicht. Füge es zuerst hinzu oder prüfe die ID.`,
    ambiguous: (text, ids) => `Mehrere Mitglieder heißen „${text}“. Verwende eine dieser IDs: ${ids}.`,
    many: (text) => `Zu viele Mitglieder heißen „${text}“. Verwende die ID.`,
    longReason: 'Ein Grund darf höchstens 500 Zeichen haben.',
  },
}
