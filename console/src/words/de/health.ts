import type { Words } from '../en.ts'

export const health: Words['health'] = {
  title: 'Zustand',
  intro: 'Aktueller Zustand der Installation, gemeldet von dem Server, der geantwortet hat.',
  all: { good: 'Alles in Ordnung', warn: 'Erfordert Aufmerksamkeit', bad: 'Etwas stimmt nicht' },
  state: { good: 'OK', warn: 'Prüfen', bad: 'Problem' },
  asOf: (when) => `Stand ${when}. Wird alle 10 Sekunden aktualisiert.`,
  serving: 'Dienst',
  serves: 'Beantwortet Anfragen.',
  database: 'Datenbank',
  up: 'PostgreSQL antwortet.',
  down:
    'PostgreSQL antwortet nicht. Prüfe, ob es läuft und über das Netz erreichbar ist. Schreibzugriffe ' +
    'werden mit 503 beantwortet und gehen von selbst weiter.',
  durability: 'Dauerhaftigkeit',
  durable: {
    database: 'Änderungen sind auf der Platte der Datenbank, bevor sie bestätigt werden.',
    storage: 'Der Speicher unter der Datenbank bewahrt Änderungen, wie mit DURABILITY=storage eingestellt.',
    strict: 'Eine Änderung wird bestätigt, wenn ein Standby sie hat.',
  },
  standbyUnknown:
    'Die Rolle des Servers sieht nicht, ob Standbys bestätigen. Mit pg_read_all_stats erscheint es hier.',
  standbys: (count) => `Standbys, die Commits bestätigen: ${count}.`,
  standbyMissing:
    'Commits warten auf einen Standby, und keiner ist verbunden. Bringe einen zurück: Bis dahin sind ' +
    'Schreibzugriffe blockiert.',
  noStandby:
    'Kein Standby hat eine Kopie: Fällt die Platte aus, sind Änderungen seit der letzten Sicherung verloren.',
  standings: 'Ranglisten',
  standingsNow: 'Auf dem neuesten Stand.',
  standingsLag: (seconds, realms) => `${seconds} s zurück, in ${realms} Realms.`,
  standingsBehind: 'Guthaben stimmen. Das Log nennt den Grund nach „standings could not follow“.',
  verified: 'Journale',
  verifiedAt: (when) => `Geprüft ${when}: jeder Eintrag, jedes Guthaben und jeder Hash stimmt.`,
  verifiedOld: 'Lass verify jede Nacht laufen.',
  verifiedNever:
    'In den letzten fünf Wochen nicht geprüft. Lass verify jede Nacht laufen: es rechnet jedes Journal nach.',
  verifiedWrong: (when) =>
    `Fehler gefunden ${when}. Schreibe nicht mehr in diesen Realm, bewahre eine Kopie der Datenbank auf ` +
    'und lies, was verify ausgab.',
  writes: 'Wartende Schreibzugriffe',
  connections: 'Offene Verbindungen',
  version: 'Version',
  started: 'Läuft seit',
  facts: 'Dieser Server',
}
