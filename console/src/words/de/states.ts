import type { Words } from '../en.ts'

export const states: Words['states'] = {
  notFound: 'Seite nicht gefunden',
  home: 'Zur Startseite',
  notFoundHint: 'Prüfe die Adresse oder verwende das Menü.',
  noAccess: 'Du hast in diesem Realm keine Rolle',
  noAccessHint: 'Bitte einen Inhaber des Realms, dich hinzuzufügen, oder wähle einen anderen Realm.',
  offline: 'Der Server ist nicht erreichbar',
  offlineHint: 'Prüfe deine Verbindung. Deine Eingaben gehen nicht verloren.',
  offlineBanner:
    'Der Server ist nicht erreichbar. Die Anzeige kann veraltet sein. Es wird automatisch erneut versucht.',
  failed: 'Etwas ist schiefgegangen',
  failedHint: 'Versuche es erneut. Klappt es wieder nicht, nenne dem Betreiber diese Nummer:',
  limited: 'Zu viele Anfragen. Warte einen Moment und versuche es erneut.',
  notAllowed: 'Deine Rolle erlaubt das nicht. Wende dich an einen Inhaber des Realms.',
  ownersOnly: (role) => `Nur Inhaber können diese Seite öffnen. Deine Rolle ist ${role}`,
  askOwner: 'Ein Inhaber dieses Realms kann das für dich tun oder dir die Rolle geben.',
  operatorsOnly: 'Nur Betreiber der Installation können diese Seite öffnen',
  askOperator: 'Ein Betreiber kann das für dich tun oder dich als Betreiber einladen.',
  readOnlyHere: 'Lesezugriff: Nur Inhaber können hier etwas ändern.',
  crash: 'Diese Seite ist abgestürzt',
  crashHint: 'Lade sie neu. Bereits vorgenommene Änderungen bleiben erhalten.',
  reload: 'Neu laden',
}
