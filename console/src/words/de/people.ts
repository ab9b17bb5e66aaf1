import type { Words } from '../en.ts'

export const people: Words['people'] = {
  title: 'Personen',
  intro: 'Dein Team und seine Berechtigungen.',
  list: 'Personen in diesem Realm',
  none: 'Noch keine Teammitglieder',
  noneHint: 'Lade eine Person ein. Sie bekommt einen Anmeldelink.',
  invite: 'Person einladen',
  inviteIntro: 'Die Person bekommt einen Link, der sie einmal anmeldet und ihr diese Rolle gibt.',
  name: 'Name',
  nameHint: 'Erscheint neben dem, was die Person hier tut.',
  nameMissing: 'Gib einen Namen ein.',
  email: 'E-Mail-Adresse',
  emailHint:
    'Damit lässt sich die Einladung auch nach der Anmeldung mit dem eigenen Konto annehmen, ohne den Link.',
  emailWrong: 'Gib eine gültige E-Mail-Adresse ein.',
  role: 'Rolle',
  roles: {
    viewer: 'Kann Mitglieder, Punkte und das Journal sehen. Kann nichts ändern.',
    manager: 'Kann auch Mitglieder aufnehmen, Punkte vergeben und abziehen und Einträge rückgängig machen.',
    owner: 'Kann auch Einstellungen, Punktarten, Schlüssel und Personen ändern und importieren.',
  },
  signsInBy: 'Meldet sich an',
  by: { provider: 'mit einem Konto', link: 'mit Link' },
  lastSeen: 'Zuletzt da',
  added: 'Seit',
  neverSeen: 'nie',
  forgotten: (id) => `Person ${id}`,
  changeRole: 'Rolle ändern',
  changeTitle: (name) => `Rolle von ${name} ändern`,
  ownRole: 'Das ist deine eigene Rolle. Ohne „Inhaber“ kannst du sie nicht zurückändern.',
  roleChanged: (name, role) => `${name}: ${role}`,
  newLink: 'Neuer Anmeldelink',
  newLinkTitle: (name) => `Anmeldelink für ${name}`,
  newLinkText:
    'Für eine Person, deren letzter Link benutzt und deren Sitzung abgelaufen ist. Wer den Link hat, kann ' +
    'sich als diese Person anmelden. Er funktioniert einmal, innerhalb eines Tages.',
  makeLink: 'Link erstellen',
  theLink: 'Anmeldelink',
  linkOnce:
    'Dieser Link wird nur einmal gezeigt. Wer ihn öffnet, ist als diese Person angemeldet: Schicke ihn nur ' +
    'ihr. Er funktioniert einmal.',
  linkUntil: (when) => `Gültig bis ${when}.`,
  remove: 'Aus Realm entfernen',
  removeTitle: (name) => `${name} aus diesem Realm entfernen?`,
  removeText:
    'Die Person verliert innerhalb einer Sekunde den Zugriff auf diesen Realm. Bisherige Aktionen bleiben ' +
    'mit ihrem Namen erhalten. Schlüssel, die sie ausgestellt hat, funktionieren weiter; sie stehen danach ' +
    'auf dieser Seite, wo du sie widerrufen kannst.',
  removeSelf: 'Das bist du. Du verlierst den Zugriff auf diesen Realm.',
  removed: (name) => `${name} aus diesem Realm entfernt`,
  orphaned: 'Verwaiste Schlüssel',
  orphanedIntro:
    'Ausgestellt von Personen, die entfernt wurden oder keine Schlüssel mehr ausstellen dürfen. Sie ' +
    'funktionieren, bis du sie widerrufst.',
  issuedBy: 'Ausgestellt von',
  issuer: (name, role) => `${name} (${role})`,
  wasRemoved: 'entfernt',
  revokeAll: 'Alle widerrufen',
  revokeSeveral: (count) => `${count} Schlüssel widerrufen?`,
  revokeSeveralText:
    'Programme, die sie verwenden, verlieren binnen einer Sekunde den Zugriff. Das lässt sich nicht ' +
    'rückgängig machen.',
  revokeOf: (name) => `Schlüssel „${name}“ widerrufen`,
  revokedSeveral: (count) => `${count} Schlüssel widerrufen`,
  invitations: 'Offene Einladungen',
  noInvitations: 'Keine offenen Einladungen.',
  invited: (name) => `Einladung für ${name}`,
  madeBy: 'Eingeladen von',
  until: 'Gültig bis',
  withdraw: 'Zurückziehen',
  withdrawn: (name) => `Einladung für ${name} zurückgezogen`,
}
