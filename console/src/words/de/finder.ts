import type { Words } from '../en.ts'

export const finder: Words['finder'] = {
  title: 'Suchen',
  placeholder: 'Anfang eines Namens, Eintragsnummer oder Seite',
  nothing:
    'Keine Treffer. Gesucht wird nach Namensanfängen sowie vollständigen IDs, Wallets und Eintragsnummern.',
  members: 'Mitglieder',
  entries: 'Einträge',
  places: 'Gehe zu',
  keys: '↑ ↓ auswählen, Enter öffnen, Esc schließen',
  openEntry: (seq) => `Eintrag ${seq} öffnen`,
}
