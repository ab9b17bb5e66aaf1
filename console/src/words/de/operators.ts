import type { Words } from '../en.ts'

export const operators: Words['operators'] = {
  title: 'Betreiber',
  intro: 'Betreiber kommen in jeden Realm, legen neue an und sehen, wie es der Installation geht.',
  list: 'Betreiber',
  none: 'Hier meldet sich noch kein Betreiber an',
  noneHint: 'Lade jemanden ein: man bekommt einen Link, der anmeldet.',
  invite: 'Betreiber einladen',
  inviteIntro: 'Es gibt einen Link, der einmal anmeldet. Ein Betreiber darf alles in jedem Realm.',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeText:
    'Name, E-Mail-Adresse, jede Rolle und jeder Weg zur Anmeldung werden vergessen, in allen Realms. ' +
    'Sitzungen enden innerhalb einer Sekunde. Was die Person getan hat, bleibt mit ihrer Nummer. Schlüssel ' +
    'und Token, die sie ausgestellt hat, funktionieren weiter; du siehst sie danach. Das lässt sich nicht ' +
    'rückgängig machen.',
  removeSelf: 'Das bist du. Du wirst sofort abgemeldet.',
  removed: (name) => `${name} ist entfernt`,
  left: (name) => `Was ${name} ausgestellt hat, funktioniert noch`,
  leftIntro: 'Widerrufe, was du nicht kennst. Programme, die es benutzen, funktionieren dann nicht mehr.',
  token: 'Betreiber-Token',
  keyOf: (realm) => `Schlüssel von ${realm}`,
  kind: 'Art',
  done: 'Fertig',
}
