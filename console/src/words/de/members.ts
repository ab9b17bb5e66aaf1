import type { Words } from '../en.ts'

export const members: Words['members'] = {
  title: 'Mitglieder',
  kind: 'Punktart',
  search: 'Anfang eines Namens, vollständige ID, Identität oder Wallet',
  count: (count) => (count === '1' ? '1 Mitglied' : `${count} Mitglieder`),
  found: (count) => `${count} gefunden`,
  foundMore: (count) => `mehr als ${count} gefunden`,
  foundByName: (text) => `Namen, die mit „${text}“ beginnen`,
  name: 'Name',
  id: 'ID',
  joined: 'Mitglied seit',
  moved: 'Letzte Änderung',
  frozen: 'Eingefroren',
  hidden: 'Ausgeblendet',
  none: 'Noch keine Mitglieder',
  noneHint: 'Füge Mitglieder einzeln hinzu oder importiere eine Liste.',
  noResults: (text) => `Keine Treffer für „${text}“`,
  noResultsHint:
    'Gesucht wird nach Anfängen von Anzeige- und Benutzernamen sowie vollständigen IDs und Wallets.',
  add: 'Mitglied hinzufügen',
  addIntro:
    'Die ID eines Mitglieds ist eine ganze Zahl, etwa seine Benutzer-ID in deinem Chat. Für eine Identität ' +
    'wie shop:9f1c wird eine ID erzeugt.',
  added: (name) => `${name} hinzugefügt`,
  idField: 'Mitglieds-ID',
  idWrong: 'Gib eine ganze Zahl von 1 bis 9223372036854775807 ein, oder eine Identität wie shop:9f1c.',
  username: 'Benutzername',
  displayName: 'Anzeigename',
  list: 'Mitgliederliste',
  open: (name) => `${name} öffnen`,
}
