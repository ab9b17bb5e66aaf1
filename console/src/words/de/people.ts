import type { Words } from '../en.ts'

export const people: Words['people'] = {
  title: 'Personen',
  intro: 'Dein Team und seine Berechtigungen.',
  list: 'Personen in diesem Realm',
  none: 'Noch keine Personen',
  noneHint: 'Lade eine Person ein. Sie bekommt einen Anmeldelink.',
  invite: 'Person einladen',
  inviteIntro: 'Die Person bekommt einen Link, der sie einmal anmeldet und ihr diese Rolle gibt.',
  name: 'Name',
  nameHint: 'Erscheint neben allem, was die Person hier tut.',
  nameMissing: 'Gib einen Namen ein.',
  email: 'E-Mail-Adresse',
  emailHint:
    'Damit kann die Person die Einladung auch ohne Link annehmen, indem sie sich mit ihrem Konto anmeldet.',
  emailWrong: 'Gib eine gültige E-Mail-Adresse ein.',
  role: 'Rolle',
  roles: {
    viewer: 'Kann Mitglieder, Punkte und das Journal sehen, aber nichts ändern.',
    manager: 'Kann außerdem Mitglieder hinzufügen, Punkte vergeben und abziehen sowie Einträge stornieren.',
    owner: 'Kann außerdem Einstellungen, Punktarten, Schlüssel und Personen ändern sowie importieren.',
  },
  signsInBy: 'Anmeldung',
  by: { provider: 'mit Konto', link: 'per Link' },
  lastSeen: 'Zuletzt aktiv',
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
    'Für eine Person, die ihren letzten Link schon verwendet hat und deren Sitzung abgelaufen ist. Wer ' +
    'den Link hat, kann sich als diese Person anmelden. Er funktioniert einmal und gilt einen Tag.',
  makeLink: 'Link erstellen',
  theLink: 'Anmeldelink',
  linkOnce:
    'Dieser Link wird nur einmal angezeigt. Wer ihn öffnet, ist als diese Person angemeldet. Schicke ihn ' +
    'deshalb nur an sie. Er funktioniert einmal.',
  linkUntil: (when) => `Gültig bis ${when}.`,
  remove: 'Aus dem Realm entfernen',
  removeTitle: (name) => `${name} aus diesem Realm entfernen?`,
  removeText:
    'Die Person verliert innerhalb einer Sekunde den Zugriff auf diesen Realm. Bisherige Aktionen bleiben ' +
    'mit ihrem Namen erhalten. Schlüssel, die sie ausgestellt hat, funktionieren weiter. Du findest sie ' +
    'auf dieser Seite und kannst sie dort widerrufen.',
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
    'Programme, die sie verwenden, verlieren innerhalb einer Sekunde den Zugriff. Das lässt sich nicht ' +
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
