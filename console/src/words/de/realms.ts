import type { Words } from '../en.ts'

export const realms: Words['realms'] = {
  create: 'Realm anlegen',
  createIntro: 'Ein Realm ist eine Gemeinschaft mit eigenen Mitgliedern, Punkten und eigenem Journal.',
  name: 'Name',
  nameMissing: 'Gib ihm einen Namen.',
  point: 'Seine Punkte heißen',
  pointHint: 'Die erste Punktart. Andere können folgen.',
  pointUsual: 'Punkte',
  id: 'ID',
  idHint: 'Wie Programme ihn nennen: Buchstaben, Ziffern, _ oder -. Leer wird sie von selbst gemacht.',
  idWrong: '1 bis 64 Buchstaben, Ziffern, _ oder -.',
  made: (name) => `${name} ist angelegt`,
  none: 'Noch keine Realms',
  noneHint: 'Lege den ersten an: ein Name genügt.',
  nothing: (text) => `Kein Realm gefunden für „${text}“`,
  nothingHint: 'Ein Realm wird an einem Teil seines Namens oder seiner ID gefunden.',
  first: (count) => `Die ersten ${count} stehen hier. Ein anderer wird an seiner ganzen ID gefunden.`,
}
