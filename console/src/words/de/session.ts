import type { Words } from '../en.ts'

export const session: Words['session'] = {
  title: 'Anmelden',
  intro: 'Verwalte die Punkte deiner Community.',
  withAccount: 'Mit deinem Konto anmelden',
  withLink: 'Mit diesem Link anmelden',
  linkIntro: 'Mit diesem Link kannst du dich einmal anmelden.',
  noWay: 'Bitte einen Inhaber deines Realms oder den Betreiber um einen Anmeldelink.',
  askLink: 'Kein Konto? Bitte einen Inhaber deines Realms oder den Betreiber um einen Anmeldelink.',
  ended: 'Deine Sitzung ist abgelaufen. Melde dich wieder an, um zu dieser Seite zurückzukehren.',
  signedOut: 'Du bist auf all deinen Geräten abgemeldet.',
  linkUsed: 'Dieser Link wurde bereits verwendet, ist abgelaufen oder unvollständig. Bitte um einen neuen.',
  failed: {
    denied:
      'Die Anmeldung wurde abgebrochen oder von deinem Anbieter abgelehnt. Versuche es erneut oder mit ' +
      'einem anderen Konto.',
    uninvited:
      'Für diese Adresse gibt es keine Einladung. Bitte einen Inhaber des Realms darum und versuche es ' +
      'dann erneut.',
    expired:
      'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Tab fortgesetzt. Versuche es erneut.',
    unverified:
      'Dein Anbieter hat deine E-Mail-Adresse nicht bestätigt. Bestätige sie dort und versuche es dann ' +
      'erneut.',
    failed:
      'Anmeldung fehlgeschlagen. Versuche es erneut. Klappt es wieder nicht, wende dich an den Betreiber.',
  },
  realmsTitle: 'Deine Realms',
  noRealms: 'Du hast noch in keinem Realm eine Rolle',
  noRealmsHint: 'Bitte einen Inhaber des Realms, dich hinzuzufügen, und lade diese Seite dann neu.',
  findRealm: 'Realm suchen',
  invitations: 'Einladungen für dich',
  invitationsIntro: 'Dein Name und deine E-Mail-Adresse sind dort erst sichtbar, wenn du annimmst.',
  invitedAs: (role, until) => `${role} · bis ${until}`,
  toOperators: 'Betreiber dieser Installation',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  acceptOf: (name) => `Einladung annehmen: ${name}`,
  declineOf: (name) => `Einladung ablehnen: ${name}`,
  accepted: (name) => `Einladung angenommen: ${name}`,
  declined: (name) => `Einladung abgelehnt: ${name}`,
  invited: (count) => (count === 1 ? 'Du hast eine Einladung.' : `Du hast ${count} Einladungen.`),
  seeInvitations: 'Ansehen',
}
