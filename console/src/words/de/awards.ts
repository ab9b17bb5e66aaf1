import type { Words } from '../en.ts'

export const awards: Words['awards'] = {
  title: 'Sammelvergabe',
  intro: 'Füge eine Liste ein, sieh, was sie täte, und dann geschieht alles oder nichts.',
  list: 'Die Liste',
  listHint:
    'Je Mitglied eine Zeile: ID oder Name, Punkte und, wenn du magst, der Grund. Ein Minus nimmt Punkte weg.',
  example: '1190194345295482952, 25, Quiz gewonnen\nann, 10\nbob, -5, ein Versehen',
  reason: 'Grund für Zeilen ohne einen',
  check: 'Liste prüfen',
  again: 'Liste ändern',
  clear: 'Eine neue Liste',
  looking: (done, all) => `Mitglieder werden gesucht: ${done} von ${all}`,
  table: 'Was die Liste täte',
  line: 'Zeile',
  member: 'Mitglied',
  tokens: 'Punkte',
  after: 'Guthaben danach',
  why: 'Grund',
  newMember: 'neues Mitglied',
  total: (added, taken) => `${added} vergeben, ${taken} genommen`,
  lines: (count) => (count === '1' ? '1 Zeile' : `${count} Zeilen`),
  wrongLines: (count) =>
    count === '1'
      ? 'Eine Zeile ist zu berichtigen. Nichts wurde geändert.'
      : `${count} Zeilen sind zu berichtigen. Nichts wurde geändert.`,
  wouldDo: 'Noch ist nichts geändert. Es geschieht alles oder nichts davon.',
  confirm: (count) => (count === '1' ? 'Diese Änderung machen' : `Alle ${count} Änderungen machen`),
  done: 'Alles ist getan',
  doneHint: (count) => (count === '1' ? '1 Eintrag wurde gemacht.' : `${count} Einträge wurden gemacht.`),
  seeEntry: 'Den ersten Eintrag sehen',
  entry: 'Eintrag',
  none: 'Die Liste ist leer. Füge für jedes Mitglied eine Zeile ein.',
  tooMany: (most) => `Eine Liste hat höchstens ${most} Zeilen. Teile sie auf.`,
  faults: {
    shape: 'Erwartet werden eine ID oder ein Name und die Punkte: ann, 10',
    amount: (text) => `„${text}“ ist keine Punktzahl: eine ganze Zahl außer 0, nur in Ziffern.`,
    grouped: (text) =>
      `Ist „${text}“ Teil einer größeren Zahl? Schreibe Punkte nur in Ziffern und den Grund nicht nur in Ziffern.`,
    mangled: (text) => `${text} macht eine Tabelle aus einer langen ID. Kopiere die Spalte als Text.`,
    unknown: (text) => `Niemand heißt hier „${text}“. Suche nach einem Tippfehler oder nimm die ID.`,
    unknownId: (text) => `Ein Mitglied ${text} gibt es nicht. Nimm es erst auf oder suche nach einem Fehler.`,
    ambiguous: (text, ids) => `Mehrere heißen „${text}“: Nimm eine der IDs ${ids}.`,
    many: (text) => `Zu viele Namen beginnen mit „${text}“, um zu wissen, wer gemeint ist: Nimm die ID.`,
    longReason: 'Ein Grund hat höchstens 500 Zeichen.',
  },
}
