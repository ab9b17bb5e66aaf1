import type { Words } from '../en.ts'

export const finder: Words['finder'] = {
  title: 'Suchen',
  placeholder: 'Ein Mitglied, die Nummer eines Eintrags, oder was zu tun ist',
  nothing:
    'Nichts gefunden. Tippe, wie ein Name beginnt, eine ID, ein Wallet oder die Nummer eines Eintrags.',
  members: 'Mitglieder',
  entries: 'Einträge',
  places: 'Gehe zu',
  keys: '↑ ↓ zum Bewegen, Enter zum Öffnen, Esc zum Schließen',
  openEntry: (seq) => `Eintrag ${seq} öffnen`,
}
