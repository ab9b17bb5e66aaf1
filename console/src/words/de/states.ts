import type { Words } from '../en.ts'

export const states: Words['states'] = {
  notFound: 'Seite nicht gefunden',
  notFoundHint: 'Prüfe die Adresse oder nutze das Menü.',
  noAccess: 'Du hast in diesem Realm keine Rolle',
  noAccessHint: 'Bitte einen Inhaber des Realms, dich aufzunehmen, oder wähle einen anderen Realm.',
  offline: 'Der Server ist nicht erreichbar',
  offlineHint: 'Prüfe deine Verbindung. Deine Eingaben gehen nicht verloren.',
  offlineBanner:
    'Der Server ist nicht erreichbar. Was du siehst, kann veraltet sein. Es wird automatisch erneut versucht.',
  failed: 'Etwas ist schiefgegangen',
  failedHint: 'Versuche es erneut. Klappt es wieder nicht, nenne dem Betreiber diese Nummer:',
  limited: 'Zu viele Anfragen. Warte einen Moment und versuche es erneut.',
  notAllowed: 'Deine Rolle erlaubt das nicht. Frage einen Inhaber des Realms.',
  ownersOnly: (role) => `Nur Inhaber können diese Seite öffnen. Deine Rolle ist ${role}`,
  askOwner: 'Ein Inhaber dieses Realms kann es für dich tun oder dir die Rolle geben.',
  operatorsOnly: 'Nur Betreiber der Installation können diese Seite öffnen',
  askOperator: 'Ein Betreiber kann es für dich tun oder dich als Betreiber einladen.',
  readOnlyHere: 'Nur Ansicht: Nur Inhaber können hier etwas ändern.',
  crash: 'Diese Seite ist abgestürzt',
  crashHint: 'Lade sie neu. Bisherige Änderungen sind sicher.',
  reload: 'Neu laden',
}
