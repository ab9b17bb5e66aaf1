import type { Words } from '../en.ts'

export const session: Words['session'] = {
  title: 'Anmelden',
  intro: 'Verwalte die Punkte deiner Community.',
  withAccount: 'Mit deinem Konto anmelden',
  withLink: 'Mit diesem Link anmelden',
  linkIntro: 'Dieser Link meldet dich einmal an.',
  noWay: 'Bitte einen Inhaber deines Realms oder den Betreiber um einen Anmeldelink.',
  askLink: 'Kein Konto? Bitte einen Inhaber deines Realms oder den Betreiber um einen Anmeldelink.',
  ended: 'Deine Sitzung ist abgelaufen. Melde dich wieder an, um zu dieser Seite zurückzukehren.',
  signedOut: 'Du bist auf allen deinen Geräten abgemeldet.',
  linkUsed: 'Dieser Link wurde bereits benutzt, ist abgelaufen oder unvollständig. Bitte um einen neuen.',
  failed: {
    denied:
      'Die Anmeldung wurde abgebrochen oder vom Anbieter abgelehnt. Versuche es erneut oder mit einem anderen Konto.',
    uninvited:
      'Für diese Adresse gibt es keine Einladung. Bitte einen Inhaber des Realms darum und versuche es erneut.',
    expired: 'Die Anmeldung hat zu lange gedauert oder lief in einem anderen Tab weiter. Versuche es erneut.',
    unverified:
      'Dein Anbieter hat deine E-Mail-Adresse nicht bestätigt. Bestätige sie dort und versuche es erneut.',
    failed:
      'Anmeldung fehlgeschlagen. Versuche es erneut. Klappt es wieder nicht, wende dich an den Betreiber.',
  },
  realmsTitle: 'Deine Realms',
  noRealms: 'Du hast noch in keinem Realm eine Rolle',
  noRealmsHint: 'Bitte einen Inhaber des Realms, dich aufzunehmen, und lade diese Seite neu.',
  findRealm: 'Realm finden',
  invitations: 'Einladungen für dich',
  invitationsIntro: 'Dein Name und deine E-Mail-Adresse sind dort erst sichtbar, wenn du annimmst.',
  invitedAs: (role, until) => `${role} · bis ${until}`,
  toOperators: 'Betreiber dieser Installation',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  acceptOf: (name) => `Einladung annehmen: ${name}`,
  declineOf: (name) => `Einladung ablehnen: ${name}`,
  accepted: (name) => `Du bist jetzt dabei: ${name}`,
  declined: (name) => `Einladung abgelehnt: ${name}`,
  invited: (count) => (count === 1 ? 'Du hast eine Einladung.' : `Du hast ${count} Einladungen.`),
  seeInvitations: 'Ansehen',
}
