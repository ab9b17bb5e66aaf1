import type { Words } from '../en.ts'

export const finder: Words['finder'] = {
  title: 'Suchen',
  placeholder: 'Anfang eines Namens, Eintragsnummer oder Seite',
  nothing:
    'Keine Treffer. Gesucht wird am Anfang von Namen; IDs, Wallets und Eintragsnummern nur vollständig.',
  members: 'Mitglieder',
  entries: 'Einträge',
  places: 'Gehe zu',
  keys: '↑ ↓ zum Bewegen, Enter zum Öffnen, Esc zum Schließen',
  openEntry: (seq) => `Eintrag ${seq} öffnen`,
}
