import type { Words } from '../en.ts'

export const operators: Words['operators'] = {
  title: 'Betreiber',
  intro: 'Betreiber können Realms öffnen und anlegen und den Status der Installation sehen.',
  list: 'Betreiber',
  none: 'Noch keine Betreiber',
  noneHint: 'Lade eine Person ein. Sie bekommt einen Anmeldelink.',
  invite: 'Betreiber einladen',
  inviteIntro:
    'Die Person bekommt einen Link, der sie einmal anmeldet. Betreiber dürfen in jedem Realm alles.',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeText:
    'Name, E-Mail-Adresse, Rollen und Anmeldemethoden werden in allen Realms gelöscht. Sitzungen enden ' +
    'innerhalb einer Sekunde. Bisherige Aktionen bleiben mit der Nummer der Person erhalten. Schlüssel ' +
    'und Token, die sie ausgestellt hat, funktionieren weiter und werden dir danach angezeigt. Das lässt ' +
    'sich nicht rückgängig machen.',
  removeSelf: 'Das bist du. Du wirst sofort abgemeldet.',
  removed: (name) => `${name} entfernt`,
  left: (name) => `Schlüssel und Token von ${name} funktionieren noch`,
  leftIntro: 'Widerrufe, was du nicht kennst. Programme, die es verwenden, verlieren den Zugriff.',
  token: 'Betreiber-Token',
  keyOf: (realm) => `Schlüssel von ${realm}`,
  kind: 'Art',
  done: 'Fertig',
}
