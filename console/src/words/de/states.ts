import type { Words } from '../en.ts'

export const states: Words['states'] = {
  notFound: 'Diese Seite gibt es nicht',
  notFoundHint: 'Die Adresse ist vielleicht vertippt. Das Menü führt zu allem, was es hier gibt.',
  noAccess: 'Du hast in diesem Realm keine Rolle',
  noAccessHint: 'Bitte einen Inhaber des Realms, dich aufzunehmen, oder wähle einen anderen Realm.',
  offline: 'Der Server ist nicht erreichbar',
  offlineHint: 'Prüfe deine Verbindung. Nichts, was du getippt hast, geht verloren.',
  offlineBanner:
    'Der Server ist nicht erreichbar. Was du siehst, kann veraltet sein; es wird von selbst erneut versucht.',
  failed: 'Das hat nicht geklappt',
  failedHint: 'Versuche es erneut. Klappt es wieder nicht, nenne dem Betreiber diese Nummer:',
  limited: 'Zu viele Anfragen auf einmal. Warte einen Moment und versuche es erneut.',
  notAllowed: 'Deine Rolle erlaubt das nicht. Frage einen Inhaber des Realms.',
  ownersOnly: (role) => `Diese Seite ist für Inhaber, und deine Rolle hier ist ${role}`,
  askOwner: 'Ein Inhaber dieses Realms kann es für dich tun oder dir die Rolle geben.',
  operatorsOnly: 'Diese Seite ist für die Betreiber der Installation',
  askOperator: 'Ein Betreiber kann es für dich tun oder dich als solchen einladen.',
  readOnlyHere: 'Du kannst hier alles ansehen, aber nur ein Inhaber kann etwas ändern.',
  crash: 'Diese Seite ist abgestürzt',
  crashHint: 'Lade sie neu. Was du vorher geändert hast, ist sicher.',
  reload: 'Neu laden',
}
