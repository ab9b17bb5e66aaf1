import type { Words } from '../en.ts'

export const session: Words['session'] = {
  title: 'Anmelden',
  intro: 'Die Konsole für die Punkte deiner Gemeinschaft.',
  withAccount: 'Mit deinem Konto anmelden',
  withLink: 'Mit diesem Link anmelden',
  linkIntro: 'Dieser Link meldet dich einmal an. Ein zweites Mal geht er nicht.',
  noWay: 'Bitte den Betreiber oder einen Inhaber deines Realms um einen Link zum Anmelden.',
  askLink:
    'Kein Konto hier? Ein Inhaber deines Realms oder der Betreiber kann dir einen Link zum Anmelden machen.',
  ended: 'Deine Sitzung ist zu Ende. Melde dich wieder an, dann bist du zurück auf dieser Seite.',
  signedOut: 'Du bist abgemeldet, hier und überall sonst.',
  linkUsed: 'Dieser Link wurde schon benutzt, ist abgelaufen oder unvollständig. Bitte um einen neuen.',
  failed: {
    denied:
      'Die Anmeldung wurde abgebrochen oder vom Anbieter verweigert. Versuche es erneut oder mit einem anderen Konto.',
    uninvited:
      'Diese Adresse hat niemand eingeladen. Bitte einen Inhaber des Realms darum und versuche es erneut.',
    expired: 'Die Anmeldung hat zu lange gedauert oder lief in einem anderen Tab weiter. Versuche es erneut.',
    unverified:
      'Dein Anbieter bürgt nicht für deine E-Mail-Adresse. Bestätige sie dort und versuche es erneut.',
    failed: 'Die Anmeldung hat nicht geklappt. Versuche es erneut; sonst sag es dem Betreiber.',
  },
  realmsTitle: 'Deine Realms',
  noRealms: 'Du hast noch in keinem Realm eine Rolle',
  noRealmsHint: 'Bitte einen Inhaber des Realms, dich aufzunehmen, und lade diese Seite neu.',
  findRealm: 'Realm finden',
  invitations: 'Einladungen für dich',
  invitationsIntro: 'Dein Name und deine Adresse sind dort erst zu sehen, wenn du annimmst.',
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
