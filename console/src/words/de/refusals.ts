import type { Words } from '../en.ts'

export const refusals: Words['refusals'] = {
  member_not_found: 'Dieses Mitglied gibt es nicht.',
  recipient_not_found: 'Der Empfänger ist kein Mitglied.',
  point_not_found: 'Diese Punktart gibt es nicht.',
  key_not_found: 'Diesen Schlüssel gibt es nicht mehr.',
  person_not_found: 'Diese Person hat hier keine Rolle mehr.',
  invitation_not_found: 'Diese Einladung wurde bereits verwendet oder zurückgezogen.',
  entry_not_found: 'Diesen Eintrag gibt es nicht.',
  award_not_found: 'Diese Zusage gibt es nicht.',
  hold_not_found: 'Diese Vormerkung gibt es nicht.',
  wallet_not_found: 'Dieses Wallet ist nicht mehr verknüpft.',
  webhook_not_found: 'Diesen Webhook gibt es nicht mehr.',
  webhook_limit: 'Dieser Realm hat die maximale Anzahl an Webhooks erreicht. Lösche zuerst einen.',
  replay_running: 'Es werden bereits Ereignisse erneut gesendet. Warte, bis das abgeschlossen ist.',
  nothing_to_skip:
    'Das Ereignis wurde inzwischen zugestellt oder übersprungen. Es gibt nichts zu überspringen.',
  request_in_progress: 'Diese Änderung läuft bereits. Warte einen Moment und sieh dann noch einmal nach.',
  already_exists: 'Diese ID gibt es bereits. Wähle eine andere oder verwende die vorhandene.',
  precondition_failed:
    'Inzwischen hat sich etwas geändert. Lade die Seite neu, prüfe sie und versuche es erneut.',
  realm_suspended: 'Dieses Realm ist gesperrt. Es wurde nichts geändert.',
  body_too_large: 'Das ist zu groß. Teile es auf.',
  insufficient_points: 'Dafür reichen die Punkte nicht. Es wurde nichts geändert.',
  balance_limit:
    'Das Mitglied würde das maximale Guthaben dieser Punktart überschreiten. Es wurde nichts geändert.',
  same_member: 'Punkte lassen sich nicht an dasselbe Mitglied übertragen.',
  member_frozen: 'Das Mitglied ist eingefroren. Hebe das Einfrieren auf, damit es Punkte einlösen kann.',
  not_transferable: 'Mitglieder können diese Punktart nicht übertragen.',
  transfer_limit: 'Das überschreitet das Limit pro Übertragung.',
  daily_limit: 'Das überschreitet das Tageslimit für Übertragungen.',
  member_has_points: 'Das Mitglied hat noch Punkte.',
  default_point: 'Das ist die Standard-Punktart. Lege zuerst eine andere als Standard fest.',
  point_limit: 'Dieser Realm hat die maximale Anzahl an Punktarten erreicht.',
  already_merged: 'Dieses Mitglied wurde schon zusammengeführt. Wähle das Mitglied, zu dem es jetzt gehört.',
  member_has_holds: 'Eines der Mitglieder hat vorgemerkte Punkte. Buche sie ab oder gib sie frei.',
  merge_ended:
    'Das lässt sich nicht mehr rückgängig machen, oder vorher muss eine andere Zusammenführung zurück.',
  merge_limit: 'Höchstens 16 Mitglieder lassen sich mit einem zusammenführen.',
  merge_not_found: 'Diese Zusammenführung gibt es nicht.',
  already_reversed: 'Dieser Eintrag wurde bereits storniert.',
  not_reversible: 'Dieser Eintrag lässt sich nicht stornieren.',
  award_ended: 'Diese Zusage wurde bereits gutgeschrieben oder zurückgezogen.',
  hold_ended: 'Diese Vormerkung wurde bereits eingelöst oder freigegeben oder ist abgelaufen.',
  proof_refused: 'Der Nachweis für dieses Wallet wurde abgelehnt.',
  idempotency_key_reused:
    'Die vorige Änderung, deren Antwort verloren ging, wurde doch ausgeführt. Prüfe den Auszug. Um auch ' +
    'diese Änderung auszuführen, bestätige sie erneut.',
}
