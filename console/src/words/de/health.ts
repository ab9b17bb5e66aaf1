import type { Words } from '../en.ts'

export const health: Words['health'] = {
  title: 'Status',
  intro: 'Aktueller Status der Installation, gemeldet vom antwortenden Server.',
  all: { good: 'Alles in Ordnung', warn: 'Handlungsbedarf', bad: 'Etwas stimmt nicht' },
  state: { good: 'OK', warn: 'Prüfen', bad: 'Problem' },
  asOf: (when) => `Stand: ${when}. Wird alle 10 Sekunden aktualisiert.`,
  serving: 'Dienst',
  serves: 'Beantwortet Anfragen.',
  database: 'Datenbank',
  up: 'PostgreSQL antwortet.',
  down:
    'PostgreSQL antwortet nicht. Prüfe, ob es läuft und über das Netz erreichbar ist. Schreibzugriffe ' +
    'erhalten 503 und funktionieren danach von selbst wieder.',
  durability: 'Dauerhaftigkeit',
  durable: {
    database: 'Änderungen werden erst bestätigt, wenn sie auf der Festplatte der Datenbank sind.',
    storage: 'Der Speicher unter der Datenbank sichert Änderungen, wie mit DURABILITY=storage eingestellt.',
    strict: 'Eine Änderung wird erst bestätigt, wenn ein Standby sie hat.',
  },
  standbyUnknown:
    'Die Datenbankrolle des Servers sieht nicht, ob Standbys bestätigen. Gib ihr pg_read_all_stats, um es ' +
    'hier anzuzeigen.',
  standbys: (count) => `Standbys, die Commits bestätigen: ${count}.`,
  standbyMissing:
    'Commits warten auf einen Standby, aber keiner ist verbunden. Verbinde wieder einen: Bis dahin sind ' +
    'Schreibzugriffe blockiert.',
  noStandby:
    'Kein Standby hat eine Kopie: Fällt die Festplatte der Datenbank aus, gehen alle Änderungen seit dem ' +
    'letzten Backup verloren.',
  standings: 'Ranglisten',
  standingsNow: 'Auf dem neuesten Stand.',
  standingsLag: (seconds, realms) => `${seconds} s im Rückstand, in ${realms} Realms.`,
  standingsBehind: 'Die Guthaben stimmen. Den Grund nennt das Log nach „leaderboards could not be updated“.',
  verified: 'Journale',
  verifiedAt: (when) => `Geprüft ${when}: Alle Einträge, Guthaben und Hashes stimmen.`,
  verifiedOld: 'Führe verify jede Nacht aus.',
  verifiedNever:
    'In den letzten fünf Wochen nicht geprüft. Führe verify jede Nacht aus: Es rechnet jedes Journal nach.',
  verifiedWrong: (when) =>
    `Fehler gefunden (${when}). Schreibe nichts mehr in diesen Realm, sichere eine Kopie der Datenbank ` +
    'und lies die Ausgabe von verify.',
  writes: 'Wartende Schreibzugriffe',
  connections: 'Offene Verbindungen',
  version: 'Version',
  started: 'Läuft seit',
  facts: 'Dieser Server',
}
