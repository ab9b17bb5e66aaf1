import type { Words } from '../en.ts'

export const people: Words['people'] = {
  title: 'Personen',
  intro: 'Wer sich hier um diesen Realm kümmert, und was jede und jeder darf.',
  list: 'Personen dieses Realms',
  none: 'Hier hat noch niemand eine Rolle',
  noneHint: 'Lade jemanden ein: man bekommt einen Link, der anmeldet.',
  invite: 'Jemanden einladen',
  inviteIntro: 'Es gibt einen Link, der einmal anmeldet und diese Rolle gibt.',
  name: 'Name',
  nameHint: 'Steht neben dem, was die Person hier tut.',
  nameMissing: 'Gib einen Namen an.',
  email: 'E-Mail-Adresse',
  emailHint:
    'Damit lässt sich die Einladung auch nach der Anmeldung mit dem eigenen Konto annehmen, ohne den Link.',
  emailWrong: 'Das ist keine E-Mail-Adresse.',
  role: 'Rolle',
  roles: {
    viewer: 'Sieht Mitglieder, Punkte und das Journal. Ändert nichts.',
    manager: 'Nimmt auch Mitglieder auf, vergibt und nimmt Punkte und macht Einträge rückgängig.',
    owner: 'Ändert auch Einstellungen, Punktarten, Schlüssel und Personen, und importiert.',
  },
  signsInBy: 'Meldet sich an',
  by: { provider: 'mit einem Konto', link: 'mit Link' },
  lastSeen: 'Zuletzt da',
  added: 'Seit',
  neverSeen: 'nie',
  forgotten: (id) => `Person ${id}`,
  changeRole: 'Rolle ändern',
  changeTitle: (name) => `Die Rolle von ${name}`,
  ownRole: 'Das ist deine eigene Rolle. Ohne „Inhaber“ kannst du sie nicht zurückändern.',
  roleChanged: (name, role) => `${name}: ${role}`,
  newLink: 'Neuer Link zum Anmelden',
  newLinkTitle: (name) => `Ein Link für ${name}`,
  newLinkText:
    'Für jemanden, dessen letzter Link benutzt und dessen Sitzung zu Ende ist. Wer den Link hat, ist ' +
    'diese Person; er geht einen Tag lang, und einmal.',
  makeLink: 'Link machen',
  theLink: 'Der Link',
  linkOnce:
    'Dieser Link wird einmal gezeigt. Wer ihn öffnet, ist als diese Person angemeldet: schicke ihn ' +
    'niemand anderem. Er geht einmal.',
  linkUntil: (when) => `Er geht bis ${when}.`,
  remove: 'Rolle nehmen',
  removeTitle: (name) => `${name} die Rolle nehmen?`,
  removeText:
    'Die Person kommt innerhalb einer Sekunde nicht mehr in diesen Realm. Was sie getan hat, bleibt ' +
    'mit ihrem Namen. Schlüssel, die sie ausgestellt hat, funktionieren weiter; sie stehen danach auf ' +
    'dieser Seite und lassen sich dort widerrufen.',
  removeSelf: 'Das bist du. Du kommst dann nicht mehr in diesen Realm.',
  removed: (name) => `${name} hat hier keine Rolle mehr`,
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
    'Was sie benutzt, funktioniert innerhalb einer Sekunde nicht mehr. Das lässt sich nicht rückgängig ' +
    'machen.',
  revokeOf: (name) => `Schlüssel „${name}“ widerrufen`,
  revokedSeveral: (count) => `${count} Schlüssel sind widerrufen`,
  invitations: 'Offene Einladungen',
  noInvitations: 'Niemand hat eine Einladung, die noch offen ist.',
  invited: (name) => `Die Einladung von ${name}`,
  madeBy: 'Gemacht von',
  until: 'Gültig bis',
  withdraw: 'Zurückziehen',
  withdrawn: (name) => `Die Einladung von ${name} ist zurückgezogen`,
}
