import type { Words } from '../en.ts'

export const points: Words['points'] = {
  title: 'Punktarten',
  intro: 'Die Punktarten dieses Realms. Anfragen ohne Punktart verwenden den Standard.',
  list: 'Punktarten',
  name: 'Name',
  nameMissing: 'Gib einen Namen ein.',
  id: 'ID',
  idHint:
    'Für Programme: ein Buchstabe, dann Buchstaben, Ziffern, _ oder -. Bleibt das Feld leer, wird sie ' +
    'erzeugt.',
  idWrong: 'Ein Buchstabe, dann bis zu 63 Buchstaben, Ziffern, _ oder -.',
  emoji: 'Emoji',
  emojiHint: 'Steht vor dem Namen. Es kann auch der Name eines Emojis in deinem Chat sein, etwa :gold:.',
  isDefault: 'Standard',
  transferable: 'Mitglieder können sie einander übertragen',
  transferableShort: 'Übertragen',
  transfers: { yes: 'erlaubt', no: 'nicht erlaubt' },
  limits: 'Grenzen',
  limitHint: 'Leer lassen für keine Grenze.',
  limitWrong: 'Gib eine ganze Zahl von 1 bis 9007199254740991 ein, oder lass das Feld leer.',
  maxBalance: 'Höchstes Guthaben je Mitglied',
  maxPerTransfer: 'Höchstens je Übertragung',
  maxPerDay: 'Höchstens je Mitglied und Tag übertragen',
  short: {
    maxBalance: (amount) => `${amount} je Mitglied`,
    maxPerTransfer: (amount) => `${amount} je Übertragung`,
    maxPerDay: (amount) => `${amount} je Tag`,
  },
  noLimits: 'keine',
  add: 'Punktart anlegen',
  added: (name) => `${name} angelegt`,
  change: 'Bearbeiten',
  changeTitle: (name) => `${name} bearbeiten`,
  changeHint:
    'Regeln gelten ab der nächsten Änderung von Punkten. Mitglieder über einer neuen Grenze behalten ihre Punkte.',
  makeDefault: 'Zum Standard machen',
  isDefaultNow: (name) => `${name} ist jetzt der Standard`,
  archive: 'Archivieren',
  archiveTitle: (name) => `${name} archivieren?`,
  archiveText:
    'Sie ist verborgen und lässt sich nicht verwenden oder ändern. Mitglieder behalten ihre Guthaben, die ' +
    'wieder verfügbar sind, wenn du sie wiederherstellst.',
  archiveDone: (name) => `${name} archiviert`,
  restore: 'Wiederherstellen',
  restoreDone: (name) => `${name} wiederhergestellt`,
  archivedTitle: 'Archiviert',
}
