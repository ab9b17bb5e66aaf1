import type { Words } from '../en.ts'

export const refusals: Words['refusals'] = {
  member_not_found: 'Dieses Mitglied gibt es nicht.',
  recipient_not_found: 'Der Empfänger ist kein Mitglied.',
  point_not_found: 'Diese Punktart gibt es nicht.',
  key_not_found: 'Diesen Schlüssel gibt es nicht mehr.',
  person_not_found: 'Diese Person hat hier keine Rolle mehr.',
  invitation_not_found: 'Diese Einladung wurde schon benutzt oder zurückgezogen.',
  entry_not_found: 'Diesen Eintrag gibt es nicht.',
  hold_not_found: 'Diese Vormerkung gibt es nicht.',
  wallet_not_found: 'Dieses Wallet ist nicht mehr verknüpft.',
  request_in_progress: 'Dieselbe Änderung läuft schon. Warte einen Moment und sieh noch einmal nach.',
  already_exists: 'Diese ID gibt es schon. Wähle eine andere oder verwende die vorhandene.',
  precondition_failed:
    'Inzwischen hat sich etwas geändert. Lade die Seite neu, prüfe sie und versuche es erneut.',
  body_too_large: 'Das ist zu groß. Teile es auf.',
  insufficient_points: 'Dafür reichen die Punkte nicht. Nichts wurde geändert.',
  balance_limit:
    'Das Mitglied würde das höchste Guthaben dieser Punktart überschreiten. Nichts wurde geändert.',
  same_member: 'Punkte lassen sich nicht an dasselbe Mitglied übertragen.',
  member_frozen: 'Das Mitglied ist eingefroren: Nichts lässt sich ausgeben, bis es aufgetaut ist.',
  not_transferable: 'Mitglieder können diese Punktart nicht übertragen.',
  transfer_limit: 'Das überschreitet die Grenze je Übertragung.',
  daily_limit: 'Das überschreitet die Tagesgrenze für Übertragungen.',
  member_has_points: 'Das Mitglied hat noch Punkte.',
  default_point: 'Diese Punktart ist der Standard. Mach zuerst eine andere zum Standard.',
  point_limit: 'Dieser Realm hat die Höchstzahl an Punktarten erreicht.',
  already_reversed: 'Dieser Eintrag wurde schon rückgängig gemacht.',
  not_reversible: 'Dieser Eintrag lässt sich nicht rückgängig machen.',
  hold_ended: 'Diese Vormerkung wurde schon eingelöst oder freigegeben, oder sie ist abgelaufen.',
  proof_refused: 'Der Nachweis für dieses Wallet wurde abgelehnt.',
  idempotency_key_reused:
    'Die vorige Änderung, deren Antwort verloren ging, wurde doch verarbeitet. Sieh im Auszug nach. Um auch diese auszuführen, bestätige sie erneut.',
}
