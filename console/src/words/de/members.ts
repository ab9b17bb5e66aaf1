import type { Words } from '../en.ts'

export const members: Words['members'] = {
  title: 'Mitglieder',
  kind: 'Punktart',
  search: 'Name, ID, Identität oder Wallet',
  count: (count) => (count === '1' ? '1 Mitglied' : `${count} Mitglieder`),
  found: (count) => `${count} gefunden`,
  foundMore: (count) => `mehr als ${count} gefunden`,
  noneSoFar: 'Noch keine Treffer. Dieses Realm ist groß: Ein Teil ist noch nicht durchsucht.',
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
    'Gesucht wird nach jedem Teil eines Namens oder einer ID und nach dem Anfang einer Wallet. ' +
    'Groß- und Kleinschreibung und Akzente sind egal.',
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
