import type { Words } from '../en.ts'

export const points: Words['points'] = {
  title: 'Punktarten',
  intro: 'Die Punktarten dieses Realms. Anfragen ohne Angabe verwenden die Standard-Punktart.',
  list: 'Punktarten',
  name: 'Name',
  nameMissing: 'Gib einen Namen ein.',
  id: 'ID',
  idHint:
    'Für Programme: ein Buchstabe, dann Buchstaben, Ziffern, _ oder -. Bleibt das Feld leer, wird eine ID ' +
    'erzeugt.',
  idWrong: 'Verwende einen Buchstaben, dann bis zu 63 Buchstaben, Ziffern, _ oder -.',
  emoji: 'Emoji',
  emojiHint: 'Steht vor dem Namen. Es kann auch der Name eines Emojis in deinem Chat sein, etwa :gold:.',
  isDefault: 'Standard',
  transferable: 'Mitglieder können sie untereinander übertragen',
  transferableShort: 'Übertragungen',
  transfers: { yes: 'erlaubt', no: 'nicht erlaubt' },
  limits: 'Limits',
  limitHint: 'Leer lassen für kein Limit.',
  limitWrong: 'Gib eine ganze Zahl von 1 bis 9007199254740991 ein oder lass das Feld leer.',
  maxBalance: 'Maximales Guthaben pro Mitglied',
  maxPerTransfer: 'Maximum pro Übertragung',
  maxPerDay: 'Maximal übertragbar pro Mitglied und Tag',
  short: {
    maxBalance: (amount) => `${amount} pro Mitglied`,
    maxPerTransfer: (amount) => `${amount} pro Übertragung`,
    maxPerDay: (amount) => `${amount} pro Tag`,
  },
  noLimits: 'keine',
  add: 'Punktart anlegen',
  added: (name) => `${name} angelegt`,
  change: 'Bearbeiten',
  changeTitle: (name) => `${name} bearbeiten`,
  changeHint:
    'Die Regeln gelten ab der nächsten Änderung an Punkten. Mitglieder über einem neuen Limit behalten ' +
    'ihre Punkte.',
  makeDefault: 'Als Standard festlegen',
  isDefaultNow: (name) => `${name} ist jetzt Standard`,
  archive: 'Archivieren',
  archiveTitle: (name) => `${name} archivieren?`,
  archiveText:
    'Die Punktart wird ausgeblendet und lässt sich weder verwenden noch ändern. Mitglieder behalten ihr ' +
    'Guthaben. Es ist wieder verfügbar, sobald du die Punktart wiederherstellst.',
  archiveDone: (name) => `${name} archiviert`,
  restore: 'Wiederherstellen',
  restoreDone: (name) => `${name} wiederhergestellt`,
  archivedTitle: 'Archiviert',
}
