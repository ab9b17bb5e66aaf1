import type { Words } from '../en.ts'

export const finder: Words['finder'] = {
  title: 'Suchen',
  placeholder: 'Name, ID, Wallet, Eintragsnummer, Seite oder Aktion',
  nothing:
    'Keine Treffer. Gesucht wird nach jedem Teil eines Namens oder einer ID, nach dem Anfang einer Wallet, ' +
    'nach Seiten und Aktionen.',
  members: 'Mitglieder',
  entries: 'Einträge',
  places: 'Gehe zu',
  doing: 'Aktionen',
  keys: '↑ ↓ auswählen, Enter öffnen, Esc schließen',
  openEntry: (seq) => `Eintrag ${seq} öffnen`,
  undoEntry: (seq) => `Eintrag ${seq} rückgängig machen …`,
  reasons: (text) => `Gründe nach „${text}“ durchsuchen`,
  verbs: {
    award: 'vergeben gutschreiben geben',
    take: 'abziehen wegnehmen',
    transfer: 'übertragen',
    hold: 'reservieren zurücklegen',
    freeze: 'einfrieren sperren',
    undo: 'rückgängig stornieren',
  },
  acts: {
    award: (name) => `Punkte vergeben an ${name} …`,
    take: (name) => `Punkte abziehen von ${name} …`,
    transfer: (name) => `Punkte übertragen von ${name} …`,
    hold: (name) => `Punkte reservieren von ${name} …`,
    freeze: (name) => `${name} einfrieren …`,
    unfreeze: (name) => `Einfrieren von ${name} aufheben …`,
  },
  aMember: 'ein Mitglied',
  undoAny: 'Eintrag rückgängig machen …',
  undoIn: 'Eintrag im Journal auswählen',
  invite: 'Person einladen …',
  inviteAlso: 'Team Rolle hinzufügen',
  addMember: 'Mitglied hinzufügen …',
  addMemberAlso: 'neu anlegen',
  verify: 'Journal prüfen …',
  verifyAlso: 'Kette Hash verifizieren',
  signOutAlso: 'ausloggen beenden',
}
