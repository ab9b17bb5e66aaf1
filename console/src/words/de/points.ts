import type { Words } from '../en.ts'

export const points: Words['points'] = {
  title: 'Punktarten',
  intro: 'Was Mitglieder hier haben können. Eine Anfrage ohne Punktart meint den Standard.',
  list: 'Punktarten',
  name: 'Name',
  nameMissing: 'Gib ihr einen Namen.',
  id: 'ID',
  idHint:
    'Wie Programme sie nennen: ein Buchstabe, dann Buchstaben, Ziffern, _ oder -. Leer wird sie von ' +
    'selbst gemacht.',
  idWrong: 'Ein Buchstabe, dann bis zu 63 Buchstaben, Ziffern, _ oder -.',
  emoji: 'Emoji',
  emojiHint: 'Steht vor dem Namen. Es kann auch der Name eines Emojis in deinem Chat sein, etwa :gold:.',
  isDefault: 'Standard',
  transferable: 'Mitglieder können sie einander übertragen',
  transferableShort: 'Übertragen',
  transfers: { yes: 'erlaubt', no: 'nicht erlaubt' },
  limits: 'Grenzen',
  limitHint: 'Leer heißt ohne Grenze.',
  limitWrong: 'Eine ganze Zahl von 1 bis 9007199254740991, oder leer.',
  maxBalance: 'Ein Mitglied darf höchstens haben',
  maxPerTransfer: 'Auf einmal darf man höchstens übertragen',
  maxPerDay: 'Am Tag darf ein Mitglied höchstens übertragen',
  short: {
    maxBalance: (amount) => `${amount} je Mitglied`,
    maxPerTransfer: (amount) => `${amount} je Übertragung`,
    maxPerDay: (amount) => `${amount} am Tag`,
  },
  noLimits: 'keine',
  add: 'Punktart anlegen',
  added: (name) => `${name} ist angelegt`,
  change: 'Ändern',
  changeTitle: (name) => `${name} ändern`,
  changeHint:
    'Regeln gelten ab der nächsten Änderung von Punkten. Wer mehr als eine neue Grenze hat, behält es.',
  makeDefault: 'Zum Standard machen',
  isDefaultNow: (name) => `${name} ist jetzt der Standard`,
  archive: 'Archivieren',
  archiveTitle: (name) => `${name} archivieren?`,
  archiveText:
    'Niemand sieht sie mehr oder kann sie ändern. Was Mitglieder davon haben, bleibt und ist wieder ' +
    'da, wenn du sie zurückholst.',
  archiveDone: (name) => `${name} ist archiviert`,
  restore: 'Zurückholen',
  restoreDone: (name) => `${name} ist zurück`,
  archivedTitle: 'Im Archiv',
}
