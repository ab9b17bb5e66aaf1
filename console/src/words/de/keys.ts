import type { Words } from '../en.ts'

export const keys: Words['keys'] = {
  title: 'Schlüssel',
  intro: 'Mit einem Schlüssel kann ein Programm, etwa ein Bot oder ein Shop, auf diesen Realm zugreifen.',
  list: 'Schlüssel dieses Realms',
  none: 'Noch keine Schlüssel',
  noneHint:
    'Ein Bot, ein Shop oder ein Skript braucht einen Schlüssel, um Mitglieder zu lesen und Punkte zu ändern.',
  issue: 'Schlüssel ausstellen',
  issueIntro:
    'Gib jedem Programm einen eigenen Schlüssel. So kannst du einen widerrufen, ohne dass andere ' +
    'betroffen sind.',
  name: 'Name',
  nameHint: 'Wer ihn verwendet, etwa „der Bot“.',
  nameMissing: 'Gib einen Namen ein, damit du später weißt, wofür der Schlüssel ist.',
  scopes: 'Berechtigungen',
  scopesMissing: 'Wähle mindestens eine.',
  usual: 'Mitglieder und Wallets lesen, Punkte ändern',
  scope: {
    'members:read': {
      name: 'Mitglieder lesen',
      hint: 'Namen, Guthaben, Verlauf, Rangliste und Statistik.',
    },
    'members:write': {
      name: 'Mitglieder ändern',
      hint: 'Hinzufügen, umbenennen, einfrieren, ausblenden und entfernen.',
    },
    'wallets:read': { name: 'Wallets lesen', hint: 'Welches Wallet zu welchem Mitglied gehört.' },
    'wallets:write': { name: 'Wallets ändern', hint: 'Verknüpfungen herstellen und aufheben.' },
    'points:write': {
      name: 'Punkte ändern',
      hint: 'Vergeben, abziehen, übertragen, vormerken und stornieren.',
    },
    'journal:read': { name: 'Journal lesen', hint: 'Alle Einträge mit Nachweis sowie Exporte.' },
    'realm:admin': {
      name: 'Realm verwalten',
      hint: 'Einstellungen, Punktarten, Schlüssel, Webhooks, Personen und Importe. Nicht für Bots.',
    },
  },
  limits: 'Limits',
  noLimits: 'keine',
  maxPerChange: 'Höchstens so viele Punkte je Änderung',
  maxPerDay: 'Höchstens so viele Punkte am Tag',
  limitHint: 'Leer lassen für kein Limit. Empfohlen für einen Assistenten oder ein neues Programm.',
  dayHint:
    'Alles, was der Schlüssel bewegt, zählt: Gutschriften, Abzüge, Übertragungen, Vormerkungen. Der Tag gilt ' +
    'in UTC.',
  limitWrong: 'Gib eine ganze Zahl von 1 bis 9007199254740991 ein oder lass das Feld leer.',
  short: {
    maxPerChange: (amount) => `${amount} je Änderung`,
    maxPerDay: (amount) => `${amount} pro Tag`,
  },
  created: 'Ausgestellt',
  lastUsed: 'Zuletzt verwendet',
  neverUsed: 'nie',
  expires: 'Läuft ab',
  expiry: 'Gültigkeit',
  never: 'nie',
  untilRevoked: 'Bis zum Widerruf',
  days: (days) => `${days} Tage`,
  onDay: 'Bis zu einem bestimmten Datum',
  day: 'Letzter Tag',
  dayWrong: 'Wähle einen Tag in der Zukunft.',
  shownOnce: 'Dieser Schlüssel wird nur einmal angezeigt. Kopiere ihn jetzt.',
  theKey: 'Schlüssel',
  issued: (name) => `Schlüssel „${name}“ ausgestellt`,
  rotate: 'Ersetzen',
  rotateTitle: (name) => `Schlüssel „${name}“ ersetzen`,
  rotateIntro:
    'Du bekommst einen neuen Schlüssel mit gleichem Namen, gleichen Berechtigungen und gleichen Limits. ' +
    'Verwende ihn statt des alten.',
  overlap: 'Alter Schlüssel läuft ab',
  overlaps: {
    '0': 'Sofort',
    '3600': 'In einer Stunde',
    '86400': 'In einem Tag',
    '604800': 'In sieben Tagen',
    '2592000': 'In 30 Tagen',
  },
  rotated: (name) => `Neuer Schlüssel „${name}“`,
  change: 'Name, Ablauf oder Limits ändern',
  changeTitle: (name) => `Schlüssel „${name}“ ändern`,
  asItIs: 'Unverändert',
  revoke: 'Widerrufen',
  revokeTitle: (name) => `Schlüssel „${name}“ widerrufen?`,
  revokeText:
    'Programme, die ihn verwenden, verlieren innerhalb einer Sekunde den Zugriff. Das lässt sich nicht ' +
    'rückgängig machen.',
  revokeUsed: (ago) => `Zuletzt verwendet: ${ago}.`,
  revokeUnused: 'Er wurde nie verwendet.',
  revoked: (name) => `Schlüssel „${name}“ widerrufen`,
  state: { revoked: 'Widerrufen', expired: 'Abgelaufen', soon: 'Läuft bald ab' },
  ended: (count) => `Widerrufene und abgelaufene anzeigen (${count})`,
  hideEnded: 'Widerrufene und abgelaufene ausblenden',
}
