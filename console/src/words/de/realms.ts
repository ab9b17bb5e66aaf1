import type { Words } from '../en.ts'

export const realms: Words['realms'] = {
  create: 'Realm anlegen',
  createIntro: 'Ein Realm ist eine Community mit eigenen Mitgliedern, Punkten und eigenem Journal.',
  name: 'Name',
  nameMissing: 'Gib einen Namen ein.',
  point: 'Punktart',
  pointHint: 'Wie die Punkte heißen. Weitere Punktarten kannst du später anlegen.',
  pointUsual: 'Punkte',
  id: 'ID',
  idHint: 'Für Programme: Buchstaben, Ziffern, _ oder -. Bleibt das Feld leer, wird eine ID erzeugt.',
  idWrong: 'Verwende 1 bis 64 Buchstaben, Ziffern, _ oder -.',
  made: (name) => `${name} angelegt`,
  none: 'Noch keine Realms',
  noneHint: 'Lege den ersten an. Ein Name genügt.',
  nothing: (text) => `Kein Realm für „${text}“ gefunden`,
  nothingHint: 'Gesucht wird nach Teilen des Namens oder der ID.',
  first: (count) => `Angezeigt werden die ersten ${count}. Weitere findest du über ihre vollständige ID.`,
}
